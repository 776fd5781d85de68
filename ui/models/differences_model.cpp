// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/differences_model.h"

#include "ui/session/runs/setting_differences.h"
#include "ui/session/runs/shown_runs.h"

#include <algorithm>

namespace lambdascope {

DifferencesModel::DifferencesModel(RunCollection& runs, QObject* parent) : QAbstractTableModel(parent), m_runs(runs) {
    connect(&runs, &RunCollection::runsAdded, this, &DifferencesModel::reload);
    connect(&runs, &RunCollection::runsRemoved, this, &DifferencesModel::reload);
    connect(&runs, &RunCollection::visibilityChanged, this, &DifferencesModel::reload);
    connect(&runs, &RunCollection::renamed, this, &DifferencesModel::reload);
    reload();
}

void DifferencesModel::reload() {
    const std::vector<RunId> shown = m_runs.shownIds();
    std::vector<const LaneSettings*> settings;
    for (const RunId id : shown) {
        settings.push_back(&m_runs.settings(id));
    }
    const std::vector<SettingDifference> differences = settingDifferences(settings);
    // Columns: the first lane with each combination of values, named with all that have it.
    std::vector<std::size_t> first;
    QStringList lanes;
    for (std::size_t lane = 0; lane < shown.size() && !differences.empty(); ++lane) {
        const auto same = std::find_if(first.begin(), first.end(), [&](std::size_t other) {
            return std::all_of(differences.begin(), differences.end(), [&](const SettingDifference& difference) {
                return difference.values[other] == difference.values[lane];
            });
        });
        const QString name = runLabel(m_runs, shown[lane]);
        if (same == first.end()) {
            first.push_back(lane);
            lanes << name;
        } else {
            lanes[same - first.begin()] += QStringLiteral(", ") + name;
        }
    }
    std::vector<Row> rows;
    for (const SettingDifference& difference : differences) {
        Row row{QString::fromStdString(difference.key), {}, {}};
        for (const std::size_t lane : first) {
            row.values << settingValue(difference.values[lane]);
            row.shown << (difference.key == "data.edits" ? briefSetting(difference.key, difference.values[lane])
                                                         : row.values.back());
        }
        rows.push_back(std::move(row));
    }
    if (rows != m_rows || lanes != m_lanes) {
        beginResetModel();
        m_rows = std::move(rows);
        m_lanes = std::move(lanes);
        endResetModel();
    }
}

int DifferencesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferencesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lanes.size());
}

QVariant DifferencesModel::data(const QModelIndex& index, int role) const {
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
    if (!isText || !checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    return (role == Qt::DisplayRole ? row.shown : row.values).value(index.column());
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    if (orientation == Qt::Horizontal) {
        return m_lanes.value(section);
    }
    return section >= 0 && section < rowCount() ? m_rows[static_cast<std::size_t>(section)].setting : QVariant();
}

} // namespace lambdascope
