// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure_sheet.h"
#include "ui/figures/figure_export.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFileDialog;
class QFormLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace lambdascope {

/// A figure on the screen that no run keeps.
struct DrawnFigure {
    QString title; ///< of the chart: "Plane of two features at the cursor"
    Figure figure;
};

/// Exports figures of the ticked runs, sized for print: one, or several as panels a, b, c of a page. A preview shows
/// what the file will hold. Not modal: stays open beside the window, and says in itself what was written or what went
/// wrong.
class ExportPanel : public QDialog {
    Q_OBJECT

  public:
    ExportPanel(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    /// Lists the figures there are now; keeps the choice.
    void refresh();
    void chooseFigure(const QString& name);
    /// What gives the figures on the screen that no run keeps; they are offered as they are drawn.
    void setDrawn(std::function<std::vector<DrawnFigure>()> supplier) { m_supplier = std::move(supplier); }
    /// What gives figures by name that neither runs nor the screen have.
    void setCalled(std::function<std::optional<Figure>(const QString& name)> called) { m_called = std::move(called); }
    /// Chooses the figure drawn under that title, if there is one.
    void chooseTitle(const QString& title) { chooseFigure(drawnName(title)); }

    [[nodiscard]] QString figureName() const;
    [[nodiscard]] QString ending() const; ///< "pdf", …
    [[nodiscard]] FigureStyle style() const;
    /// The chosen figure, or the panels that were put together.
    [[nodiscard]] Result<FigureSheet> sheet();
    /// Makes the chosen figure the next panel of the page.
    void addPanel();
    [[nodiscard]] int panelCount() const;
    /// Puts a page together: one figure, or several as panels, of that size and look. Figures that are drawn later are
    /// taken when they are there.
    void setPage(const QStringList& names, int columns, const FigureStyle& style);
    /// The names of the figures on the page, as setPage() takes them.
    [[nodiscard]] QStringList panelNames() const;
    /// The name of a chart on the screen, by its title.
    [[nodiscard]] static QString drawnName(const QString& title) { return QStringLiteral("drawn:") + title; }
    /// The title of the chart that a name stands for; empty when runs give the figure.
    [[nodiscard]] static QString drawnTitle(const QString& name);
    /// What gives the recipes of the files, in place of those of the figures.
    void setRecipes(FigureRecipes recipes) { m_recipes = std::move(recipes); }

    Result<void> exportTo(const QString& path);
    Result<void> exportAllTo(const QString& folder);
    [[nodiscard]] QString message() const;

  public Q_SLOTS:
    void askForFile();
    void askForFolder();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void say(const QString& message);
    /// A dialog for a file or folder that gives what was chosen to `take`.
    QFileDialog* askFor(const QString& title, const std::function<void(const QString&)>& take);
    void buildSize(QFormLayout& form);
    void buildPanels(QFormLayout& form);
    void choosePreset();
    void fitHeight(); ///< to the shape of the preset
    void showPreview();
    [[nodiscard]] static QString drawnText(const QString& title) { return tr("As drawn: %1").arg(title); }
    /// The one called so; null when the runs give the figure.
    [[nodiscard]] const DrawnFigure* drawnFigure(const QString& name) const;
    [[nodiscard]] Result<Figure> figureCalled(const QString& name) const;

    RunCollection& m_runs;
    PathCursor& m_cursor;
    std::function<std::vector<DrawnFigure>()> m_supplier;
    std::function<std::optional<Figure>(const QString& name)> m_called;
    FigureRecipes m_recipes;
    std::vector<DrawnFigure> m_drawn;
    QString m_wanted; ///< name of the figure to be chosen when it is there
    QComboBox* m_figure;
    QListWidget* m_panels;
    QSpinBox* m_columns;
    QComboBox* m_size;
    QDoubleSpinBox* m_width;
    QDoubleSpinBox* m_height;
    QDoubleSpinBox* m_font;
    QComboBox* m_format;
    QComboBox* m_colours;
    QCheckBox* m_title;
    QPushButton* m_export;
    QPushButton* m_exportAll;
    QLabel* m_message;
    QLabel* m_preview;
    QTimer m_rest; ///< choices that follow each other are drawn once
};

} // namespace lambdascope
