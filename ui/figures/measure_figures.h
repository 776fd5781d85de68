// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

#include <QString>

#include <vector>

namespace lambdascope {

/// A column of some of the runs that is worth a curve.
struct Measure {
    QString key;   ///< of the column: "test_error"
    QString label; ///< "Error on held-out comparisons"
    ColumnRole role = ColumnRole::Other;
    QString unit = {};
};
/// Those of all runs, by the first that has them.
[[nodiscard]] std::vector<Measure> measuresOf(const std::vector<ShownRun>& runs);

/// A measure per path point, with the quartiles over several starts as a band where a run has them, and what it was to
/// come near as a curve of its own. The axis is logarithmic where positive values spread over decades.
[[nodiscard]] CurveFigure measureFigure(const std::vector<ShownRun>& runs, const QString& key);

/// The same measure against the seconds that the solver has spent: who is where at a time.
[[nodiscard]] CurveFigure raceFigure(const std::vector<ShownRun>& runs, const QString& key);

/// Whether the path goes over the size of the problem.
[[nodiscard]] bool hasSizes(const std::vector<ShownRun>& runs);
/// CPU seconds per path point against the size of the problem, both axes logarithmic; names carry the exponent of the
/// power law that fits best. Runs over anything else are left out.
[[nodiscard]] CurveFigure growthFigure(const std::vector<ShownRun>& runs);

/// Whether the points of a run consist of several problems, whose numbers it has.
[[nodiscard]] bool hasProblems(const RunRecord& record);

/// What a picture of the problems of these runs may show, rates first: columns that some problem has a number of.
[[nodiscard]] std::vector<ColumnDescription> problemMeasures(const std::vector<ShownRun>& runs);

/// A measure of a problem at a point; NaN where there is none.
[[nodiscard]] double problemValue(const RunRecord& record, const PointRecord& point, std::size_t problem,
                                  const std::string& key);

/// A measure of every problem at every path point: points across, problems from the top in their order.
[[nodiscard]] HeatmapFigure problemsFigure(const ShownRun& run, const ColumnDescription& measure);

} // namespace lambdascope
