// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

#include <QString>

#include <vector>

namespace lambdascope {

/// Share of held-out rows that the solution classifies wrongly, per path point, with a mark where the least of all runs
/// is. Where nothing is classified, what else is measured on those rows: R² of a regression. Runs without held-out rows
/// are left out.
[[nodiscard]] CurveFigure heldOutFigure(const std::vector<ShownRun>& runs);

/// A way to judge the solutions of a path on rows that they have not seen: held-out ones, those that cross-validation
/// leaves out, or both in one chart, by error or by another measure of the family, such as AUC.
struct Quality {
    const char* name; ///< as `lambdascope --figure` takes it: "test-error"
    const char* description;
    std::vector<ColumnRole> roles; ///< one, or both ways of choosing rows
    bool isError = true;           ///< the less the better
};
[[nodiscard]] const std::vector<Quality>& qualities();

/// Those for which some run has values in all columns that they need.
[[nodiscard]] std::vector<const Quality*> qualitiesOf(const std::vector<ShownRun>& runs);
/// For choosers, in the words of the family: "AUC, held-out", "AUC, both".
[[nodiscard]] QString qualityTitle(const std::vector<ShownRun>& runs, const Quality& quality);
/// Per path point, with a mark at the best point of all curves, named by its curve when others do not reach it. With
/// two roles each run has two curves, the second one dashed. Runs without values are left out.
[[nodiscard]] CurveFigure qualityFigure(const std::vector<ShownRun>& runs, const Quality& quality);

/// How many items lie in each set at the solution, per path point: a curve per set, of the first run of each
/// experiment, since lanes have the same optimum.
[[nodiscard]] CurveFigure setsFigure(const std::vector<ShownRun>& runs);

} // namespace lambdascope
