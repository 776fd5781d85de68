// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_kinds.h"

#include "core/inspect/plane_sampler.h"
#include "core/inspect/region_slicer.h"
#include "core/inspect/relation_finder.h"
#include "ui/figures/comparison_figures.h"
#include "ui/figures/cost_figures.h"
#include "ui/figures/embedding_figures.h"
#include "ui/figures/lens_figures.h"
#include "ui/figures/measure_figures.h"
#include "ui/figures/plane_figure.h"
#include "ui/figures/quality_figures.h"
#include "ui/figures/solution_figures.h"

namespace lambdascope {

namespace {

using Runs = std::vector<ShownRun>;

std::vector<CommonFigure> withQualities(std::vector<CommonFigure> figures) {
    for (const Quality& quality : qualities()) {
        figures.push_back({quality.name, quality.description,
                           [&quality](const Runs& runs, int) { return qualityFigure(runs, quality); }});
    }
    return figures;
}

/// The last finished point, up to `index` when that is not negative, that has something; `index` when there is none.
template <class Has>
int latestWith(const RunRecord& record, int index, Has has) {
    int latest = index;
    for (const PointRecord& point : record.points()) {
        const bool counts = point.isFinished && (index < 0 || point.index <= index);
        latest = counts && has(point) ? static_cast<int>(point.index) : latest;
    }
    return latest;
}

Result<Figure> sliceFrom(const LensQuestion& asked) {
    auto slice = askLens(asked.lens, &RegionSlicer::slice, asked.index, std::stop_token());
    return slice ? Result<Figure>(sliceFigure(asked.run, asked.index, *slice, -1, false)) : Failure{slice.error()};
}

Result<Figure> lifetimesFrom(const LensQuestion& asked) {
    auto lifetimes = askLens(asked.lens, &RegionSlicer::lifetimes, asked.index, kMostLifetimes, std::stop_token());
    return lifetimes ? Result<Figure>(lifetimesFigure(asked.run, *lifetimes)) : Failure{lifetimes.error()};
}

Result<Figure> rangesFrom(const LensQuestion& asked) {
    auto grid = askLens(asked.lens, &RegionSlicer::ranges, asked.progress, std::stop_token());
    return grid ? Result<Figure>(rangeFigure(asked.run, *grid)) : Failure{grid.error()};
}

Result<Figure> planeFrom(const LensQuestion& asked) {
    auto plane = askLens(asked.lens, &PlaneSampler::plane, asked.index, PlaneAxes(), std::stop_token());
    return plane ? Result<Figure>(planeFigure(asked.run, asked.index, *plane)) : Failure{plane.error()};
}

template <ArcColours colours>
Result<Figure> arcsFrom(const LensQuestion& asked) {
    auto relations =
        askLens(asked.lens, &RelationFinder::relations, asked.point, asked.index, kMostArcs, std::stop_token());
    return relations ? Result<Figure>(relationsFigure(asked.run, asked.index, asked.point, *relations, colours))
                     : Failure{relations.error()};
}

} // namespace

const std::vector<CommonFigure>& commonFigures() {
    static const std::vector<CommonFigure> figures = withQualities({
        {"path-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate on arrival at each path point"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::OnArrival); }},
        {"final-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate before each path point was solved"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::BeforeSolved); }},
        {"after-rate", QT_TRANSLATE_NOOP("Figures", "Share of items known from each finished solution"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::Afterwards); }},
        {"cpu-ratio", QT_TRANSLATE_NOOP("Figures", "CPU time so far over that of the lane without screening"),
         [](const Runs& runs, int) { return cpuRatioFigure(runs); }},
        {"cpu", QT_TRANSLATE_NOOP("Figures", "CPU seconds up to each path point"),
         [](const Runs& runs, int) { return cpuFigure(runs); }},
        {"totals", QT_TRANSLATE_NOOP("Figures", "CPU seconds of each lane, solving and screening"),
         [](const Runs& runs, int) { return totalsFigure(runs); }},
        {"growth", QT_TRANSLATE_NOOP("Figures", "CPU time by size of the problem, with slopes"),
         [](const Runs& runs, int) { return growthFigure(runs); }},
        {"active", QT_TRANSLATE_NOOP("Figures", "Items left to the solver"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::LeftToSolver); }},
        {"removed", QT_TRANSLATE_NOOP("Figures", "Items removed by screening"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::Removed); }},
        {"iterations", QT_TRANSLATE_NOOP("Figures", "Iterations per path point"),
         [](const Runs& runs, int) { return iterationsFigure(runs); }},
        {"sets", QT_TRANSLATE_NOOP("Figures", "Items by set at the solution"),
         [](const Runs& runs, int) { return setsFigure(runs); }},
        {"convergence", QT_TRANSLATE_NOOP("Figures", "Optimality by iteration at one path point"),
         [](const Runs& runs, int index) { return convergenceFigure(runs, index); }},
    });
    return figures;
}

const std::vector<ColumnFigure>& columnFigures() {
    static const std::vector<ColumnFigure> figures = {
        {"measure", QT_TRANSLATE_NOOP("Figures", "%1 along the path"), measureFigure,
         [](ColumnRole role) { return !isMeasure(role); }},
        {"race", QT_TRANSLATE_NOOP("Figures", "%1 by CPU time spent"), raceFigure,
         [](ColumnRole role) { return role == ColumnRole::Objective || role == ColumnRole::HeldOutError; }},
    };
    return figures;
}

CloudFigure lastEmbedding(const ShownRun& run) {
    return embeddingFigure(run,
                           latestWith(*run.record, -1, [](const PointRecord& p) { return p.embedding != nullptr; }));
}

const std::vector<LaneFigure>& laneFigures() {
    static const std::vector<LaneFigure> figures = {
        {"cost", QT_TRANSLATE_NOOP("Figures", "What the CPU time of %1 went to, by path point"),
         [](const ShownRun& run) { return !isEmpty(Figure(ledgerFigure(run))); },
         [](const ShownRun& run, int) { return Figure(ledgerFigure(run)); }},
        {"heatmap", QT_TRANSLATE_NOOP("Figures", "Dynamic screening rate of %1 by path point and check"),
         [](const ShownRun& run) { return hasChecks(*run.record); },
         [](const ShownRun& run, int) { return Figure(heatmapFigure(run)); }},
        {"problems", QT_TRANSLATE_NOOP("Figures", "Each problem of %1 by path point"),
         [](const ShownRun& run) { return hasProblems(*run.record) && !problemMeasures({run}).empty(); },
         [](const ShownRun& run, int) { return Figure(problemsFigure(run, problemMeasures({run}).front())); }},
        {"matrix", QT_TRANSLATE_NOOP("Figures", "Matrix learned by %1"),
         [](const ShownRun& run) { return hasSolutions(*run.record); },
         [](const ShownRun& run, int index) {
             return solutionFigure(run, latestWith(*run.record, index,
                                                   [](const PointRecord& point) { return point.solution != nullptr; }));
         }},
        {"embedding", QT_TRANSLATE_NOOP("Figures", "Embedding learned by %1"),
         [](const ShownRun& run) { return hasEmbeddings(*run.record); },
         [](const ShownRun& run, int index) {
             return Figure(embeddingFigure(run, latestWith(*run.record, index, [](const PointRecord& point) {
                                               return point.embedding != nullptr;
                                           })));
         }},
    };
    return figures;
}

const std::vector<LensFigure>& lensFigures() {
    static const std::vector<LensFigure> figures = {
        {"slice", QT_TRANSLATE_NOOP("Figures", "Balls that the bounds of %1 know the optimum to lie in"), hasRegions,
         sliceFrom},
        {"lifetimes", QT_TRANSLATE_NOOP("Figures", "For how long what %1 decides stays decided"), hasRegions,
         lifetimesFrom},
        {"ranges", QT_TRANSLATE_NOOP("Figures", "How much each reference of %1 decides along the path"), hasRegions,
         rangesFrom},
        {"plane", QT_TRANSLATE_NOOP("Figures", "Plane of two features: what %1 knows about every place"), hasPlane,
         planeFrom},
        {"arcs", QT_TRANSLATE_NOOP("Figures", "What is said about %2, and which of it %1 violates"), hasRelations,
         arcsFrom<ArcColours::Answers>, true},
        {"screened-arcs", QT_TRANSLATE_NOOP("Figures", "What is said about %2, and what of it %1 screened"),
         [](const RunRecord& record) { return hasRelations(record) && screens(record); },
         arcsFrom<ArcColours::Decisions>, true},
    };
    return figures;
}

} // namespace lambdascope
