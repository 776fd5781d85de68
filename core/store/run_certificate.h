// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/inspect/certifier.h"
#include "core/store/certificate_writer.h"
#include "core/store/stored_path.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

class ExperimentRunner;
struct DataPlaces;

/// What somebody wants certified, and where to.
struct CertificateOrder {
    struct Lane {
        std::string name;
        StoredPath path; ///< certified where the run has its points
    };
    std::filesystem::path folder;
    std::vector<Lane> lanes;
    Certifier::Range points;
};

/// A certificate that has been written.
struct RunCertificate {
    std::filesystem::path folder;
    std::vector<std::filesystem::path> files; ///< outside of the folder that its checker has to see
    std::vector<CertificateWriter::LaneSum> lanes;

    [[nodiscard]] std::int64_t decided() const;
    [[nodiscard]] std::int64_t unsure() const; ///< decisions that the checker may not be able to prove
    /// The command with which anybody checks it, word by word: python3, the checker, and its arguments.
    [[nodiscard]] std::vector<std::string> checkCommand() const;
};

/// A certificate may be written to a folder that is new, empty, or holds an earlier certificate: whether it holds one.
/// Errors: BadUsage.
[[nodiscard]] Result<bool> holdsCertificate(const std::filesystem::path& folder);

/// Computes lanes of a prepared experiment again and writes the certificate of what they decided; `places` is where the
/// data were looked for. An error leaves nothing behind. Errors: BadUsage where there are no rules for the problem,
/// FileUnwritable, Stopped, and InvalidData for a path that the lane cannot have.
[[nodiscard]] Result<RunCertificate>
certifyRun(const ExperimentRunner& runner, const CertificateOrder& order, const DataPlaces& places,
           const std::function<void(const std::string& lane, double share)>& progress, const std::stop_token& stop);

} // namespace lambdascope
