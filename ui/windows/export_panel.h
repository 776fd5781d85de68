// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure_sheet.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
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
    void setDrawn(std::function<std::vector<DrawnFigure>()> supplier);
    /// Chooses the figure drawn under that title, if there is one.
    void chooseTitle(const QString& title);

    [[nodiscard]] QString figureName() const;
    [[nodiscard]] QString ending() const; ///< "pdf", …
    [[nodiscard]] FigureStyle style() const;
    /// The chosen figure, or the panels that were put together.
    [[nodiscard]] Result<FigureSheet> sheet() const;
    /// Makes the chosen figure the next panel of the page.
    void addPanel();
    [[nodiscard]] int panelCount() const;

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
    void buildSize(QFormLayout& form);
    void buildPanels(QFormLayout& form);
    void choosePreset();
    void fitHeight(); ///< to the shape of the preset
    void showPreview();
    [[nodiscard]] static QString drawnName(std::size_t index);
    /// The one called so; null when the runs give the figure.
    [[nodiscard]] const DrawnFigure* drawnFigure(const QString& name) const;
    [[nodiscard]] Result<Figure> figureCalled(const QString& name) const;
    [[nodiscard]] QStringList panelNames() const;

    RunCollection& m_runs;
    PathCursor& m_cursor;
    std::function<std::vector<DrawnFigure>()> m_supplier;
    std::vector<DrawnFigure> m_drawn;
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
