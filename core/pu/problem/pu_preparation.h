// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/pu/problem/pu_config.h"
#include "core/pu/problem/pu_space.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::pu {

/// Rows of a data set as a PU problem.
struct PreparedSamples {
    std::shared_ptr<const PuSamples> samples;
    std::vector<char> isPositiveClass; ///< by class of the data set
    double trainingShare = 0;          ///< of positives among all rows; NaN when only marks are known
    double unlabeledShare = 0;         ///< of positives among the unlabeled; NaN likewise
};

/// Draws the labelled positives and the unlabeled rows by `seed`; unlabeled rows come in random order, so that the
/// first n of them are a sample too. Errors: InvalidData with the key of the field to change.
Result<PreparedSamples> drawSamples(const Dataset& data, const ProblemConfig& config, std::uint64_t seed);

/// All positives and `unlabeled` of the unlabeled: the first, and every `stride`th after it.
[[nodiscard]] std::shared_ptr<const PuSamples> fewerOf(const PuSamples& samples, SampleIndex unlabeled,
                                                       SampleIndex stride);

/// Bytes that fewerOf() takes for the first `unlabeled` ones; none for all samples, which are there anyhow.
[[nodiscard]] double copiedBytes(const PuSamples& samples, SampleIndex unlabeled);
/// Bytes of the kernel rows that have to be there, of so many samples; none for the linear kernel.
[[nodiscard]] double leastRowBytes(const ProblemConfig& config, SampleIndex samples);
/// Enough memory for both. Errors: InvalidData (key problem.kernel_memory).
Result<void> checkKernelMemory(const ProblemConfig& config, const PuSamples& samples, SampleIndex unlabeled);

} // namespace lambdascope::pu
