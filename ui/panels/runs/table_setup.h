// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;

namespace lambdascope {

/// The look that runs, log and queue share: whole rows, compact, no grid, last column fills the rest.
void setUpTable(QTableView& table, const QString& accessibleName);

/// All rows of `model`, those of a tree from the top down, with a header line, tab-separated.
[[nodiscard]] QString tableText(const QAbstractItemModel& model);

} // namespace lambdascope
