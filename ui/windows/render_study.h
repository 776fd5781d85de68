// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure_writer.h"
#include "ui/windows/render_command.h"

#include <iosfwd>

namespace lambdascope {

struct SchemaCatalog;

/// Whether the folder of a request is that of a study.
[[nodiscard]] bool isStudyRequest(const RenderRequest& request);

/// Draws a study as the window does. Figures are called MEASURE:AXIS (MEASURE where the study has no axis but seeds),
/// or MEASURE:AXIS:AXIS:LANE for colours over two axes; "list" names those of one axis, "all" writes them to a folder.
Result<void> renderStudy(const RenderRequest& request, const FigureStyle& style, const SchemaCatalog& catalog,
                         std::ostream& output);

} // namespace lambdascope
