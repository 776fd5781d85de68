// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <iosfwd>

namespace lambdascope {

/// `lambdascope --render DIR --figure NAME --out FILE`: figures of a run folder without a window.
struct RenderRequest {
    QString folder;
    QString figure;                          ///< a name, "list" or "all"
    QString out;                             ///< file, or folder for "all"
    QString size = QStringLiteral("single"); ///< "single", "double" or "slide"
};

/// "list" prints the names, one per line; "all" writes every figure as PDF and PNG into the folder `out`; a name
/// writes that one. Returns the exit status: 0, or 2 after a message on `errors`. Needs a QApplication (any platform).
[[nodiscard]] int renderFigures(const RenderRequest& request, std::ostream& output, std::ostream& errors);

} // namespace lambdascope
