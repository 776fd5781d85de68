// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

namespace lambdascope {

/// "1 point", "12 points": right also where no translation is loaded, which %n needs for its plurals.
[[nodiscard]] inline QString countText(int count, const QString& one, const QString& many) {
    return QLocale().toString(count) + ' ' + (count == 1 ? one : many);
}

} // namespace lambdascope
