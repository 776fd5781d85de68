// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/view_stage.h"

namespace lambdascope {

class RunLensSession;
class StudySession;

/// All views of the window, by question, each with what it needs.
[[nodiscard]] std::vector<ViewSpec> windowViews(RunCollection& runs, PathCursor& cursor, RunLensSession& lens,
                                                StudySession& study);

} // namespace lambdascope
