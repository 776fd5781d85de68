// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/family.h"

namespace lambdascope {

Result<PlacedObjects> PreparedProblem::placeObjects(const Lane& /*lane*/, std::int32_t /*point*/,
                                                    const std::filesystem::path& /*answers*/,
                                                    const DataProgress& /*progress*/, std::stop_token /*stop*/) const {
    return Failure{
        singleFault(ErrorCode::BadUsage, {{},
                                          "runs of this family embed no objects that new ones could be placed among",
                                          "Name the folder of an ordinal run.",
                                          {}})};
}

} // namespace lambdascope
