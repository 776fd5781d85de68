// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "ui/charts/figure.h"

#include <optional>
#include <vector>

/// Figures from run records. The window and `lambdascope --render` use the same functions, so that what one sees is
/// what one exports. Nothing here knows a family: columns are found by their roles, texts come from RunStarted.
namespace lambdascope {

/// A run as figures show it. Records must outlive the call.
struct ShownRun {
    const RunRecord* record = nullptr;
    const RunRecord* baseline = nullptr; ///< what CPU ratios refer to; null when there is none
    QString id;                          ///< of its curves
    QString name;                        ///< legend text
    int styleIndex = 0;
    const RunRecord* limit = nullptr; ///< the oracle lane that knows this one's sets; null when there is none
};

/// Lanes of one run folder, named as in the experiment; the first lane that calls itself baseline is it.
[[nodiscard]] std::vector<ShownRun> shownRuns(const std::vector<RunRecord>& records);

/// Which items a figure counts.
enum class ScreeningStage { OnArrival, BeforeSolved, Afterwards };
enum class ItemSide { LeftToSolver, Removed };

/// Share of the decidable items that were fixed by a stage, per path point, in [0, 1]. Runs without screening are left
/// out, and those that judge nothing with the finished solution where that is the stage. Gaps where no look was made;
/// empty where there is nothing else.
[[nodiscard]] CurveFigure rateFigure(const std::vector<ShownRun>& runs, ScreeningStage stage);
/// CPU of solving and screening together up to each path point, over that of the baseline, with a line at 1; from where
/// both have used enough to tell.
[[nodiscard]] CurveFigure cpuRatioFigure(const std::vector<ShownRun>& runs);
/// CPU seconds of solving and screening up to each path point.
[[nodiscard]] CurveFigure cpuFigure(const std::vector<ShownRun>& runs);
/// Items per path point that the solver still had to visit after the last screening, or that screening removed.
[[nodiscard]] CurveFigure itemsFigure(const std::vector<ShownRun>& runs, ItemSide side);
[[nodiscard]] CurveFigure iterationsFigure(const std::vector<ShownRun>& runs);
/// Optimality against iteration at path point `index`, with the tolerance as a line.
[[nodiscard]] CurveFigure convergenceFigure(const std::vector<ShownRun>& runs, int index);
/// The objective by iteration within the point `index`.
[[nodiscard]] CurveFigure objectiveFigure(const std::vector<ShownRun>& runs, int index);
/// How sharp the bounds are: the least radius of their balls on arrival at each path point.
[[nodiscard]] CurveFigure radiusFigure(const std::vector<ShownRun>& runs);
/// Screening rate by path point (columns) and number of the check within the point (rows, 0 = path screening).
[[nodiscard]] HeatmapFigure heatmapFigure(const ShownRun& run);

[[nodiscard]] bool hasEmbeddings(const RunRecord& record); ///< some finished point carries one
/// Screens by regions round one optimum, which its lens shows; not where a point consists of several problems.
[[nodiscard]] bool hasRegions(const RunRecord& record);
[[nodiscard]] bool hasPlane(const RunRecord& record);                   ///< its lens draws one, of a finished point
[[nodiscard]] int lastFinishedIndex(const std::vector<ShownRun>& runs); ///< largest path index; −1 when none

/// "Duality gap", …
[[nodiscard]] QString optimalityLabel(const std::vector<ShownRun>& runs);

} // namespace lambdascope
