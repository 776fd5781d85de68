// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/path_table_model.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

std::string cellText(const ColumnDescription& column, double value, bool isExact) {
    if (std::isnan(value)) {
        return {}; // not measured
    }
    if (column.isInteger) {
        return isExact ? exactText(value) : groupedText(static_cast<std::int64_t>(value));
    }
    return isExact ? exactText(value) : shortText(value, 6);
}

} // namespace

PathTableModel::PathTableModel(RunCollection& runs, QObject* parent) : QAbstractTableModel(parent), m_runs(runs) {
    const auto concerns = [this](const std::vector<RunId>& ids) {
        return m_run && std::find(ids.begin(), ids.end(), *m_run) != ids.end();
    };
    connect(&runs, &RunCollection::runsUpdated, this, [this, concerns](const std::vector<RunId>& ids) {
        if (concerns(ids)) {
            sync();
        }
    });
    connect(&runs, &RunCollection::runsRemoved, this, [this, concerns](const std::vector<RunId>& ids) {
        if (concerns(ids)) {
            setRun(std::nullopt);
        }
    });
}

void PathTableModel::setRun(std::optional<RunId> id) {
    beginResetModel();
    m_run = id;
    m_record = id ? m_runs.sharedRecord(*id) : nullptr;
    m_shownRows = m_record ? static_cast<int>(m_record->finishedPointCount()) : 0;
    endResetModel();
}

void PathTableModel::sync() {
    const int rows = static_cast<int>(m_record->finishedPointCount());
    if (rows > m_shownRows) {
        beginInsertRows({}, m_shownRows, rows - 1);
        m_shownRows = rows;
        endInsertRows();
    }
}

int PathTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_shownRows;
}

int PathTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_record ? 0 : static_cast<int>(m_record->start().columns.size());
}

QVariant PathTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto column = static_cast<std::size_t>(index.column());
    const PointRecord& point = m_record->points()[static_cast<std::size_t>(index.row())];
    if (column >= point.values.size()) {
        return {};
    }
    const double value = point.values[column];
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(cellText(m_record->start().columns[column], value, false));
    case Qt::ToolTipRole: return QString::fromStdString(cellText(m_record->start().columns[column], value, true));
    case Qt::EditRole: return value;
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant PathTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_record || section < 0 || section >= columnCount()) {
        return {};
    }
    const ColumnDescription& column = m_record->start().columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        const QString label = QString::fromStdString(column.label);
        return column.unit.empty() ? label : label + " (" + QString::fromStdString(column.unit) + ")";
    }
    return role == Qt::ToolTipRole ? QVariant(QString::fromStdString(column.key)) : QVariant();
}

QString PathTableModel::csv() const {
    if (!m_record) {
        return {};
    }
    const auto& columns = m_record->start().columns;
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        text += (i == 0 ? "" : ",") + columns[i].key;
    }
    text += '\n';
    for (int row = 0; row < m_shownRows; ++row) {
        const auto& values = m_record->points()[static_cast<std::size_t>(row)].values;
        for (std::size_t i = 0; i < columns.size() && i < values.size(); ++i) {
            text += (i == 0 ? "" : ",") + cellText(columns[i], values[i], true);
        }
        text += '\n';
    }
    return QString::fromStdString(text);
}

} // namespace lambdascope
