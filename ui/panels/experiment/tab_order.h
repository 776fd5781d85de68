// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lambdascope {

/// Sets the tab order of all inputs inside `root` to the order of its layouts, top to bottom. Needed after widgets were
/// made later than their successors.
void orderTabsByLayout(QWidget* root);

} // namespace lambdascope
