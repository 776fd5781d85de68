// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

namespace lambdascope {

class RunTab;

/// What is chosen in a tab: an object of its choosers and tick boxes by their accessible names, with the words that are
/// chosen, and "detail" for what no chooser tells.
[[nodiscard]] Json tabState(const RunTab& tab);
/// Chooses the same again, as far as it is offered; of a damaged state what can be read.
void restoreTab(RunTab& tab, const Json& state);

} // namespace lambdascope
