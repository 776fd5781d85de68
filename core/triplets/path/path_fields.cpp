// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/path_fields.h"

#include "core/common/number_text.h"

namespace lambdascope::triplets {

void checkPath(const PathConfig& path, std::vector<Fault>& faults) {
    if (path.start && *path.start < path.minLambda) {
        faults.push_back({"path.start",
                          "is " + exactText(*path.start) + ", below path.min_lambda, " + exactText(path.minLambda) +
                              "; the path would have no point",
                          "Raise start or lower min_lambda.",
                          {}});
    }
    if (path.stop == 0 && path.minLambda == 0 && path.maxPoints > 1000) {
        faults.push_back({"path.max_points",
                          "the path has no end but this one, " + exactText(static_cast<double>(path.maxPoints)),
                          "Set stop or min_lambda, or at most 1000 points.",
                          {}});
    }
}

void checkRange(const LaneConfig& lane, const std::string& key, std::vector<Fault>& faults) {
    if (lane.range && !lane.rangeBound()) {
        faults.push_back({key + ".range",
                          "needs the bound MGB or RRPB, whose ranges it keeps",
                          "Add \"MGB\" or \"RRPB\" to the lane's bounds, or set range to false.",
                          {}});
    }
}

} // namespace lambdascope::triplets
