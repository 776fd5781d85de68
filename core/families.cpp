// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"

#include "core/metric/family.h"
#include "core/ordinal/family.h"
#include "core/pu/family.h"
#include "core/svm/family.h"

#include <algorithm>
#include <stop_token>

namespace lambdascope {

const std::vector<Family>& builtInFamilies() {
    static const std::vector<Family> families = {metric::family(), svm::family(), ordinal::family(), pu::family()};
    return families;
}

const SchemaCatalog& builtInCatalog() {
    static const SchemaCatalog catalog = [] {
        std::vector<FamilySchema> schemas;
        for (const Family& family : builtInFamilies()) {
            schemas.push_back(family.schema);
        }
        return SchemaCatalog(std::move(schemas));
    }();
    return catalog;
}

const Family* findFamily(std::string_view id) {
    const auto& families = builtInFamilies();
    const auto found =
        std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.schema.id == id; });
    return found == families.end() ? nullptr : &*found;
}

namespace {

std::optional<Fault> needOf(const Family& family, const Json& document, const std::shared_ptr<const Dataset>& data,
                            const DataPlaces& places) {
    const auto firstFault = [](const Error& error) {
        return error.faults.empty() ? Fault{{}, error.message, {}, {}} : error.faults.front();
    };
    const auto experiment = validateExperiment(document, builtInCatalog());
    if (!experiment) {
        return firstFault(experiment.error());
    }
    // Families check their data before they begin to compute, and here they are to stop when they do.
    std::stop_source stop;
    stop.request_stop();
    const auto prepared = family.prepare(**experiment, data, places, {}, stop.get_token());
    const bool isTaken = prepared || prepared.error().code == ErrorCode::Stopped;
    return isTaken ? std::nullopt : std::optional(firstFault(prepared.error()));
}

} // namespace

std::vector<DataFit> dataFits(const Json& document, const std::shared_ptr<const Dataset>& data,
                              const DataPlaces& places) {
    const bool isObject = document.isObject();
    const Json section = isObject && document.contains("data") ? document["data"] : Json::object();
    const std::string own = isObject ? document.value("family", std::string()) : std::string();
    std::vector<DataFit> fits;
    for (const Family& family : builtInFamilies()) {
        const std::string& id = family.schema.id;
        const Json asked = id == own ? document : Json{{"family", id}, {"data", section}};
        fits.push_back({id, family.schema.title, needOf(family, asked, data, places)});
    }
    return fits;
}

} // namespace lambdascope
