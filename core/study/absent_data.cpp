// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/absent_data.h"

#include "core/data/data_source.h"
#include "core/data/file_places.h"

#include <algorithm>

namespace lambdascope {

namespace {

constexpr const char* kSource = "data.source";

bool isThere(const std::string& source, const DataPlaces& places) {
    const std::vector<DataListing> listed = listedData();
    const bool isBundled =
        std::any_of(listed.begin(), listed.end(), [&](const DataListing& data) { return data.source == source; });
    if (isBundled || source.starts_with("toy:")) {
        return true;
    }
    const auto file = findFile(source, places).path;
    std::error_code ignored;
    return file && std::filesystem::exists(*file, ignored);
}

} // namespace

Result<std::vector<std::string>> leaveOutAbsentData(Study& study) {
    std::vector<std::string> absent;
    DataPlaces places;
    places.folders = study.folders;
    for (StudyAxis& axis : study.axes) {
        const auto field = std::find(axis.fields.begin(), axis.fields.end(), kSource);
        if (!axis.isOptional || field == axis.fields.end()) {
            continue;
        }
        const auto column = static_cast<std::size_t>(field - axis.fields.begin());
        std::erase_if(axis.values, [&](const std::vector<Json>& values) {
            if (!values[column].isText() || isThere(values[column].text(), places)) {
                return false;
            }
            absent.push_back(values[column].text());
            return true;
        });
        if (axis.values.empty()) {
            return Failure{singleFault(ErrorCode::InvalidConfiguration,
                                       {axis.key,
                                        "none of its data are here: " + findFile(absent.back(), places).tried +
                                            " were searched for " + absent.back(),
                                        "Put the files there, or name others with --set " + axis.key + ".values.",
                                        {}})};
        }
    }
    return absent;
}

} // namespace lambdascope
