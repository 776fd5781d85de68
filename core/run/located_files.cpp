// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/located_files.h"

#include "core/data/file_places.h"
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope {

namespace {

bool matters(const FieldDescription& field, const Json& section) {
    if (!field.relevantWhen) {
        return true;
    }
    const Json& deciding = section.at(field.relevantWhen->key);
    const auto& values = field.relevantWhen->values;
    return deciding.is_string() && std::find(values.begin(), values.end(), deciding.get<std::string>()) != values.end();
}

} // namespace

Result<Experiment> withLocatedFiles(Experiment experiment, const SectionSchema& problem, const DataPlaces& places) {
    for (const FieldDescription& field : problem.fields) {
        if (field.kind != FieldKind::File || !matters(field, experiment.problem)) {
            continue;
        }
        Json& value = experiment.problem[field.key];
        const auto name = value.get<std::string>();
        if (name.empty()) {
            continue;
        }
        const FilePlace place = findFile(name, places);
        if (!place.path) {
            return Failure{
                singleFault(ErrorCode::FileNotFound,
                            {problem.key + "." + field.key,
                             "there is no file " + excerpt(name) + (place.tried.empty() ? "" : " in " + place.tried),
                             "Check the path; relative ones start at the experiment's folder or the working folder.",
                             {}})};
        }
        value = place.path->string();
    }
    return experiment;
}

} // namespace lambdascope
