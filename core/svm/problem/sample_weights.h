// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"

#include <Eigen/Core>

#include <filesystem>
#include <stop_token>
#include <string>

namespace lambdascope::svm {

/// One factor of C per row of the data.
struct SampleWeights {
    Eigen::VectorXd values; ///< ≥ 0; 0 leaves a sample out of what is learned
    std::string sha256;     ///< of the file as it stands on disk
};

/// Reads weights from a text file, also one compressed by gzip or bzip2: one number ≥ 0 per line, line k for row k of
/// the data; empty lines and what follows a # do not count. Errors: InvalidData with up to FaultList::kMost faults,
/// each with line and column: no number, negative or not finite ones, more than one in a line; a count other than
/// `rows`; no weight above 0. Stopped.
Result<SampleWeights> readSampleWeights(const std::filesystem::path& file, Eigen::Index rows,
                                        const DataProgress& progress, std::stop_token stop);

} // namespace lambdascope::svm
