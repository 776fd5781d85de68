// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/window_views.h"

#include "ui/charts/figure_view.h"
#include "ui/figures/measure_figures.h"
#include "ui/panels/views/bounds_tab.h"
#include "ui/panels/views/convergence_tab.h"
#include "ui/panels/views/cost_tab.h"
#include "ui/panels/views/embedding_tab.h"
#include "ui/panels/views/heatmap_tab.h"
#include "ui/panels/views/paper_tab.h"
#include "ui/panels/views/path_chart.h"
#include "ui/panels/views/plane_tab.h"
#include "ui/panels/views/problems_tab.h"
#include "ui/panels/views/race_tab.h"
#include "ui/panels/views/solution_tab.h"
#include "ui/panels/views/study_tab.h"
#include "ui/panels/views/totals_tab.h"
#include "ui/session/study/study_session.h"

#include <QCoreApplication>

#include <algorithm>

namespace lambdascope {

namespace {

using Runs = std::vector<ShownRun>;

QString viewText(const char* source) {
    return QCoreApplication::translate("Views", source);
}

/// Fits when a run does.
template <class Test>
std::function<bool(const Runs&)> whenAny(Test test) {
    return [test](const Runs& runs) {
        return std::any_of(runs.begin(), runs.end(), [&test](const ShownRun& run) { return test(*run.record); });
    };
}

bool anyPointHasSolution(const RunRecord& record) {
    return std::any_of(record.points().begin(), record.points().end(),
                       [](const PointRecord& point) { return point.solution != nullptr; });
}

/// The first chart of a tab that is cheap to draw, seen or not.
std::function<Figure(const Runs&, int)> firstChartOf(RunTab* tab) {
    return [tab](const Runs&, int) {
        tab->refreshNow();
        return tab->charts().empty() ? Figure(CurveFigure()) : tab->charts().front()->figure();
    };
}

} // namespace

std::vector<ViewSpec> windowViews(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, StudySession& study) {
    using Kind = PathChart::Kind;
    const auto alongPath = [&](Kind kind, const char* id, Question question, const QString& title) {
        auto* tab = new PathChart(kind, runs, cursor);
        return ViewSpec{QString::fromLatin1(id),
                        question,
                        title,
                        tab,
                        [kind](const Runs& shown) { return PathChart::fits(kind, shown); },
                        firstChartOf(tab)};
    };
    auto* heatmaps = new HeatmapTab(runs, cursor);
    auto* problems = new ProblemsTab(runs, cursor);
    auto* cost = new CostTab(runs, cursor);
    auto* totals = new TotalsTab(runs, cursor);
    auto* race = new RaceTab(runs, cursor);
    auto* map = new EmbeddingTab(runs, cursor, lens);
    auto* solution = new SolutionTab(runs, cursor);
    auto* bounds = new BoundsTab(runs, cursor, lens);
    auto* studied = new StudyTab(runs, cursor, study);
    return {
        alongPath(Kind::Rates, "rates", Question::Screened, viewText("Rate")),
        alongPath(Kind::Items, "items", Question::Screened, viewText("Items left")),
        {QStringLiteral("heatmap"), Question::Screened, viewText("Each check"), heatmaps,
         whenAny([](const RunRecord& record) {
             return hasChecks(record) || (!record.hasEnded() && !record.start().itemNoun.empty());
         }),
         firstChartOf(heatmaps)},
        {QStringLiteral("problems"), Question::Screened, viewText("Each problem"), problems, whenAny(hasProblems),
         firstChartOf(problems)},
        alongPath(Kind::Times, "times", Question::Saved, viewText("CPU time")),
        {QStringLiteral("totals"), Question::Saved, viewText("Totals"), totals,
         whenAny([](const RunRecord& record) { return record.finishedPointCount() > 0; }), firstChartOf(totals)},
        {QStringLiteral("cost"), Question::Saved, viewText("What it goes to"), cost,
         whenAny([](const RunRecord& record) { return record.finishedPointCount() > 0; }), firstChartOf(cost)},
        {QStringLiteral("race"), Question::Saved, viewText("Race"), race,
         [](const Runs& shown) { return !measuresOf(shown).empty(); }, firstChartOf(race)},
        {QStringLiteral("paper"),
         Question::Saved,
         viewText("Theirs and ours"),
         new PaperTab(runs, cursor),
         PaperTab::fits,
         {},
         false,
         PaperTab::summary},
        {QStringLiteral("map"), Question::Learned, viewText("Map"), map,
         whenAny([](const RunRecord& record) { return hasEmbeddings(record); }), firstChartOf(map)},
        alongPath(Kind::Quality, "quality", Question::Learned, viewText("Quality")),
        {QStringLiteral("plane"),
         Question::Learned,
         viewText("Plane"),
         new PlaneTab(runs, cursor, lens),
         whenAny([](const RunRecord& record) { return record.start().hasPlane; }),
         {},
         true,
         [](const Runs&) { return viewText("The data in the plane, drawn with a click"); }},
        {QStringLiteral("solution"), Question::Learned, viewText("Solution"), solution, whenAny(anyPointHasSolution),
         firstChartOf(solution)},
        {QStringLiteral("study"), Question::Learned, viewText("Study"), studied,
         [&study](const Runs&) { return study.results() != nullptr; }, firstChartOf(studied)},
        {QStringLiteral("bounds"), Question::Safe, viewText("Bounds and ranges"), bounds,
         whenAny([](const RunRecord& record) { return hasRegions(record) && !record.start().itemNoun.empty(); }),
         [bounds](const Runs& shown, int) { // the balls take time: until somebody looks, how large they are
             const Figure drawn = bounds->charts().empty() ? Figure(CurveFigure()) : bounds->charts().front()->figure();
             return isEmpty(drawn) ? Figure(radiusFigure(shown)) : drawn;
         },
         true},
        {QStringLiteral("convergence"),
         Question::Converged,
         viewText("By iteration"),
         new ConvergenceTab(runs, cursor),
         {},
         [](const Runs& shown, int point) -> Figure {
             CurveFigure within = convergenceFigure(shown, point);
             const bool isEmptyWithin = isEmpty(Figure(within));
             return isEmptyWithin ? iterationsFigure(shown) : within;
         }},
    };
}

} // namespace lambdascope
