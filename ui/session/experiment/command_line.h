// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <QString>

namespace lambdascope {

/// The shell command, one line, that runs `document`: as `base` (what file or preset `source` holds) with "--set" for
/// each value that differs, or from standard input when `source` is empty or the two differ in kind.
[[nodiscard]] QString commandLineFor(const Json& document, const Json& base, const QString& source);

} // namespace lambdascope
