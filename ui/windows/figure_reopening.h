// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_export.h"
#include "ui/figures/figure_origin.h"

#include <QObject>

#include <functional>

namespace lambdascope {

class ExportDialog;
class ExportPanel;
class FigureView;
class RunTab;
class ViewStage;
class Workbench;

/// Gives exported figures the recipe by which they come back (ui/figures/figure_origin.h), and brings the window back
/// to what such a recipe says: view, choosers, place on the path, and what is exported next.
class FigureReopening : public QObject {
    Q_OBJECT

  public:
    /// All must outlive it; `panel` makes the window for exporting when it is first asked for.
    FigureReopening(Workbench& workbench, ViewStage& stage, std::function<ExportPanel&()> panel, QObject* parent);

    /// For the window for exporting.
    [[nodiscard]] FigureRecipes recipes() const;
    /// A figure of the study that is open, by the name that it has on a page; nothing for other names.
    [[nodiscard]] std::optional<Figure> figureCalled(const QString& name) const;

  private:
    [[nodiscard]] FigureOrigin shownNow() const; ///< runs and place on the path
    [[nodiscard]] FigureOrigin::View viewOf(const RunTab* tab, const FigureView* chart) const;
    [[nodiscard]] FigureOrigin::View viewOfPanel(const QString& name) const;
    void addStudy(FigureOrigin& origin) const; ///< when a view is of it
    void prepare(const RunTab* tab, const FigureView* chart, ExportDialog& dialog) const;
    void show(const FigureOrigin& origin);

    Workbench& m_workbench;
    ViewStage& m_stage;
    std::function<ExportPanel&()> m_panel;
    FigureOrigin m_shown; ///< last: in its style its chart is exported next
};

} // namespace lambdascope
