// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <QString>
#include <QStringList>

namespace lambdascope {

/// The settings in which two resolved experiments differ, by their keys: "problem.k", "lanes[PGB].every"; a lane that
/// only one of them has is "lanes[PGB]". Names, descriptions, published numbers and the order of lanes do not count:
/// they change nothing of what is computed.
[[nodiscard]] QStringList changedSettings(const Json& before, const Json& after);

} // namespace lambdascope
