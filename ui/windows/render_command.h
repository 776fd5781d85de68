// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <QString>
#include <QStringList>

#include <iosfwd>

namespace lambdascope {

struct FigureStyle;
struct SchemaCatalog;

/// `lambdascope --render DIR --figure NAME --out FILE`: figures of a run folder without a window.
struct RenderRequest {
    QString folder;
    QString figure;                          ///< a name, "list" or "all"
    QString out;                             ///< file, or folder for "all"
    QString size = QStringLiteral("single"); ///< "single", "double", "text" or "slide"
    QString data;                            ///< folder of the data, where they have moved
    bool isTerminal = false;                 ///< whether `errors` is one: progress then draws over itself
    QStringList morePanels = {};             ///< names of figures that stand beside `figure` on one page
    int columns = 2;                         ///< of panels
    bool isGrey = false;                     ///< greys in place of colours
};

/// "list" prints the names, one per line; "all" writes every figure as PDF and PNG into the folder `out`; a name
/// writes that one, or with others a page of panels. Figures that need a lane computed again say so on `errors`; "all"
/// leaves out those that would take long or cannot be had, and says why. Returns the exit status: 0, or 2 after a
/// message on `errors`. Needs a QApplication (any platform).
[[nodiscard]] int renderFigures(const RenderRequest& request, std::ostream& output, std::ostream& errors);

/// Whether the folder of a request is that of a study.
[[nodiscard]] bool isStudyRequest(const RenderRequest& request);

/// Draws a study as the window does. Figures are called MEASURE:AXIS (MEASURE where the study has no axis but seeds),
/// or MEASURE:AXIS:AXIS:LANE for colours over two axes; "list" names those of one axis, "all" writes them to a folder.
Result<void> renderStudy(const RenderRequest& request, const FigureStyle& style, const SchemaCatalog& catalog,
                         std::ostream& output);

} // namespace lambdascope
