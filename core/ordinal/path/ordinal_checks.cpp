// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between the fields of an experiment.
#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/ordinal/path/ordinal_schema.h"
#include "core/run/known_lane.h"
#include "core/triplets/path/path_fields.h"

#include <algorithm>

namespace lambdascope::ordinal {

namespace {

bool startsConvex(const OrdinalConfig& config) {
    return std::any_of(config.lanes.begin(), config.lanes.end(),
                       [](const Lane& lane) { return lane.solver.start == StartKind::Convex; });
}

/// Whether the convex problem has a linear part.
void checkGamma(const ProblemConfig& problem, std::vector<Fault>& faults) {
    if (problem.gamma >= problem.margin) {
        faults.push_back({"problem.gamma",
                          "is " + exactText(problem.gamma) + ", but must be below problem.margin, " +
                              exactText(problem.margin) + ": no comparison could lie in the linear part of the loss",
                          "Lower gamma, or raise margin.",
                          {}});
    }
}

/// What a path over λ asks of the other fields.
void checkLambdaPath(const OrdinalConfig& config, std::vector<Fault>& faults) {
    const ProblemConfig& problem = config.problem;
    triplets::checkPath(config.path, faults);
    std::vector<OracleLane> lanes;
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const Lane& lane = config.lanes[i];
        const std::string key = "lanes[" + std::to_string(i) + "]";
        if (lane.solver.method != MethodKind::Convex) {
            faults.push_back(
                {key + ".solver.method",
                 "is " + solverFields().word(lane.solver, "method") + ", but a path over λ is solved by \"convex\"",
                 "Set solver.method to \"convex\", or path.kind to \"epochs\".",
                 {}});
        }
        if (lane.settings.kind().value_or(problem.model) != ModelKind::Gnmds) {
            faults.push_back({lane.settings.kind() ? key + ".model" : "problem.model",
                              "is not GNMDS, whose hinge is the loss of a path over λ",
                              "Set it to \"GNMDS\", or path.kind to \"epochs\".",
                              {}});
        }
        if (lane.solver.trials > 1) {
            faults.push_back({key + ".solver.trials",
                              "is " + std::to_string(lane.solver.trials) +
                                  ", but the convex problem has one solution, whatever the start",
                              "Set trials to 1.",
                              {}});
        }
        triplets::checkRange(lane.settings, key, faults);
        const bool hasBounds = !lane.settings.bounds.empty();
        lanes.push_back({lane.name, lane.settings.oracle, hasBounds, hasBounds});
    }
    checkOracles(lanes, faults);
}

/// Only paths over λ have something to screen.
void checkNoScreening(const OrdinalConfig& config, std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const LaneConfig& lane = config.lanes[i].settings;
        if (!lane.bounds.empty() || !lane.oracle.empty()) {
            faults.push_back({"lanes[" + std::to_string(i) + "]." + (lane.bounds.empty() ? "oracle" : "bounds"),
                              "is not empty, but only paths over λ screen comparisons",
                              "Remove it, or set path.kind to \"lambda\".",
                              {}});
        }
    }
}

/// A fixed rank of the Gram matrix, where a lane has one.
void checkRank(const OrdinalConfig& config, std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const Lane& lane = config.lanes[i];
        const std::string key = "lanes[" + std::to_string(i) + "].";
        if (!lane.solver.rank) {
            continue;
        }
        if (*lane.solver.rank < config.problem.dimensions) {
            faults.push_back({key + "solver.rank",
                              "is " + std::to_string(*lane.solver.rank) + ", below problem.dimensions, " +
                                  std::to_string(config.problem.dimensions) + ": some axes would have no length",
                              "Raise rank, or lower dimensions.",
                              {}});
        }
        if (auto fault = screeningAtRank(lane.settings, key)) {
            fault->remedy += ", or set solver.rank to \"auto\".";
            faults.push_back(std::move(*fault));
        }
    }
}

} // namespace

std::optional<Fault> screeningAtRank(const LaneConfig& lane, const std::string& key) {
    if (lane.bounds.empty() && lane.oracle.empty()) {
        return std::nullopt;
    }
    return Fault{key + (lane.bounds.empty() ? "oracle" : "bounds"),
                 "is not empty, but the lane's Gram matrix has a fixed rank: its duality gap is a bound too loose to "
                 "decide comparisons by",
                 "Remove it",
                 {}};
}

void crossCheck(const OrdinalConfig& config, const DataConfig& data, std::vector<Fault>& faults) {
    const ProblemConfig& problem = config.problem;
    const bool isFile = problem.comparisons == ComparisonSource::File;
    if (isFile && problem.file.empty()) {
        faults.push_back({"problem.file",
                          "is empty, but comparisons are to come from a file",
                          "Name the file, or take comparisons from the data: problem.comparisons = \"points\".",
                          {}});
    }
    if (!isFile && data.source == kNoSource) {
        faults.push_back({"data.source",
                          "is none, but problem.comparisons is " + problemFields().word(problem, "comparisons") +
                              ", which compares rows of the data",
                          "Name a data set, or set problem.comparisons to \"file\".",
                          {}});
    }
    if (isFile && data.source != kNoSource) {
        checkRowsAreKept(data, "ids in problem.file count", ", or data.source to \"none\"", faults);
    }
    if (problem.comparisons == ComparisonSource::Distances) {
        checkMatrixIsKept(data, "matrix of distances", faults);
    }
    if (config.path.kind == PathKind::Lambda) {
        checkLambdaPath(config, faults);
    } else {
        checkNoScreening(config, faults);
    }
    if (config.path.kind == PathKind::Lambda || startsConvex(config)) {
        checkGamma(problem, faults);
        checkRank(config, faults);
    }
    if (config.path.kind != PathKind::Epochs && startsConvex(config)) {
        faults.push_back({"solver.start",
                          "is convex, but only a path of epochs has a start to choose",
                          "Set start to \"random\", or path.kind to \"epochs\".",
                          {}});
    }
}

} // namespace lambdascope::ordinal
