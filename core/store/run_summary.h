// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/store/machine_facts.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// What stands in run.json besides what the events tell.
struct RunFolderFacts {
    Json experiment; ///< resolved document
    std::string version;
    std::string dataSha256;
    int threads = 1;
    std::vector<std::string> lanes; ///< of the lanes that will run
    bool solutions = false;         ///< write solution-<index>.csv
    /// When a run began that was computed before and is only written down now: of its machine and build nothing is
    /// said, and nobody computes it. Empty for one that is computed.
    std::string startedAt = {};
};

/// What run.json says: the facts, and how far the lanes have come.
class RunSummary {
  public:
    RunSummary() = default;
    explicit RunSummary(RunFolderFacts facts);
    /// Of a run that goes on; `earlier` is what its run.json said.
    RunSummary(RunFolderFacts facts, const Json& earlier);

    void note(const RunEvent& event);
    [[nodiscard]] const RunFolderFacts& facts() const { return m_facts; }
    [[nodiscard]] Json json() const;

  private:
    struct LaneTotals {
        std::string name;
        RunRecord::State state = RunRecord::State::Running;
        std::optional<Termination> termination;
        std::string failure;
        Json facts = Json::object();
        std::int32_t finishedPoints = 0;
        double cpuSolve = 0;
        double cpuScreen = 0;
        double wall = 0;
    };
    [[nodiscard]] RunRecord::State overallState() const;

    RunFolderFacts m_facts;
    std::string m_startedAt = utcNow();
    Json m_continuedAt = Json::array(); ///< texts
    std::vector<LaneTotals> m_lanes;
    std::map<RunId, std::size_t> m_laneOf;
};

} // namespace lambdascope
