// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/family.h"

#include "core/data/file_places.h"
#include "core/data/text_encoding.h"
#include "core/run/make_family.h"

namespace lambdascope {

Result<PlacedObjects> PreparedProblem::placeObjects(std::size_t /*lane*/, std::int32_t /*point*/,
                                                    const std::filesystem::path& /*answers*/,
                                                    const DataProgress& /*progress*/, std::stop_token /*stop*/) const {
    return Failure{
        singleFault(ErrorCode::BadUsage, {{},
                                          "runs of this family embed no objects that new ones could be placed among",
                                          "Name the folder of an ordinal run.",
                                          {}})};
}

SectionSchema withLaneRunFields(SectionSchema lane) {
    const std::vector<FieldDescription>& more = laneRunFields().schema().fields;
    lane.fields.insert(lane.fields.end(), more.begin(), more.end());
    return lane;
}

Result<void> locateFiles(const std::vector<NamedFile>& files, const DataPlaces& places) {
    for (const NamedFile& file : files) {
        const FilePlace place = findFile(*file.name, places);
        if (!place.path) {
            return Failure{singleFault(
                ErrorCode::FileNotFound,
                {file.key,
                 "there is no file " + excerpt(*file.name) + (place.tried.empty() ? "" : " in " + place.tried),
                 "Check the path; relative ones start at the experiment's folder or the working folder.",
                 {}})};
        }
        *file.name = place.path->string();
    }
    return {};
}

} // namespace lambdascope
