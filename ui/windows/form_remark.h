// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lambdascope {

class ExperimentDocument;
class RunCollection;

/// In words, how the experiment in the form differs from the one that the charts show; empty when it is the same, when
/// nothing is shown, and while the form holds no experiment that could run.
[[nodiscard]] QString formRemark(const ExperimentDocument& document, const RunCollection& runs);

} // namespace lambdascope
