// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment_runner.h"
#include "core/store/lane_audit.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope::testing_support {

/// How somebody looks on while an experiment runs; nothing of it may change a bit of what is computed.
struct Onlooker {
    bool wishesForAll = false; ///< measures, embeddings, solutions and ranges
    bool isSlow = false;       ///< takes his time over the first events, so that those after them are overdue
    int threads = 1;
};
[[nodiscard]] Onlooker randomOnlooker(std::uint64_t seed);

/// What a lane's run came to, and what became of it when it was verified.
struct LaneCheck {
    LaneAudit audit;
    StoredPath path;                    ///< as a run folder would keep it
    bool isAudited = false;             ///< the family's lenses can; else the path alone is compared
    std::vector<std::string> surprises; ///< what a second look found to be otherwise than the first
};

/// A run in memory that was verified as the command line does it: from its document, on data read again.
struct HonestRun {
    std::string document;          ///< as JSON
    std::string refusal;           ///< why the data did not suit the problem; then there are no lanes
    std::vector<LaneCheck> lanes;  ///< those that were verified
    std::int64_t unverifiable = 0; ///< lanes that no lens looks into, or with no point that suits data and limits
    std::vector<std::string> failures;
    std::shared_ptr<const ExperimentRunner> prepared; ///< that verified them; null when there are none
};
[[nodiscard]] HonestRun runAndVerify(const Validated<Experiment>& experiment, const Onlooker& onlooker);

} // namespace lambdascope::testing_support
