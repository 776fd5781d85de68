// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/run/run_lens.h"
#include "core/store/stored_path.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope {

/// What comparing a stored path with the lane computed again found.
struct PathCheck {
    std::int32_t points = 0; ///< compared

    std::int64_t wrong = 0; ///< values that cannot be true, and rows that are missing
    std::vector<std::string> wrongExamples;

    std::int32_t unproven = 0;  ///< points whose values nothing proves
    std::string unprovenReason; ///< of the first

    std::int64_t differences = 0;      ///< values and columns that are not the same to the last bit
    std::vector<std::string> examples; ///< of those

    /// Of each kind so many examples are kept.
    static constexpr std::size_t kMostExamples = 10;
    void addWrong(std::string example);
    void addDifference(std::string example);
    void addUnproven(std::string reason);
};

/// Compares a stored path with the lane computed again at its values of the path parameter (RunLens::computeAt), in two
/// ways. Another build rounds otherwise, takes other steps and ends elsewhere within the tolerance; so what is stored
/// is *wrong* only where it contradicts what is proven of the point: primal and dual value enclose the optimal one, the
/// gap is no less than their difference, no set has more items than may lie in it (`proven`, by accurate solutions),
/// facts of the problem are as they are. A point without a proven bound counts as unproven, unless it is the same to
/// the last bit. Apart from that all columns are compared to the last bit, but for time and memory (units s and B) and
/// test errors that the run did not measure.
[[nodiscard]] PathCheck comparePath(const StoredPath& stored, const std::vector<ColumnDescription>& columns,
                                    const std::vector<RecomputedPoint>& computed,
                                    const std::vector<ProvenPoint>& proven = {});

} // namespace lambdascope
