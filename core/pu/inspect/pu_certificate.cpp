// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/inspect/decision_audit.h"
#include "core/pu/inspect/pu_lens.h"
#include "core/pu/path/pu_schema.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace lambdascope::pu {

namespace {

/// The unlabeled sample whose s is farthest from the kinks 0, 1 and 2: a little more or less of it stays feasible.
std::int64_t balancingSample(const PuProblem& problem, const SolvedPu& solved) {
    const auto room = [&](SampleIndex u) {
        const double s = solved.s(u);
        return std::min({std::abs(s), std::abs(s - 1), std::abs(s - 2)});
    };
    SampleIndex best = problem.positives();
    for (SampleIndex u = problem.positives(); u < problem.size(); ++u) {
        best = room(u) > room(best) ? u : best;
    }
    return best - problem.positives();
}

double sumOfNorms(const PuView& view) {
    double sum = 0;
    for (const SampleIndex u : view.members) {
        sum += view.norms[u];
    }
    return sum;
}

constexpr double kLastPlace = 1e-20; ///< of the decimals of s: each and the one that balances them are off by no more

/// √gap as the checker may find it. It has ε = 4λn exactly where the solver has a double, which moves the terms of the
/// gap of samples at a kink by as much. Its decimals of s move scores by up to the last place · ‖φ‖ Σ‖φ‖, and each
/// term of the gap by at most twice what they move its score.
double certifiedRadius(const SolvedPu& solved, const PuView& view) {
    double atKinks = 2;
    for (const SampleIndex u : view.members) {
        atKinks += solved.s(u) != std::floor(solved.s(u)) ? 1 : 0;
    }
    constexpr double kRoundings = 16;
    const double norms = sumOfNorms(view);
    return std::sqrt(1.000001 * solved.gap + kRoundings * kUnitRoundoff * view.epsilon * atKinks +
                     2 * kLastPlace * norms * norms);
}

/// The brackets of an optimal bias that are finite, a little widened for their decimals.
Json bracketsOf(const PuView& view, double radius, double bias) {
    const BiasBracket bracket = bracketBias(view, radius);
    constexpr double kWiden = 1e-14;
    Json brackets = Json::array();
    for (const BiasRange& range : {bracket.smallest, bracket.largest}) {
        if (std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high) {
            const double more = kWiden * (std::abs(range.low) + std::abs(range.high) + view.epsilon + std::abs(bias));
            brackets.push_back(Json::array({range.low - more, range.high + more}));
        }
    }
    return brackets;
}

} // namespace

std::string PuLens::certificateObstacle() const {
    return m_prepared.config().labels == LabelMeaning::Files ? "two data files (problem.labels)" : "";
}

Json PuLens::certificateProblem() const {
    const ProblemConfig& problem = m_prepared.config();
    const std::span rows(m_prepared.samples().sourceRows);
    const auto positives = static_cast<std::size_t>(m_prepared.samples().positives);
    std::set<std::string> names;
    for (const std::int32_t row : rows.first(positives)) {
        const std::int32_t label = m_prepared.data().labels()[static_cast<std::size_t>(row)];
        names.insert(m_prepared.data().classNames()[static_cast<std::size_t>(label)]);
    }
    Json statement = Json::object();
    statement["positive"] = names;
    statement["labelled"] = rows.first(positives);
    statement["unlabeled"] = rows.subspan(positives);
    statement["kernel"] = problemFields().word(problem, "kernel");
    statement["gamma"] = m_prepared.kernel().gamma;
    statement["degree"] = problem.degree;
    statement["offset"] = problem.offset;
    return statement;
}

Result<CertifiedPoint> PuLens::certifiedPoint(const PointReport& report, const Decisions& decisions, double axisValue,
                                              const std::stop_token& stop) {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const PreparedPu::PointProblem at = m_prepared.problemAt(axisValue, stopCheck);
    const SolvedPu& start = dynamic_cast<const PuWarmStart&>(*report.warmStart).solved;
    const auto tight = m_accurate->at(*at.problem, at.lambda, start, stop);
    if (tight == nullptr) {
        return stopped();
    }
    const SolvedPu& solved = tight->solved;
    const DecisionAudit audit = auditDecisions(*at.problem, decisions, solved);
    const std::vector<SampleIndex> all = allUnlabeled(*at.problem);
    PuView view = viewOf(*at.problem, solved, all);
    view.error += kLastPlace * sumOfNorms(view);
    Json values = Json::array();
    for (const SampleIndex u : all) {
        values.push_back(decimalShare(solved.s(u)));
    }
    CertifiedPoint certified;
    for (const Decision decision : decisions) {
        certified.sets.push_back(static_cast<std::uint8_t>(static_cast<int>(decision) + 1));
    }
    certified.proof["lambda"] = at.lambda;
    certified.proof["mass"] = at.problem->mass();
    certified.proof["bias"] = solved.bias;
    certified.proof["brackets"] = bracketsOf(view, certifiedRadius(solved, view), solved.bias);
    certified.proof["balance"] = balancingSample(*at.problem, solved);
    certified.proof["s"] = std::move(values);
    certified.gap = solved.gap;
    certified.decided = audit.decided;
    certified.unsure = audit.doubtful + audit.wrong;
    return certified;
}

} // namespace lambdascope::pu
