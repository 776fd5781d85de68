// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/figure_reopening.h"

#include "core/config/json_document.h"
#include "core/store/run_library.h"
#include "ui/charts/export_dialog.h"
#include "ui/charts/figure_view.h"
#include "ui/figures/study_figures.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/workbench.h"

#include <QCheckBox>
#include <QComboBox>

#include <algorithm>
#include <map>

namespace lambdascope {

namespace {

const QString studyView = QStringLiteral("study");

/// Says under which number the library keeps lanes.
void addKept(FigureOrigin::Lanes& lanes, RunId run, const RunLibrary& library) {
    const auto place = library.keptRun(run);
    const auto experiments = place ? library.experiments() : Result(std::vector<LibraryExperiment>());
    for (const LibraryExperiment& experiment : experiments ? *experiments : std::vector<LibraryExperiment>()) {
        if (std::any_of(experiment.runs.begin(), experiment.runs.end(),
                        [&](const LibraryRun& kept) { return kept.id == *place; })) {
            lanes.kept = experiment.id.value;
            lanes.createdAt = experiment.createdAt;
        }
    }
}

const char* const detailKey = "detail";

/// The choosers or tick boxes of the tab itself: not those inside of its charts.
template <class Widget>
std::vector<Widget*> choosersOf(const RunTab& tab) {
    std::vector<Widget*> own;
    for (Widget* widget : tab.findChildren<Widget*>()) {
        const QWidget* above = widget;
        while (above != &tab && qobject_cast<const FigureView*>(above) == nullptr) {
            above = above->parentWidget();
        }
        if (above == &tab && !widget->accessibleName().isEmpty()) {
            own.push_back(widget);
        }
    }
    return own;
}

void choose(QComboBox& chooser, const QString& words) {
    // What a chooser says, else what stands for it: names of measures outlive their words.
    const int byWords = chooser.findText(words);
    const int index = byWords >= 0 ? byWords : chooser.findData(words);
    if (index >= 0 && index != chooser.currentIndex()) {
        chooser.setCurrentIndex(index);
        Q_EMIT chooser.activated(index); // as if by hand
    }
}

/// What is chosen in a tab: an object of its choosers and tick boxes by their accessible names, with the words that are
/// chosen, and "detail" for what no chooser tells.
Json tabState(const RunTab& tab) {
    Json state = Json::object();
    for (const QComboBox* chooser : choosersOf<QComboBox>(tab)) {
        if (chooser->isVisibleTo(&tab) && chooser->currentIndex() >= 0) {
            state[chooser->accessibleName().toStdString()] = chooser->currentText().toStdString();
        }
    }
    for (const QCheckBox* box : choosersOf<QCheckBox>(tab)) {
        state[box->accessibleName().toStdString()] = box->isChecked();
    }
    if (Json detail = tab.detail(); !detail.isNull()) {
        state[detailKey] = std::move(detail);
    }
    return state;
}

/// Chooses the same again, as far as it is offered; of a damaged state what can be read.
void restoreTab(RunTab& tab, const Json& state) {
    tab.refreshNow();
    if (!state.isObject()) {
        return;
    }
    for (const JsonMember& member : state.items()) {
        const QString name = QString::fromStdString(member.key);
        for (QComboBox* chooser : choosersOf<QComboBox>(tab)) {
            if (chooser->accessibleName() == name && member.value.isText()) {
                choose(*chooser, QString::fromStdString(member.value.text()));
                tab.refreshNow(); // what others offer may depend on it
            }
        }
        for (QCheckBox* box : choosersOf<QCheckBox>(tab)) {
            if (box->accessibleName() == name && member.value.isBoolean()) {
                box->setChecked(member.value.get<bool>());
            }
        }
    }
    try {
        if (state.contains(detailKey)) {
            tab.restoreDetail(state.at(detailKey));
        }
    } catch (const JsonError&) { // then without it
    }
}

} // namespace

FigureReopening::FigureReopening(Workbench& workbench, ViewStage& stage, std::function<ExportPanel&()> panel,
                                 QObject* parent)
    : QObject(parent), m_workbench(workbench), m_stage(stage), m_panel(std::move(panel)) {
    for (const ViewSpec& view : stage.views()) {
        connect(
            view.tab, &RunTab::exportOpened, this,
            [this, tab = view.tab](const FigureView* chart, ExportDialog* dialog) { prepare(tab, chart, *dialog); });
    }
    connect(&workbench, &Workbench::figureReopened, this, &FigureReopening::show);
}

FigureOrigin FigureReopening::shownNow() const {
    FigureOrigin origin;
    const RunCollection& runs = m_workbench.runs();
    std::map<int, FigureOrigin::Lanes> batches;
    for (const ShownRun& run : shownRuns(runs)) {
        const RunId id = run.record->id();
        FigureOrigin::Lanes& lanes = batches[runs.display(id).batch];
        if (lanes.lanes.isEmpty()) {
            lanes.experiment = run.record->start().experiment;
            lanes.folder = QString::fromStdString(runs.display(id).folder.string());
            if (const auto library = m_workbench.controller().library()) {
                addKept(lanes, id, *library);
            }
        }
        lanes.lanes << QString::fromStdString(run.record->start().laneName);
        lanes.names << runs.display(id).name;
    }
    for (auto& [batch, lanes] : batches) {
        origin.runs.push_back(std::move(lanes));
    }
    origin.point = m_workbench.cursor().index();
    return origin;
}

FigureOrigin::View FigureReopening::viewOf(const RunTab* tab, const FigureView* chart) const {
    const std::vector<FigureView*> charts = tab->charts();
    const auto place = std::find(charts.begin(), charts.end(), chart);
    for (const ViewSpec& spec : m_stage.views()) {
        if (spec.tab == tab && place != charts.end()) {
            return {spec.id, tabState(*tab), static_cast<int>(place - charts.begin()), lookOf(*chart)};
        }
    }
    return {};
}

FigureOrigin::View FigureReopening::viewOfPanel(const QString& name) const {
    const QString title = ExportPanel::drawnTitle(name);
    if (title.isEmpty()) {
        return viewOfFigure(name);
    }
    for (const ViewSpec& spec : m_stage.views()) {
        for (const FigureView* chart : spec.tab->computedCharts()) {
            if (chart->accessibleName() == title) {
                return viewOf(spec.tab, chart);
            }
        }
    }
    return {};
}

std::optional<Figure> FigureReopening::figureCalled(const QString& name) const {
    const StudyResults* results = m_workbench.study().results();
    const QString called = studyFigureOfPanel(name);
    const auto panels = results == nullptr || called.isEmpty() ? Result<QList<Figure>>(QList<Figure>())
                                                               : studyFiguresCalled(*results, called);
    const int number = studyPanelNumber(name);
    return panels && number >= 0 && number < panels->size() ? std::optional(panels->at(number)) : std::nullopt;
}

void FigureReopening::addStudy(FigureOrigin& origin) const {
    const auto isOfStudy = [](const FigureOrigin::View& view) { return view.id == studyView; };
    if (std::none_of(origin.views.begin(), origin.views.end(), isOfStudy)) {
        return;
    }
    origin.studyFolder = m_workbench.study().folder();
    const auto document = readJsonDocument((origin.studyFolder + '/' + layout::kStudyFile).toStdString());
    origin.study = document ? document->value : Json();
    if (std::all_of(origin.views.begin(), origin.views.end(), isOfStudy)) {
        origin.runs.clear(); // whatever else is shown
    }
}

void FigureReopening::prepare(const RunTab* tab, const FigureView* chart, ExportDialog& dialog) const {
    FigureOrigin origin = shownNow();
    origin.views.push_back(viewOf(tab, chart));
    addStudy(origin);
    const bool isOfLast = m_shown.style && m_shown.panels.isEmpty() && m_shown.views.size() == 1 &&
                          m_shown.views.front().id == origin.views.front().id &&
                          m_shown.views.front().chart == origin.views.front().chart;
    if (isOfLast) {
        dialog.setStyle(*m_shown.style);
    }
    dialog.setRecipe([origin](const FigureStyle& style) {
        FigureOrigin styled = origin;
        styled.style = style;
        return recipeText(styled);
    });
}

FigureRecipes FigureReopening::recipes() const {
    return [this](const QStringList& panels, int columns, const FigureStyle& style) {
        FigureOrigin origin = shownNow();
        origin.panels = panels;
        origin.columns = columns;
        origin.style = style;
        for (const QString& name : panels) {
            origin.views.push_back(viewOfPanel(name));
        }
        addStudy(origin);
        return recipeText(origin);
    };
}

void FigureReopening::show(const FigureOrigin& origin) {
    m_shown = origin;
    std::vector<FigureOrigin::View>& views = m_shown.views;
    if (views.empty()) { // it was drawn without a window
        std::transform(origin.panels.begin(), origin.panels.end(), std::back_inserter(views), viewOfFigure);
    }
    std::erase_if(views, [](const FigureOrigin::View& view) { return view.id.isEmpty(); });
    if (origin.point >= 0) {
        m_workbench.cursor().moveTo(origin.point);
    }
    m_stage.refreshNow(); // offers what these runs fill
    if (!views.empty()) {
        const QString first = views.front().id;
        m_stage.choose(first);
        const auto other =
            std::find_if(views.begin(), views.end(), [&](const FigureOrigin::View& view) { return view.id != first; });
        if (other != views.end()) {
            m_stage.setBeside(other->id);
        }
    }
    QStringList restored; // of a page with several figures of one view it shows the first
    for (const FigureOrigin::View& view : views) {
        for (const ViewSpec& spec : m_stage.views()) {
            if (spec.id != view.id) {
                continue;
            }
            if (!restored.contains(view.id)) {
                restored << view.id;
                restoreTab(*spec.tab, view.state);
            }
            const std::vector<FigureView*> charts = spec.tab->charts();
            if (view.chart >= 0 && view.chart < static_cast<int>(charts.size())) {
                restoreLook(*charts[static_cast<std::size_t>(view.chart)], view.look);
            }
        }
    }
    if (!origin.panels.isEmpty()) {
        m_panel().setPage(origin.panels, origin.columns, origin.style.value_or(FigureStyle()));
        if (origin.panels.size() > 1) {
            m_panel().show();
        }
    }
}

} // namespace lambdascope
