// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/inspect/pu_lens.h"

#include "core/common/number_text.h"
#include "core/pu/inspect/decision_audit.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

const SolvedPu& solutionOf(const PointReport& report) {
    return dynamic_cast<const PuWarmStart&>(*report.warmStart).solved;
}

/// What columns may say when so many samples may have σ = 0, c₂/2 and c₂.
std::vector<CountLimit> limitsOf(const std::vector<std::int64_t>& possible) {
    std::vector<CountLimit> limits;
    for (const char* when : {"path", "final", "after"}) { // lanes that screen where it pays alone have the last
        limits.push_back({std::string(when) + "_0", possible[0]});
        limits.push_back({std::string(when) + "_half", possible[1]});
        limits.push_back({std::string(when) + "_full", possible[2]});
    }
    return limits;
}

/// The inequality of the ball and the bracket for one sample, as judge() evaluates it.
BoundDecision decisionFor(const PuView& view, SampleIndex u, double radius, double unit) {
    const BiasBracket bracket = bracketBias(view, radius);
    const double score = view.scores[u];
    const double reach = (radius + view.error) * view.norms[u];
    BoundDecision decision;
    decision.bound = "GAP";
    decision.rule = "interval";
    // The range that decides, if one does.
    const bool isSmallest = judge(score, reach, view.epsilon, bracket.smallest) != Decision::Keep ||
                            judge(score, reach, view.epsilon, bracket.largest) == Decision::Keep;
    const BiasRange& bias = isSmallest ? bracket.smallest : bracket.largest;
    const double low = unit * (score - reach + bias.low);
    const double high = unit * (score + reach + bias.high);
    decision.values = ValueInterval{low, high};
    const Decision decided = judge(score, reach, view.epsilon, bracket);
    decision.set = UnlabeledSamples::nameOf(decided);
    const bool isAbove = decided == Decision::Full || (decided == Decision::Keep && low + high > 2);
    const bool isBelow = decided == Decision::Zero || (decided == Decision::Keep && low + high < -2);
    if (isAbove) {
        decision.inequality = "f⁰ − r‖φ‖ + β_low > 1";
        decision.left = low;
        decision.threshold = 1;
        decision.room = low - 1;
    } else if (isBelow) {
        decision.inequality = "f⁰ + r‖φ‖ + β_high < −1";
        decision.left = high;
        decision.threshold = -1;
        decision.room = -1 - high;
    } else {
        decision.inequality = "|f| < 1 for all f⁰ ± r‖φ‖ + β";
        decision.left = std::max(high, -low);
        decision.threshold = 1;
        decision.room = 1 - decision.left;
    }
    decision.terms = {{"f⁰", "value without bias at the reference", unit * score},
                      {"r", "radius √gap, rounding included", unit * (radius + view.error)},
                      {"‖φ‖", "length of the sample", view.norms[u]},
                      {"β_low", "least optimal bias that is possible", unit * bias.low},
                      {"β_high", "largest optimal bias that is possible", unit * bias.high}};
    return decision;
}

} // namespace

std::string UnlabeledSamples::nameOf(Decision decision) {
    switch (decision) {
    case Decision::Zero: return "σ = 0";
    case Decision::Half: return "σ = c₂/2";
    case Decision::Full: return "σ = c₂";
    default: return {};
    }
}

PuLens::PuLens(const PreparedPu& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : SampleInspector([&prepared, &lane] { return std::make_unique<PuTask>(prepared, lane); }, prepared.seed()),
      m_prepared(prepared), m_lane(lane.settings), m_accurate(std::move(accurate)) {}

Result<ItemExplanation> PuLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = checkPlace(item, point); !checked) {
        return Failure{checked.error()};
    }
    const auto u = static_cast<SampleIndex>(m_prepared.samples().positives + item);
    ItemExplanation why;
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            ++why.checks;
            if (!why.set.empty()) {
                return;
            }
            why.set = UnlabeledSamples::nameOf(check.decisions[static_cast<std::size_t>(item)]);
            why.check = why.set.empty() ? -1 : check.check;
            why.isAfterwards = check.isAfterwards;
            why.iteration = check.steps;
            why.used = {decisionFor(check.view, u, check.radius, 1 / check.view.epsilon)};
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    const SolvedPu& solved = solutionOf(*report);
    why.item = item;
    why.title = titleOf(item);
    if (solved.s.size() > 0) {
        const double unit = 1 / (4 * solved.lambda * static_cast<double>(items()));
        const double f = unit * (solved.scores(u) + solved.bias);
        why.scale = {"f",
                     f,
                     {{-1, "−1"}, {1, "1"}},
                     {UnlabeledSamples::nameOf(Decision::Zero), UnlabeledSamples::nameOf(Decision::Half),
                      UnlabeledSamples::nameOf(Decision::Full)}};
        why.facts = {{"f", "value at the solution", f},
                     {"σ", "coefficient at the solution", unit * solved.s(u)},
                     {"c₂", "largest σ", 2 * unit},
                     {"‖φ‖", "length of the sample", std::sqrt(std::max(0.0, m_prepared.space()->diagonal()(u)))}};
        const double s = solved.s(u);
        why.trueSet = s == 0   ? UnlabeledSamples::nameOf(Decision::Zero)
                      : s == 1 ? UnlabeledSamples::nameOf(Decision::Half)
                      : s == 2 ? UnlabeledSamples::nameOf(Decision::Full)
                               : "between";
    }
    return why;
}

NotableItem PuLens::notable(std::int64_t item, Decision decision, const PointReport& report) const {
    const SolvedPu& solved = solutionOf(report);
    const double epsilon = 4 * solved.lambda * static_cast<double>(items());
    const double z = solved.s.size() > 0 ? solved.scores(m_prepared.samples().positives + item) + solved.bias : 0.0;
    return {item, {}, UnlabeledSamples::nameOf(decision), slackOf(decision, z, epsilon) / epsilon};
}

Result<void> PuLens::auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                                AuditReport& sum, const std::stop_token& stop) {
    if (m_lane.bounds.empty()) { // nothing was decided
        sum.proven.push_back({point.index, {}, limitsOf({0, 0, 0})});
        return {};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const PreparedPu::PointProblem at = m_prepared.problemAt(point.value, stopCheck);
    const auto tight = m_accurate->at(*at.problem, at.lambda, solutionOf(report), stop);
    if (tight == nullptr) {
        return stopped();
    }
    const double unit = at.problem->unit(at.lambda);
    sum.noteGap(tight->solved.gap * unit * unit / std::max(1.0, std::abs(tight->solved.primal)), point.index);
    const DecisionAudit audit = auditDecisions(*at.problem, decisions, tight->solved);
    sum.add(audit, point.index);
    sum.proven.push_back({point.index, boundsOf(*at.problem, tight->solved), limitsOf(audit.possible)});
    return {};
}

Result<DecisionPlane> PuLens::drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                        StopCheck& stopCheck) {
    PlaneEvidence evidence;
    const auto report = replay(
        point, [&](const ScreeningCheck& check) { evidence.take(check, m_prepared.samples().size()); }, stop);
    if (!report) {
        return Failure{report.error()};
    }
    const PreparedPu::PointProblem at =
        m_prepared.problemAt(path()[static_cast<std::size_t>(point)].axisValue, stopCheck);
    const auto& warm = dynamic_cast<const PuWarmStart&>(*report->warmStart);
    return PlaneMaker(m_prepared, axes).make(*at.problem, warm.solved, warm.model, evidence, stopCheck);
}

Result<Predictions> PuLens::predict(std::int32_t point, const Dataset& rows, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (isPrecomputed()) {
        return Failure{singleFault(ErrorCode::BadUsage, {{},
                                                         "the kernel of new rows with those of the run is not known",
                                                         "Choose a run with another kernel than a precomputed one.",
                                                         {}})};
    }
    if (m_prepared.config().labels == LabelMeaning::Files && m_prepared.config().scale != Scaling::None) {
        return Failure{singleFault(ErrorCode::BadUsage,
                                   {{},
                                    "the two files of the run were scaled together, and new rows cannot be like that",
                                    "Scale the files yourself, and set problem.scale to \"none\".",
                                    {}})};
    }
    const auto solution = m_replay.solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    StopCheck stopCheck([stop] { return stop.stop_requested(); });
    const auto& model = dynamic_cast<const PuWarmStart&>(**solution).model;
    const Eigen::VectorXd f =
        valuesOn(m_prepared.samples(), m_prepared.kernel(), model, featureRowsOf(rows), stopCheck);
    if (stopCheck.isStopped()) {
        return stopped();
    }
    return predictionsBySign({f.begin(), f.end()}, "positive", "negative");
}

} // namespace lambdascope::pu
