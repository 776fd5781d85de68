// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/inspect/free_bias_proof.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/svm_schema.h"

#include <utility>

namespace lambdascope::svm {

namespace {

/// o, from which the checker counts distances, as the mean of some samples times a share.
Json originOf(const SvmProblem& problem) {
    Json samples = Json::array();
    double weight = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.origin()(i) != 0) {
            samples.push_back(i);
            weight = problem.origin()(i);
        }
    }
    return Json{{"samples", std::move(samples)}, {"weight", weight}};
}

std::uint8_t setNumber(Decision decision) {
    return decision == Decision::Zero ? 1 : decision == Decision::Full ? 2 : 0;
}

} // namespace

std::string SvmLens::certificateObstacle() const {
    return {};
}

std::vector<std::filesystem::path> SvmLens::certificateFiles() const {
    const std::string& weights = m_prepared.config().weights;
    return weights.empty() ? std::vector<std::filesystem::path>() : std::vector<std::filesystem::path>{weights};
}

Json SvmLens::certificateProblem() const {
    const ProblemConfig& problem = m_prepared.config();
    Json statement = Json::object();
    if (problem.task == TaskKind::Classification) {
        statement["positive"] = m_prepared.positive();
        statement["positive_weight"] = problem.positiveWeight;
        statement["negative_weight"] = problem.negativeWeight;
    } else {
        statement["task"] = problemFields().word(problem, "task");
    }
    if (problem.isRegression()) {
        statement["epsilon"] = problem.epsilon;
        statement["shift"] = m_prepared.targetMean();
    }
    statement["kernel"] = problemFields().word(problem, "kernel");
    statement["gamma"] = problem.kernelFor(m_prepared.data().features()).gamma;
    statement["degree"] = problem.degree;
    statement["offset"] = problem.offset;
    statement["bias"] = problem.kernelFor(m_prepared.data().features()).bias;
    if (problem.hasFreeBias()) {
        statement["intercept"] = "free"; // novelty has no other
        statement["origin"] = originOf(m_problem);
    }
    const Json facts = m_prepared.facts();
    if (!problem.weights.empty()) {
        statement["weights"] = Json{{"file", std::filesystem::path(problem.weights).filename().string()},
                                    {"sha256", facts.at("weights_sha256")}};
    }
    if (problem.kernel == KernelKind::Precomputed) {
        statement["ridge"] = facts.value("kernel_ridge", 0.0);
    }
    return statement;
}

Result<CertifiedPoint> SvmLens::certifiedPoint(const PointReport& report, const Decisions& decisions,
                                               double /*axisValue*/, const std::stop_token& stop) {
    const SolvedSvm& solved = dynamic_cast<const SvmWarmStart&>(*report.warmStart).solution();
    const auto tight = m_accurate->at(solved.c, solved.alpha.size() > 0 ? solved : m_prepared.bottom(), stop);
    if (tight == nullptr) {
        return stopped();
    }
    const std::vector<long double> shares = sharesOf(m_problem, *tight);
    CertifiedPoint certified;
    for (const Decision decision : decisions) {
        certified.sets.push_back(setNumber(decision));
    }
    if (m_prepared.config().isNovelty()) {
        certified.proof["nu"] = statedNu(m_problem, tight->solved.c);
    } else {
        certified.proof["C"] = tight->solved.c;
    }
    Json alpha = Json::array();
    for (const long double share : shares) {
        alpha.push_back(m_problem.hasFreeBias() ? decimalShare(share, FreeBiasProof::kPlaces) : decimalShare(share));
    }
    certified.proof["alpha"] = std::move(alpha);
    OptimumRegion region = optimumNear(m_problem, tight->solved);
    if (m_problem.hasFreeBias()) {
        const FreeBiasProof proof = proveBias(m_problem, *tight, shares);
        certified.proof["balance"] = proof.balance;
        certified.proof["brackets"] = Json::array({Json::array({proof.bracket.low, proof.bracket.high})});
        region = {proof.radius, proof.bracket};
    }
    const DecisionAudit audit = auditDecisions(m_problem, decisions, tight->solved, region);
    certified.gap = tight->solved.gap;
    certified.decided = audit.decided;
    certified.unsure = audit.doubtful + audit.wrong;
    return certified;
}

} // namespace lambdascope::svm
