// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/run/experiment.h"
#include "core/run/family.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// One check of the rules at one λ.
struct MeasuredCheck {
    double rate = 0;   ///< share of the decidable triplets that are fixed after it
    double radius = 0; ///< smallest of the lane's balls
};

/// What a lane did at one λ; its first check is the path screening.
struct MeasuredPoint {
    double lambda = 0;
    double pathRate = 0;
    double finalRate = 0;
    double cpuSolve = 0;
    double cpuScreen = 0;
    double cpuEvaluate = 0; ///< of evaluations
    double countedWork = 0;
    double evaluationWork = 0; ///< of the last evaluation; 0 without one
    std::int64_t iterations = 0;
    std::int64_t lastLook = 0; ///< the iteration of the last check; 0 without one
    std::int64_t evaluations = 0;
    std::int64_t pairsVisited = 0;
    bool isConverged = false;
    std::vector<MeasuredCheck> checks;
};

/// One lane of an experiment: run once for its numbers, computed again for the audit of its decisions.
struct LaneMeasurement {
    std::string name;
    std::vector<MeasuredPoint> points;
    double wall = 0; ///< seconds of the run
    AuditReport audit;
    std::string failure; ///< why there are no numbers; empty when there are

    [[nodiscard]] double cpu(std::size_t firstPoints) const;
    [[nodiscard]] double cpuScreen() const;
    [[nodiscard]] std::int64_t iterations() const;
    /// Points that ended at the iteration limit or at the edge of rounding.
    [[nodiscard]] std::size_t looseEnds() const;
    [[nodiscard]] double meanPathRate() const;
    [[nodiscard]] double meanFinalRate() const;
    [[nodiscard]] bool hasWrongDecisions() const { return audit.wrong > 0; }
};

/// Runs a lane along its path in this thread, and audits it when `isAudited`.
[[nodiscard]] LaneMeasurement measureLane(const PreparedProblem& problem, const Experiment& experiment,
                                          std::size_t lane, int threads, bool isAudited);

/// CPU time of a lane over that of the baseline, on the points that both have.
[[nodiscard]] double cpuRatio(const LaneMeasurement& lane, const LaneMeasurement& baseline);
/// Counted work.
[[nodiscard]] double workRatio(const LaneMeasurement& lane, const LaneMeasurement& other);
/// Work of an evaluation after the last look, over all λ at which both lanes made one.
[[nodiscard]] double evaluationRatio(const LaneMeasurement& lane, const LaneMeasurement& other);
/// Work of all evaluations after the last look, by iterations and the last one.
[[nodiscard]] double afterLookRatio(const LaneMeasurement& lane, const LaneMeasurement& other);
/// CPU time of an evaluation, before or after a look.
[[nodiscard]] double evaluationCpuRatio(const LaneMeasurement& lane, const LaneMeasurement& other);

} // namespace lambdascope::benchmarks
