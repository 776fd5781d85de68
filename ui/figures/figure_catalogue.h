// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_lens.h"
#include "ui/figures/figure_builders.h"

#include <QStringList>

#include <functional>

namespace lambdascope {

/// How figures get at the lenses of lanes (core/run/run_lens.h): some show what a run does not keep, so that its lane
/// has to be computed again.
struct LensSource {
    std::function<Result<RunLens*>(const ShownRun& run)> open; ///< empty: figures that need it are not there
    std::function<bool(const ShownRun& run)> has;              ///< whether open() can be tried, without trying
    RunLens::Progress progress;                                ///< of what takes long once a lens is open
};

/// Names of the figures that these runs can give, as `lambdascope --figure` takes them: path-rate, final-rate,
/// after-rate, cpu-ratio, cpu, growth, active, removed, iterations, sets, convergence, those of qualities(),
/// measure:<column>, race:<column> (any column with numbers), cost:<lane>, heatmap:<lane>, matrix:<lane>,
/// embedding:<lane>. Figures that would be empty are left out.
[[nodiscard]] QStringList figureNames(const std::vector<ShownRun>& runs);
/// Names of those that need lenses: slice:<lane>, lifetimes:<lane>, ranges:<lane>, plane:<lane>, and of the points of
/// embeddings, which have names or numbers from 0 on, one for each lane, arcs:<lane>:<point> and, where it screens,
/// screened-arcs:<lane>:<point>. Computes nothing.
[[nodiscard]] QStringList lensFigureNames(const std::vector<ShownRun>& runs, const LensSource& lenses);
/// The lane that a name "kind:lane" is about; null for figures of all runs, and for lanes that are not there.
[[nodiscard]] const ShownRun* laneOfFigure(const std::vector<ShownRun>& runs, const QString& name);

/// What a name shows, for lists: "Screening rate, on arrival at each point".
[[nodiscard]] QString figureDescription(const QString& name);

/// The figure called `name`. convergence, matrix, embedding, slice, lifetimes, plane and both kinds of arcs show path
/// point `index`, or the last one that they can when it is negative; "convergence@12" and "matrix:PGB@12" name the
/// point themselves. Errors: BadUsage with the names there are; InvalidData when the runs do not hold what the figure
/// needs; what the lens says.
[[nodiscard]] Result<Figure> figureByName(const std::vector<ShownRun>& runs, const QString& name, int index = -1,
                                          const LensSource& lenses = {});

/// A file name for a figure: "heatmap-RRPB+PGB".
[[nodiscard]] QString figureFileStem(const QString& name);

} // namespace lambdascope
