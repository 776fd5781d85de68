// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/common/helper_process.h"

#include <filesystem>

namespace lambdascope::svm {

/// The program lambdascope-libsvm.
[[nodiscard]] std::filesystem::path libsvmProgram();

/// Whether this build has it: it was made where LIBSVM is.
[[nodiscard]] bool hasLibsvm();

/// Trouble with that program at C, as what is wrong with a lane of a build that has it or not.
[[nodiscard]] Error libsvmError(const HelperTrouble& trouble, const std::filesystem::path& program, double c,
                                bool isInBuild = hasLibsvm());

/// LIBSVM found nothing to take over at C: `what` says why.
[[nodiscard]] Error libsvmRefusal(double c, const std::string& what, const std::string& remedy = {});

} // namespace lambdascope::svm
