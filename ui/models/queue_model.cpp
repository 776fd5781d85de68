// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/queue_model.h"

namespace lambdascope {

namespace {

QString lanesOf(const RunRequest& request) {
    QStringList names;
    for (const std::string& name : request.lanes.empty() ? request.experiment->laneNames : request.lanes) {
        names << QString::fromStdString(name);
    }
    return names.join(", ");
}

} // namespace

QueueModel::QueueModel(RunController& controller, QObject* parent)
    : QAbstractTableModel(parent), m_controller(controller) {
    connect(&controller, &RunController::queueChanged, this, &QueueModel::reload);
    reload();
}

void QueueModel::reload() {
    std::vector<std::array<QString, ColumnCount>> rows;
    for (std::size_t i = 0; i < m_controller.queueSize(); ++i) {
        const RunRequest& request = m_controller.queued(i);
        rows.push_back({QString::fromStdString(request.experiment->name),
                        QString::fromStdString(request.experiment->family),
                        QString::fromStdString(request.experiment->data.source), lanesOf(request)});
    }
    // The queue is short and changes by hand: a reset is cheap, but would lose the selection when nothing changed.
    if (rows != m_rows) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
    if (!isText || !checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    return m_rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (orientation == Qt::Vertical) {
        return section + 1;
    }
    switch (section) {
    case Name: return tr("Experiment");
    case Family: return tr("Family");
    case Data: return tr("Data");
    case Lanes: return tr("Lanes");
    default: return {};
    }
}

} // namespace lambdascope
