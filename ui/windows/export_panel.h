// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure_writer.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QDialog>

#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace lambdascope {

/// A figure on the screen that no run keeps.
struct DrawnFigure {
    QString title; ///< of the chart: "Plane of two features at the cursor"
    Figure figure;
};

/// Exports figures of the ticked runs, sized for print. Not modal: stays open beside the window, and says in itself
/// what was written or what went wrong.
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
    [[nodiscard]] static QString drawnName(std::size_t index);
    [[nodiscard]] const DrawnFigure* drawnFigure() const; ///< the chosen one; null when the runs give the figure

    RunCollection& m_runs;
    PathCursor& m_cursor;
    std::function<std::vector<DrawnFigure>()> m_supplier;
    std::vector<DrawnFigure> m_drawn;
    QComboBox* m_figure;
    QComboBox* m_size;
    QComboBox* m_format;
    QCheckBox* m_dark;
    QCheckBox* m_title;
    QPushButton* m_export;
    QPushButton* m_exportAll;
    QLabel* m_message;
};

} // namespace lambdascope
