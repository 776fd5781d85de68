// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_writer.h"

#include <QDialog>

#include <functional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lambdascope {

/// Asks for format, size and file of a figure, shows what will be written, and writes it. What goes wrong is said
/// inside of the dialog, which then stays open. The last choices are remembered in the settings.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(Figure figure, QWidget* parent);
    ~ExportDialog() override;

    [[nodiscard]] FigureStyle style() const;
    [[nodiscard]] QString path() const;
    void setPath(const QString& path);
    /// The size and look that the choosers begin with.
    void setStyle(const FigureStyle& style);
    /// What gives the recipe of the file, in place of that of the figure.
    void setRecipe(std::function<QByteArray(const FigureStyle& style)> recipe) { m_recipe = std::move(recipe); }

  signals:
    void exported(const QString& path);

  private:
    void choosePreset(int index);
    void takeSize(const FigureStyle& style);
    void chooseFormat(int index);
    void browse();
    void write();
    void showPreview();

    Figure m_figure;
    std::function<QByteArray(const FigureStyle& style)> m_recipe;
    QComboBox* m_preset = nullptr;
    QComboBox* m_format = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QDoubleSpinBox* m_height = nullptr;
    QDoubleSpinBox* m_font = nullptr;
    QDoubleSpinBox* m_dpi = nullptr;
    QCheckBox* m_dark = nullptr;
    QCheckBox* m_title = nullptr;
    QLineEdit* m_path = nullptr;
    QLabel* m_preview = nullptr;
    QLabel* m_fault = nullptr;
    QPushButton* m_save = nullptr;
    double m_lineScale = 1;
};

} // namespace lambdascope
