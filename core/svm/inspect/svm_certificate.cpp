// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/svm_schema.h"
#include "core/svm/screening/bounds.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

std::uint8_t setNumber(Decision decision) {
    return decision == Decision::Zero ? 1 : decision == Decision::Full ? 2 : 0;
}

/// αᵢ/Cωᵢ of all samples.
Json sharesOf(const SvmProblem& problem, const PointOutcome& point) {
    const SolvedSvm& solved = point.solved;
    Json shares = Json::array();
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double upper = solved.c * problem.weights()(i); // as the solver has it
        const long double low = point.alphaLow.size() > 0 ? point.alphaLow(i) : 0.0;
        const long double share = (solved.alpha(i) + low) / (static_cast<long double>(solved.c) * problem.weights()(i));
        const bool isFull = solved.alpha(i) == upper && low == 0;
        shares.push_back(decimalShare(isFull ? 1 : std::clamp(share, 0.0L, 1.0L)));
    }
    return shares;
}

} // namespace

std::string SvmLens::certificateObstacle() const {
    return m_problem.hasFreeBias() ? "SVMs with a free bias" : "";
}

std::vector<std::filesystem::path> SvmLens::certificateFiles() const {
    const std::string& weights = m_prepared.config().weights;
    return weights.empty() ? std::vector<std::filesystem::path>() : std::vector<std::filesystem::path>{weights};
}

Json SvmLens::certificateProblem() const {
    const ProblemConfig& problem = m_prepared.config();
    Json statement = Json::object();
    statement["positive"] = m_prepared.positive();
    statement["positive_weight"] = problem.positiveWeight;
    statement["negative_weight"] = problem.negativeWeight;
    statement["kernel"] = problemFields().word(problem, "kernel");
    statement["gamma"] = problem.kernelFor(m_prepared.data().features()).gamma;
    statement["degree"] = problem.degree;
    statement["offset"] = problem.offset;
    statement["bias"] = problem.kernelFor(m_prepared.data().features()).bias;
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
    const DecisionAudit audit = auditDecisions(m_problem, decisions, tight->solved);
    CertifiedPoint certified;
    for (const Decision decision : decisions) {
        certified.sets.push_back(setNumber(decision));
    }
    certified.proof["C"] = tight->solved.c;
    certified.proof["alpha"] = sharesOf(m_problem, *tight);
    certified.gap = tight->solved.gap;
    certified.decided = audit.decided;
    certified.unsure = audit.doubtful + audit.wrong;
    return certified;
}

DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions, const SolvedSvm& tight) {
    DecisionAudit audit;
    audit.possible = {0, 0};
    const double distance = std::sqrt(tight.gap) * (1 + 4 * kUnitRoundoff);
    ScreeningReference reference = referenceAt(tight);
    bracketBiases(problem, {}, reference);
    const BiasBracket bias = reference.currentBias.value_or(BiasBracket{0, 0});
    const double middle = bias.middle();
    const double spread = std::max(bias.high - middle, middle - bias.low) * (1 + 4 * kUnitRoundoff);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double margin = tight.margins(i) + problem.y()(i) * middle;
        const double doubt =
            distance * problem.reaches()[static_cast<std::size_t>(i)] + tight.marginError * problem.norms()(i) +
            (problem.hasFreeBias() ? spread + 4 * kUnitRoundoff * (std::abs(middle) + std::abs(margin)) : 0.0);
        audit.possible[0] += DecisionAudit::mayLieInside(margin - 1, doubt) ? 1 : 0;
        audit.possible[1] += DecisionAudit::mayLieInside(1 - margin, doubt) ? 1 : 0;
        const Decision decision = decisions[static_cast<std::size_t>(i)];
        if (decision == Decision::Keep) {
            continue;
        }
        const double slack = decision == Decision::Zero ? margin - 1 : 1 - margin;
        if (audit.count(i, slack, doubt)) {
            audit.examples.push_back("sample " + std::to_string(i) + " at C = " + shortText(tight.c) + ": fixed in " +
                                     (decision == Decision::Zero ? "R" : "L") + ", but f* = " + shortText(margin, 8));
        }
    }
    return audit;
}

} // namespace lambdascope::svm
