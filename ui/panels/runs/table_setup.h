// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace lambdascope {

/// The look that runs, log and queue share: whole rows, compact, no grid, last column fills the rest.
void setUpTable(QTableView& table, const QString& accessibleName);

} // namespace lambdascope
