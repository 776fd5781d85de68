// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/settings.h"
#include "ui/windows/action_registry.h"
#include "ui/windows/close_guard.h"

#include <QMainWindow>

#include <optional>

class QDockWidget;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace lambdascope {

class CertificatePanel;
class CommandPalette;
class CursorBar;
class DataPage;
class ExperimentForm;
class ExportPanel;
class FamilyLayouts;
class FigureReopening;
class FirstCaptions;
class HeadlineBar;
class InfoSheet;
class InspectorPanel;
class LaneChips;
class NoticeBar;
class PaintPage;
class ProgressWidget;
class RegionKeys;
class RunTab;
class RunsPanel;
class StatusLine;
class StudyParts;
class ThemeSwitch;
class ViewStage;
class WelcomePage;
class WindowMenus;
class Workbench;

/// The window: form, runs and log as drawers on the left, in the centre what was found, lanes, one large chart and the
/// small multiples of all questions, details on the right. Puts the panels together and
/// connects commands with the workbench; all work is done there.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `workbench` must outlive the window.
    explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] ActionRegistry& actions() { return m_actions; }
    [[nodiscard]] ExperimentForm& form() const { return *m_form; }
    [[nodiscard]] NoticeBar& notices() const { return *m_notices; }
    [[nodiscard]] InspectorPanel& inspector() const { return *m_inspector; }
    [[nodiscard]] RunsPanel& runsPanel() const { return *m_runsPanel; }
    [[nodiscard]] StudyParts& study() const { return *m_study; }
    [[nodiscard]] HeadlineBar& headline() const { return *m_headline; }
    [[nodiscard]] LaneChips& chips() const { return *m_chips; }
    [[nodiscard]] CursorBar& cursorBar() const { return *m_cursorBar; }
    [[nodiscard]] InfoSheet& infoSheet() const { return *m_infoSheet; }
    [[nodiscard]] const std::vector<RunTab*>& tabs() const { return m_tabs; }
    [[nodiscard]] ViewStage& stage() const { return *m_stage; }
    /// One chart with all the room there is.
    [[nodiscard]] bool isEnlarged() const { return m_isEnlarged; }
    /// `tab`: that of the chart; null for the large one.
    void setEnlarged(bool enlarged, const RunTab* tab = nullptr);
    [[nodiscard]] bool showsWelcome() const;
    [[nodiscard]] bool showsData() const;
    [[nodiscard]] DataPage* dataPage() const { return m_data; } ///< null before it was shown
    [[nodiscard]] ExportPanel& exportPanel();                   ///< made when first asked for
    /// Asks for a certificate of a run, or of all lanes of the experiment shown last.
    CertificatePanel* askForCertificate(std::optional<RunId> run = std::nullopt);
    [[nodiscard]] CommandPalette& commandPalette() const { return *m_palette; }
    /// Points at the parts of the window with captions, the first time in a user's life.
    void showCaptions();
    [[nodiscard]] FirstCaptions& captions() const { return *m_captions; }

    /// How the close question is answered; tests put their own. Default: a message box.
    void setCloseQuestion(std::function<CloseAnswer()> ask) { m_closeQuestion = std::move(ask); }

    void showWelcome(bool shown);
    /// What the data of the experiment are, in place of the charts.
    void showData(bool shown);
    /// Why there is nothing to be seen, in place of charts that are all empty; not while runs are shown.
    void showTrouble(const QString& words);
    [[nodiscard]] QString trouble() const;
    /// Its rows in the plane, to be edited, in place of the charts.
    void showPaint(bool shown);
    /// An empty set in a new experiment, to be painted there.
    void startPainting();
    [[nodiscard]] PaintPage* paintPage() const { return m_paint; } ///< null before it was shown
    void resetLayout();
    void saveLayout();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void buildCentre();
    void buildDocks();
    void buildToolBar(const WindowMenus& menus);
    void connectCommands();
    void connectViewCommands();
    void connectRunCommands();
    void connectWorkbench();
    void connectRunsPanel();
    void restoreLayout();
    void takeFirstSize();
    void sizeDocks();
    void refreshRunCommands();
    void refreshTitle();
    void refreshSwatches();
    void refreshRemark();
    void showExport(bool all);
    void showPage(QWidget* page);
    void openPalette();
    QAction* on(const QString& id, std::function<void()> act);

    Workbench& m_workbench;
    ActionRegistry m_actions;
    std::function<CloseAnswer()> m_closeQuestion;
    CloseGuard* m_closeGuard;
    QStackedWidget* m_centre = nullptr;
    QWidget* m_charts = nullptr;
    NoticeBar* m_notices = nullptr;
    WelcomePage* m_welcome = nullptr; ///< made when first shown
    DataPage* m_data = nullptr;       ///< likewise
    PaintPage* m_paint = nullptr;     ///< likewise
    ViewStage* m_stage = nullptr;
    std::vector<RunTab*> m_tabs;
    HeadlineBar* m_headline = nullptr;
    LaneChips* m_chips = nullptr;
    CursorBar* m_cursorBar = nullptr;
    QLabel* m_trouble = nullptr;
    ExperimentForm* m_form = nullptr;
    InspectorPanel* m_inspector = nullptr;
    RunsPanel* m_runsPanel = nullptr;
    QTabWidget* m_bottomTabs = nullptr;
    QDockWidget* m_experimentDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_runsDock = nullptr;
    ProgressWidget* m_progress = nullptr;
    StatusLine* m_status = nullptr;
    StudyParts* m_study = nullptr;
    InfoSheet* m_infoSheet = nullptr;
    ExportPanel* m_export = nullptr;
    CertificatePanel* m_certificate = nullptr;
    CommandPalette* m_palette = nullptr;
    FamilyLayouts* m_layouts = nullptr;
    FirstCaptions* m_captions = nullptr;
    RegionKeys* m_regions = nullptr;
    FigureReopening* m_reopening = nullptr;
    QByteArray m_firstLayout;
    std::vector<QDockWidget*> m_foldedDocks; ///< while a chart is enlarged
    bool m_isEnlarged = false;
    bool m_offersPaper = true; ///< until somebody closes what stands beside the large view
    bool m_isClosing = false;
};

} // namespace lambdascope
