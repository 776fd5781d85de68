// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure_writer.h"
#include "ui/session/path_cursor.h"
#include "ui/session/run_collection.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace lambdascope {

/// Exports figures of the ticked runs, sized for print. Not modal: stays open beside the window, and says in itself
/// what was written or what went wrong.
class ExportPanel : public QDialog {
    Q_OBJECT

  public:
    ExportPanel(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    /// Lists the figures there are now; keeps the choice.
    void refresh();
    void chooseFigure(const QString& name);

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

    RunCollection& m_runs;
    PathCursor& m_cursor;
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
