// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/decision_audit.h"
#include "core/metric/inspect/metric_lens.h"
#include "core/metric/problem/cone.h"

#include <cmath>

namespace lambdascope::metric {

namespace {

Failure stoppedCertifying() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while making a certificate")};
}

/// Relative gaps below this one are rounding.
constexpr double kSmallestGap = 1e-14;
/// Where decisions are left open, the next solution shall have so much of the gap.
constexpr double kNextGap = 1e-2;

/// K with K Kᵀ = −[A]₋: the eigenvectors of the negative eigenvalues, times their roots.
Eigen::MatrixXd negativeFactor(const Eigen::MatrixXd& a, StopCheck& stopCheck) {
    const EigenSystem system = symmetricEigenSystem(a, stopCheck);
    const Eigen::Index count = system.succeeded ? (system.values.array() < 0).count() : 0;
    return system.succeeded
               ? Eigen::MatrixXd(system.vectors.leftCols(count) * (-system.values.head(count)).cwiseSqrt().asDiagonal())
               : Eigen::MatrixXd();
}

std::vector<std::uint8_t> setsOf(const TripletStates& states) {
    std::vector<std::uint8_t> sets(static_cast<std::size_t>(states.size()));
    for (TripletIndex t = 0; t < states.size(); ++t) {
        const Decision decision = states.at(t);
        sets[static_cast<std::size_t>(t)] = decision == Decision::Zero ? 1 : decision == Decision::Linear ? 2 : 0;
    }
    return sets;
}

} // namespace

std::string MetricLens::certificateObstacle() const {
    const ProblemConfig& problem = m_prepared.problem();
    if (m_prepared.comparisons() != nullptr) {
        return "comparisons from a file (problem.constraints)";
    }
    if (problem.linearTerm > 0) {
        return "the linear term (problem.linear_term)";
    }
    if (problem.loss == LossKind::Hinge) {
        return "the hinge (problem.loss)";
    }
    return problem.structure == Structure::Diagonal ? "diagonal matrices (problem.structure)" : "";
}

Json MetricLens::certificateProblem() const {
    const ProblemConfig& problem = m_prepared.problem();
    Json statement = Json::object();
    statement["loss"] = "smoothed-hinge";
    statement["structure"] = "full";
    statement["gamma"] = problem.gamma;
    statement["k"] = problem.k ? Json(*problem.k) : Json("all");
    return statement;
}

Result<CertifiedPoint> MetricLens::certifiedPoint(const PathPoint& point, const PointReport& report,
                                                  const std::stop_token& stop) {
    CertifiedPoint certified;
    certified.index = point.index;
    certified.axisValue = point.value;
    certified.sets = setsOf(states());
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const SolvedPoint& start = dynamic_cast<const MetricWarmStart&>(*report.warmStart).solved;
    const auto engine = m_prepared.makeEngine(EngineKind::Pairs, 1);
    for (double tolerance = m_accurate->promisedGap();; tolerance *= kNextGap) {
        const auto tight = m_accurate->at(point.value, start, stop, tolerance);
        if (tight == nullptr) {
            return stoppedCertifying();
        }
        // The dual value that the checker will find: with α = α(M) and Z = −[Σ α H]₋.
        SolvedPoint solved = tight->solved;
        LossTotals totals;
        SetCounts ignored;
        engine->activateAll();
        if (!engine->evaluateAll(solved.point, m_gamma, m_gamma, stopCheck, totals, ignored)) {
            return stoppedCertifying();
        }
        const Bounded dual = dualValue(totals, squaredNormInCone(totals.pull, &stopCheck), solved.lambda, m_gamma);
        solved.gap = (primalValue(totals, solved.point, solved.lambda, m_gamma) - dual).upper();
        const DecisionAudit audit = auditDecisions(m_items, states(), solved, m_gamma, stopCheck);
        const Eigen::MatrixXd negative = negativeFactor(totals.pull, stopCheck);
        if (stopCheck.isStopped()) {
            return stoppedCertifying();
        }
        certified.proof = Json::object();
        certified.proof["lambda"] = solved.lambda;
        certified.proof["L"] = decimalRows(solved.point.factor);
        certified.proof["K"] = decimalRows(negative);
        certified.gap = solved.gap;
        certified.decided = audit.decided;
        certified.unsure = audit.doubtful + audit.wrong;
        if (certified.unsure == 0 || tolerance * kNextGap < kSmallestGap) {
            return certified;
        }
    }
}

Result<void> MetricLens::certify(Range range, std::int32_t mostPoints, const Take& take, const Progress& progress,
                                 std::stop_token stop) {
    if (m_lane.bounds.empty()) {
        return {};
    }
    const auto visit = [&](const PathPoint& point, const PointReport& report) -> Result<void> {
        if (!range.holds(point.index)) {
            return {};
        }
        auto certified = certifiedPoint(point, report, stop);
        return certified ? take(std::move(*certified)) : Failure{certified.error()};
    };
    return m_replay.visit(mostPoints, {&states(), nullptr, nullptr}, visit, progress, stop);
}

} // namespace lambdascope::metric
