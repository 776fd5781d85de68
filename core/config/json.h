// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace lambdascope {

/// JSON that keeps the order in which keys were written, so that files stay as their authors arranged them.
using Json = nlohmann::ordered_json;

} // namespace lambdascope
