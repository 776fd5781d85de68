// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/run/experiment.h"
#include "core/run/path_task.h"
#include "core/run/placed_objects.h"
#include "core/run/run_lens.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// A problem on a data set, prepared once and shared by all lanes (neighbours, triplets, kernels). Immutable after
/// preparation, so that lanes may run in several threads. Lanes are numbered as in Experiment::laneNames.
class PreparedProblem {
  public:
    virtual ~PreparedProblem() = default;
    /// The task of one lane; the PreparedProblem must outlive it.
    [[nodiscard]] virtual std::unique_ptr<PathTask> makeTask(std::size_t lane) const = 0;
    /// What answers questions about the items of one lane; null when the family has none.
    [[nodiscard]] virtual std::unique_ptr<RunLens> makeLens(std::size_t /*lane*/) const { return nullptr; }
    /// Places new objects in what a lane embedded up to a path point, by a file of answers about them. Errors: BadUsage
    /// when runs of the family embed no objects, those of reading the file, Stopped.
    virtual Result<PlacedObjects> placeObjects(std::size_t lane, std::int32_t point,
                                               const std::filesystem::path& answers, const DataProgress& progress,
                                               std::stop_token stop) const;
    /// Why makeLens() gives none, in words; empty when it does give one.
    [[nodiscard]] virtual std::string lensObstacle() const {
        return "runs of this family screen nothing that could be explained";
    }
};

/// Progress of preparation and of reading.
using ProgressFunction = DataProgress;

/// What a problem is prepared from besides the family's own configuration.
struct PreparationInput {
    std::shared_ptr<const Dataset> data;
    const DataConfig& dataConfig; ///< how `data` were read
    const RunConfig& run;
    const ProgressFunction& progress;
    std::stop_token stop;
};

/// One room of core, as the rest of the program sees it.
struct Family {
    FamilySchema schema;
    /// Checks the data against the problem (one class, k too large, …) and prepares; `places` are where the files are
    /// looked for that the problem names. Errors are InvalidData with the key of the field to change, FileNotFound
    /// likewise, or Stopped.
    std::function<Result<std::shared_ptr<const PreparedProblem>>(
        const Experiment& experiment, std::shared_ptr<const Dataset> data, const DataPlaces& places,
        const ProgressFunction& progress, std::stop_token stop)>
        prepare;
};

} // namespace lambdascope
