// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/metric_lens.h"

#include "core/metric/path/metric_schema.h"
#include "core/metric/path/metric_task.h"
#include "core/triplets/inspect/decision_audit.h"
#include "core/triplets/problem/cone.h"

#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

Failure stoppedCertifying() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while making a certificate")};
}

/// Relative gaps below this one are rounding.
constexpr double kSmallestGap = 1e-14;
/// Those of the hinge fall slowly.
constexpr double kSmallestHingeGap = 1e-10;
/// Smoothings that are tried for the α of a hinge, as shares of the solution's.
constexpr double kSmoothings[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
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

MetricLens::MetricLens(const PreparedMetric& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : TripletLens(
          prepared, lane, [&prepared, &lane] { return std::make_unique<MetricTask>(prepared, lane); },
          std::move(accurate)),
      m_prepared(prepared) {}

Result<Predictions> MetricLens::predict(std::int32_t point, const Dataset& rows, std::stop_token stop) {
    if (auto checked = replay().checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (!m_prepared.data().isLabelled()) {
        return Failure{singleFault(ErrorCode::BadUsage,
                                   {{}, "the data of the run have no classes to predict", "Choose another run.", {}})};
    }
    const auto solution = replay().solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    StopCheck stopCheck([stop] { return stop.stop_requested(); });
    Predictions predictions;
    const HeldOutTest& test = m_prepared.heldOutTest();
    predictions.classes = test.classesOf(rows, (*solution)->solved.point.matrix, stopCheck);
    if (stopCheck.isStopped()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while predicting classes")};
    }
    predictions.names = m_prepared.data().classNames();
    predictions.what = "most of the " + std::to_string(test.neighbours()) + " nearest rows of the run";
    return predictions;
}

std::string MetricLens::certificateObstacle() const {
    return {};
}

Json MetricLens::certificateProblem() const {
    const ProblemConfig& problem = m_prepared.problem();
    Json statement = Json::object();
    statement["loss"] = problemFields().word(problem, "loss");
    statement["structure"] = problemFields().word(problem, "structure");
    if (problem.loss == LossKind::SmoothedHinge) {
        statement["gamma"] = problem.gamma;
    }
    if (m_prepared.comparisons() == nullptr) {
        statement["k"] = problem.k ? Json(*problem.k) : Json("all");
    } else {
        statement["comparisons"] = Json{{"file", std::filesystem::path(problem.file).filename().string()},
                                        {"sha256", m_prepared.facts().at("comparisons_sha256")}};
    }
    if (problem.linearTerm > 0) {
        statement["linear_term"] = problem.linearTerm;
    }
    return statement;
}

std::vector<std::filesystem::path> MetricLens::certificateFiles() const {
    return m_prepared.comparisons() == nullptr ? std::vector<std::filesystem::path>()
                                               : std::vector<std::filesystem::path>{m_prepared.problem().file};
}

Result<LossTotals> MetricLens::certifiedTotals(SolvedPoint& solved, double smoothing, StopCheck& stopCheck) const {
    // The dual value that the checker will find: with α = α(M) and Z = −[Σ α H − S]₋.
    LossTotals totals;
    SetCounts ignored;
    const auto engine = m_prepared.makeEngine(EngineKind::Pairs, 1);
    engine->activateAll();
    if (!engine->evaluateAll(solved.point, smoothing, m_prepared.gamma(), stopCheck, totals, ignored)) {
        return stoppedCertifying();
    }
    const Bounded dual =
        dualValue(totals, squaredNormInCone(totals.pull, &stopCheck), solved.lambda, m_prepared.gamma());
    solved.gap = (primalValue(totals, solved.point, solved.lambda, m_prepared.gamma()) - dual).upper();
    return totals;
}

Result<Json> MetricLens::proofOf(SolvedPoint& solved, StopCheck& stopCheck) const {
    Json proof = Json::object();
    proof["lambda"] = solved.lambda;
    double smoothing = m_prepared.gamma();
    if (m_prepared.gamma() ==
        0) { // the hinge: α may come from any smoothing, and one of these has the largest dual value
        double least = std::numeric_limits<double>::infinity();
        for (const double factor : kSmoothings) {
            SolvedPoint tried = solved;
            const double s = factor * solved.totals.smoothing;
            if (auto totals = certifiedTotals(tried, s, stopCheck); !totals) {
                return Failure{totals.error()};
            }
            if (tried.gap < least) {
                least = tried.gap;
                smoothing = s;
            }
        }
        proof["smoothing"] = smoothing;
    }
    const auto totals = certifiedTotals(solved, smoothing, stopCheck);
    if (!totals) {
        return Failure{totals.error()};
    }
    if (m_prepared.items().table().structure() ==
        Structure::Diagonal) { // a full matrix of one feature looks like one, too
        proof["m"] = decimalRows(solved.point.matrix.transpose().eval()).front();
        return proof;
    }
    proof["L"] = decimalRows(solved.point.factor);
    proof["K"] = decimalRows(negativeFactor(totals->pull, stopCheck));
    return stopCheck.isStopped() ? Result<Json>(stoppedCertifying()) : proof;
}

Result<CertifiedPoint> MetricLens::certifiedPoint(const PathPoint& point, const PointReport& report,
                                                  const std::stop_token& stop) {
    CertifiedPoint certified;
    certified.index = point.index;
    certified.axisValue = point.value;
    certified.sets = setsOf(states());
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const SolvedPoint& start = dynamic_cast<const TripletWarmStart&>(*report.warmStart).solved;
    const double smallest = m_prepared.gamma() > 0 ? kSmallestGap : kSmallestHingeGap;
    for (double tolerance = accurate().promisedGap();; tolerance *= kNextGap) {
        const auto tight = accurate().at(point.value, start, stop, tolerance);
        if (tight == nullptr) {
            return stoppedCertifying();
        }
        SolvedPoint solved = tight->solved;
        auto proof = proofOf(solved, stopCheck);
        if (!proof) {
            return Failure{proof.error()};
        }
        const DecisionAudit audit = auditDecisions(m_prepared.items(), states(), solved, m_prepared.gamma(), stopCheck);
        if (stopCheck.isStopped()) {
            return stoppedCertifying();
        }
        certified.proof = std::move(*proof);
        certified.gap = solved.gap;
        certified.decided = audit.decided;
        certified.unsure = audit.doubtful + audit.wrong;
        if (certified.unsure == 0 || tolerance * kNextGap < smallest) {
            return certified;
        }
    }
}

Result<void> MetricLens::certify(Range range, std::int32_t mostPoints, const Take& take, const Progress& progress,
                                 std::stop_token stop) {
    if (!screens()) {
        return {};
    }
    const auto visit = [&](const PathPoint& point, const PointReport& report) -> Result<void> {
        if (!range.holds(point.index)) {
            return {};
        }
        auto certified = certifiedPoint(point, report, stop);
        return certified ? take(std::move(*certified)) : Failure{certified.error()};
    };
    return replay().visit(mostPoints, {&states(), nullptr, nullptr}, visit, progress, stop);
}

} // namespace lambdascope::metric
