// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_history.h"
#include "core/record/run_record.h"
#include "core/run/experiment_runner.h"

#include <deque>
#include <memory>
#include <stop_token>
#include <string>

namespace lambdascope {

/// A lane of a finished run, and what is needed to compute it again.
struct LensLane {
    std::shared_ptr<const RunRecord> record;
    DataPlaces places;
    const Family* family = nullptr;
    const SchemaCatalog* catalog = nullptr;
};

/// Loads the data of a run and prepares its problem again, with all lanes of its experiment. Errors: whatever loading
/// and preparing report, Stopped, and InvalidData when the data are not those of the run.
Result<std::unique_ptr<ExperimentRunner>> prepareAgain(const LensLane& lane, const std::stop_token& stop);

/// What the lane of `lens`, which need not be open, decided at each point that its run has recorded; see
/// DecisionRecorder. Errors: those of decisions(), and InvalidData when the lane comes out otherwise than recorded.
Result<DecisionHistory> recordedDecisions(RunLens& lens, const RunRecord& record, const RunLens::Progress& progress,
                                          const std::stop_token& stop);

/// Makes the lenses of finished lanes. Data, problem and the lenses asked for last stay at hand, so that only the first
/// question about a lane waits for it to be computed again. Not thread-safe.
class InspectionCache {
  public:
    /// The lens of a lane, good until the next call; when `isToBeOpen`, computed again as far as the run came and
    /// compared with its record. `progress` is told of that. Errors: whatever loading the data and preparing the
    /// problem report, Stopped, and InvalidData when data or results are not those of the run or there is no lens.
    Result<RunLens*> lensFor(const LensLane& lane, bool isToBeOpen, const RunLens::Progress& progress,
                             const std::stop_token& stop);

  private:
    struct Open {
        std::string lane;
        std::unique_ptr<RunLens> lens;
        bool isOpen = false;
    };
    Result<void> prepare(const LensLane& lane, const std::stop_token& stop);
    /// Makes the lens of `lane` the first one.
    Result<void> bringToFront(const std::string& lane);

    std::string m_experiment; ///< that the runner has prepared
    std::unique_ptr<ExperimentRunner> m_runner;
    std::deque<Open> m_lenses; ///< the one asked last first
};

} // namespace lambdascope
