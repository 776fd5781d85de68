// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <QAbstractTableModel>

namespace lambdascope {

/// The values of a figure as a table, exact. Curves: one row per x value, one column per visible curve (x values in
/// the order of the axis; a repeated x gives further rows). Heatmap: one row per cell row, top row first, one column
/// per x value. Cloud: one row per point with x, y, class and label. Shapes: their table.
class FigureTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit FigureTableModel(QObject* parent = nullptr);

    void setFigure(const Figure& figure);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// DisplayRole: text that reads back exactly; EditRole: the number, or an invalid value for an absent one.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void build(const CurveFigure& figure);
    void build(const HeatmapFigure& figure);
    void build(const CloudFigure& figure);
    void build(const ShapeFigure& figure);

    QStringList m_header;
    int m_rows = 0;
    int m_numberColumns = 0;   ///< columns with numbers; text columns follow
    QVector<double> m_numbers; ///< row-major; NaN: no value there
    QVector<QString> m_texts;  ///< row-major, of the text columns
};

} // namespace lambdascope
