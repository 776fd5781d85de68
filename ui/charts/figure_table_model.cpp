// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_table_model.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lambdascope {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

QString exact(double value) {
    return QString::fromStdString(exactText(value));
}

} // namespace

FigureTableModel::FigureTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void FigureTableModel::setFigure(const Figure& figure) {
    beginResetModel();
    m_header.clear();
    m_numbers.clear();
    m_texts.clear();
    m_rows = 0;
    m_numberColumns = 0;
    std::visit([this](const auto& kind) { build(kind); }, figure);
    endResetModel();
}

int FigureTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int FigureTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_header.size());
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const bool isNumber = index.column() < m_numberColumns;
    if (role == Qt::TextAlignmentRole) {
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    if (!isNumber) {
        const qsizetype columns = m_header.size() - m_numberColumns;
        return m_texts[index.row() * columns + index.column() - m_numberColumns];
    }
    const double value = m_numbers[qsizetype(index.row()) * m_numberColumns + index.column()];
    if (std::isnan(value)) {
        return {};
    }
    return role == Qt::EditRole ? QVariant(value) : QVariant(exact(value));
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (orientation == Qt::Vertical) {
        return section + 1;
    }
    return section >= 0 && section < m_header.size() ? QVariant(m_header[section]) : QVariant();
}

namespace {

/// A column of a table of curves: the values of a line or of an edge of its band.
struct TableColumn {
    QString name;
    QVector<QPointF> points;
};

QVector<TableColumn> tableColumns(const CurveFigure& figure) {
    QVector<TableColumn> columns;
    for (const Curve& curve : figure.curves) {
        if (!curve.visible) {
            continue;
        }
        columns.append({curve.name, curve.points});
        for (const bool isLow : {true, false}) {
            if (curve.band.isEmpty()) {
                continue;
            }
            TableColumn edge{QStringLiteral("%1, %2").arg(curve.name, bandEdgeName(curve, isLow)), {}};
            for (const BandPoint& point : curve.band) {
                edge.points.append({point.x, isLow ? point.low : point.high});
            }
            columns.append(edge);
        }
    }
    return columns;
}

} // namespace

void FigureTableModel::build(const CurveFigure& figure) {
    m_header << (figure.x.label().isEmpty() ? QStringLiteral("x") : figure.x.label());
    // The second part of the key tells repeated x values of one curve apart.
    std::map<std::pair<double, int>, QVector<double>> rows;
    const QVector<TableColumn> columns = tableColumns(figure);
    for (int column = 0; column < columns.size(); ++column) {
        m_header << columns[column].name;
        std::map<double, int> seen;
        for (const QPointF& point : columns[column].points) {
            if (std::isnan(point.x()) || std::isnan(point.y())) {
                continue;
            }
            QVector<double>& row = rows[{point.x(), seen[point.x()]++}];
            if (row.isEmpty()) {
                row.fill(kAbsent, columns.size());
            }
            row[column] = point.y();
        }
    }
    m_rows = int(rows.size());
    m_numberColumns = int(columns.size()) + 1;
    const auto append = [this](const auto& entry) {
        m_numbers << entry.first.first;
        m_numbers << entry.second;
    };
    if (figure.x.reversed) {
        std::for_each(rows.rbegin(), rows.rend(), append);
    } else {
        std::for_each(rows.begin(), rows.end(), append);
    }
}

void FigureTableModel::build(const HeatmapFigure& figure) {
    const QString corner = figure.y.label() + " \\ " + figure.x.label();
    const bool named = !figure.yNames.isEmpty();
    if (!named) {
        m_header << corner;
    }
    for (int column = 0; column < figure.columns(); ++column) {
        m_header << (figure.xNames.isEmpty() ? exact(figure.xValues[column]) : figure.xText(column));
    }
    m_rows = figure.rows();
    m_numberColumns = figure.columns() + (named ? 0 : 1);
    for (int row = m_rows - 1; row >= 0; --row) {
        if (!named) {
            m_numbers << figure.yValues[row];
        }
        for (int column = 0; column < figure.columns(); ++column) {
            m_numbers << figure.value(row, column);
        }
        if (named) {
            m_texts << figure.yText(row);
        }
    }
    if (named) {
        m_header << corner; // texts stand behind numbers
    }
}

void FigureTableModel::build(const ShapeFigure& figure) {
    m_header = figure.table.numberColumns + figure.table.textColumns;
    m_rows = figure.table.rows();
    m_numberColumns = int(figure.table.numberColumns.size());
    m_numbers = figure.table.numbers;
    m_texts = figure.table.texts;
}

void FigureTableModel::build(const CloudFigure& figure) {
    m_header << (figure.x.label().isEmpty() ? QStringLiteral("x") : figure.x.label());
    m_header << (figure.y.label().isEmpty() ? QStringLiteral("y") : figure.y.label());
    const bool hasShadows = !figure.shadows.isEmpty();
    if (hasShadows) {
        m_header << tr("%1, across").arg(figure.shadowsName) << tr("%1, upwards").arg(figure.shadowsName);
    }
    m_header << tr("class") << tr("point");
    m_rows = int(figure.points.size());
    m_numberColumns = hasShadows ? 4 : 2;
    for (int index = 0; index < m_rows; ++index) {
        m_numbers << double(figure.points[index].x) << double(figure.points[index].y);
        if (hasShadows) {
            const CloudPoint shadow = figure.shadows.value(index);
            m_numbers << double(shadow.x) << double(shadow.y);
        }
        const int group = figure.classes.value(index, 0);
        m_texts << figure.classNames.value(group, QString::number(group));
        m_texts << figure.pointLabels.value(index, QString::number(index));
    }
}

} // namespace lambdascope
