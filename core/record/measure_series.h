// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lambdascope {

/// Columns worth a curve along the path: objective, optimality, measures and whatever else a family tells. Not the
/// path itself, counts of items, shares that screening fixed, times, quartiles and goals of others, and what never
/// changes.
[[nodiscard]] std::vector<std::size_t> measureColumns(const RunRecord& record);

/// Seconds that the solver has spent up to each finished point: the column "seconds" where a run counts them, else
/// CPU of solving and screening summed from the first point on.
[[nodiscard]] std::vector<double> elapsedSeconds(const RunRecord& record);

/// Columns of the quartiles over several starts of column `column`, which holds their median: those of its key with
/// the endings "_q1" and "_q3"; nothing for one start.
struct QuartileColumns {
    std::size_t lower = 0;
    std::size_t upper = 0;
};
[[nodiscard]] std::optional<QuartileColumns> quartilesOf(const RunRecord& record, std::size_t column);

/// The column of what column `column` was to come near, as the share outside to ν: that of its key with the ending
/// "_goal"; nothing where nobody set a goal.
[[nodiscard]] std::optional<std::size_t> goalOf(const RunRecord& record, std::size_t column);

/// Whether the path goes over the number of items of the problem, so that times grow along it.
[[nodiscard]] bool isOverSizes(const RunRecord& record);

/// A power law y = e^a xᵇ.
struct PowerLaw {
    double exponent = 0;    ///< b
    double logFactor = 0;   ///< a
    std::size_t points = 0; ///< it was fitted to
};
/// Least squares of log y over log x, over the points where both are positive and finite; nothing with fewer than two
/// different x.
[[nodiscard]] std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y);

} // namespace lambdascope
