// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/inspect/pu_lens.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/inspect/audit_report.h"
#include "core/inspect/function_observer.h"
#include "core/inspect/notable_items.h"
#include "core/inspect/plane_axes.h"
#include "core/pu/inspect/decision_audit.h"
#include "core/pu/inspect/plane_maker.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

const SolvedPu& solutionOf(const PointReport& report) {
    return dynamic_cast<const PuWarmStart&>(*report.warmStart).solved;
}

std::string nameOf(Decision decision) {
    switch (decision) {
    case Decision::Zero: return "σ = 0";
    case Decision::Half: return "σ = c₂/2";
    case Decision::Full: return "σ = c₂";
    default: return {};
    }
}

/// What columns may say when so many samples may have σ = 0, c₂/2 and c₂.
std::vector<CountLimit> limitsOf(const std::vector<std::int64_t>& possible) {
    std::vector<CountLimit> limits;
    for (const char* when : {"path", "final", "after"}) { // thrifty lanes alone have the last
        limits.push_back({std::string(when) + "_0", possible[0]});
        limits.push_back({std::string(when) + "_half", possible[1]});
        limits.push_back({std::string(when) + "_full", possible[2]});
    }
    return limits;
}

using CheckObserver = FunctionObserver<ScreeningObserver, ScreeningCheck>;

PathReplay::Listen listenWith(ScreeningObserver& observer) {
    return [&observer](PathTask& task, bool isOn) { dynamic_cast<PuTask&>(task).observe(isOn ? &observer : nullptr); };
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
    const Decision decided = judge(score, reach, view.epsilon, bracket);
    decision.set = nameOf(decided);
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

PuLens::PuLens(const PreparedPu& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : m_prepared(prepared), m_lane(lane.settings),
      m_replay([&prepared, &lane] { return std::make_unique<PuTask>(prepared, lane); }, prepared.seed()),
      m_accurate(std::move(accurate)) {}

Result<void> PuLens::open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, {}, {}, progress, stop);
}

Result<std::int64_t> PuLens::findItem(const std::string& text) {
    return itemNumber(text, items(), "an unlabeled sample");
}

Result<PointReport> PuLens::replay(std::int32_t point, const OnCheck& observer, const std::stop_token& stop) {
    CheckObserver calling(observer);
    return m_replay.replay(point, listenWith(calling), {}, stop);
}

Result<ItemExplanation> PuLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (item < 0 || item >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(item))};
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
            why.set = nameOf(check.decisions[static_cast<std::size_t>(item)]);
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
    why.title = sampleTitle(m_prepared.samples(), item);
    if (solved.s.size() > 0) {
        const double unit = 1 / (4 * solved.lambda * static_cast<double>(items()));
        const double f = unit * (solved.scores(u) + solved.bias);
        why.facts = {{"f", "value at the solution", f},
                     {"σ", "coefficient at the solution", unit * solved.s(u)},
                     {"c₂", "largest σ", 2 * unit},
                     {"‖φ‖", "length of the sample", std::sqrt(std::max(0.0, m_prepared.space()->diagonal()(u)))}};
        const double s = solved.s(u);
        why.trueSet = s == 0   ? nameOf(Decision::Zero)
                      : s == 1 ? nameOf(Decision::Half)
                      : s == 2 ? nameOf(Decision::Full)
                               : "between";
    }
    return why;
}

Result<PointReport> PuLens::lastDecisions(std::int32_t point, std::vector<Decision>& decisions,
                                          const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    decisions.assign(static_cast<std::size_t>(items()), Decision::Keep);
    return replay(
        point, [&](const ScreeningCheck& check) { decisions.assign(check.decisions.begin(), check.decisions.end()); },
        stop);
}

NotableItem PuLens::notable(std::int64_t item, Decision decision, const SolvedPu& solved) const {
    const double epsilon = 4 * solved.lambda * static_cast<double>(items());
    const double z = solved.s.size() > 0 ? solved.scores(m_prepared.samples().positives + item) + solved.bias : 0.0;
    return {item, {}, nameOf(decision), slackOf(decision, z, epsilon) / epsilon};
}

Result<std::vector<NotableItem>> PuLens::itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t /*count*/,
                                                       std::stop_token stop) {
    if (sample < 0 || sample >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(sample))};
    }
    std::vector<Decision> decisions;
    const auto report = lastDecisions(point, decisions, stop);
    if (!report) {
        return Failure{report.error()};
    }
    NotableItem item = notable(sample, decisions[static_cast<std::size_t>(sample)], solutionOf(*report));
    item.title = sampleTitle(m_prepared.samples(), sample);
    return std::vector<NotableItem>{std::move(item)};
}

Result<std::vector<NotableItem>> PuLens::notableItems(std::int32_t point, std::size_t count, std::stop_token stop) {
    std::vector<Decision> decisions;
    const auto report = lastDecisions(point, decisions, stop);
    if (!report) {
        return Failure{report.error()};
    }
    std::vector<NotableItem> result;
    for (const Decision set : {Decision::Zero, Decision::Half, Decision::Full, Decision::Keep}) {
        std::vector<NotableItem> few;
        for (std::size_t k = 0; k < decisions.size(); ++k) {
            if (decisions[k] == set) {
                few.push_back(notable(static_cast<std::int64_t>(k), set, solutionOf(*report)));
            }
        }
        addMostNotable(
            std::move(few), set == Decision::Keep, count / 4,
            [&](std::int64_t item) { return sampleTitle(m_prepared.samples(), item); }, result);
    }
    return result;
}

Result<AuditReport> PuLens::audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    const double start = wallSeconds();
    AuditReport sum;
    sum.promisedGap = AccuratePoints::kPromisedGap;
    std::vector<Decision> decisions(static_cast<std::size_t>(items()), Decision::Keep);
    CheckObserver observer(
        [&](const ScreeningCheck& check) { decisions.assign(check.decisions.begin(), check.decisions.end()); });
    const auto visit = [&](const PathPoint& point, const PointReport& report) -> Result<void> {
        ++sum.points;
        if (m_lane.bounds.empty()) { // nothing was decided
            sum.proven.push_back({point.index, {}, limitsOf({0, 0, 0})});
            return {};
        }
        StopCheck stopCheck([&stop] { return stop.stop_requested(); });
        const PreparedPu::PointProblem at = m_prepared.problemAt(point.value, stopCheck);
        const auto tight = m_accurate->at(*at.problem, at.lambda, solutionOf(report), stop);
        if (tight == nullptr) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
        }
        const double unit = at.problem->unit(at.lambda);
        sum.noteGap(tight->solved.gap * unit * unit / std::max(1.0, std::abs(tight->solved.primal)), point.index);
        const DecisionAudit audit = auditDecisions(*at.problem, decisions, tight->solved);
        sum.add(audit, point.index);
        sum.proven.push_back({point.index, boundsOf(*at.problem, tight->solved), limitsOf(audit.possible)});
        std::fill(decisions.begin(), decisions.end(), Decision::Keep);
        return {};
    };
    if (auto seen = m_replay.visit(mostPoints, listenWith(observer), visit, progress, stop); !seen) {
        return Failure{seen.error()};
    }
    sum.seconds = wallSeconds() - start;
    return sum;
}

Result<DecisionPlane> PuLens::plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) {
    if (const std::string obstacle =
            planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed);
        !obstacle.empty()) {
        return Failure{plainError(ErrorCode::BadUsage, obstacle)};
    }
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto chosen = chosenAxes(m_prepared.data(), sidesOfRows(m_prepared), axes);
    if (!chosen) {
        return Failure{chosen.error()};
    }
    PlaneEvidence evidence;
    const auto report = replay(
        point, [&](const ScreeningCheck& check) { evidence.take(check, m_prepared.samples().size()); }, stop);
    if (!report) {
        return Failure{report.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const PreparedPu::PointProblem at =
        m_prepared.problemAt(m_replay.path()[static_cast<std::size_t>(point)].axisValue, stopCheck);
    const auto& warm = dynamic_cast<const PuWarmStart&>(*report->warmStart);
    DecisionPlane plane =
        PlaneMaker(m_prepared, *chosen).make(*at.problem, warm.solved, warm.model, evidence, stopCheck);
    if (stopCheck.isStopped()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while drawing the plane")};
    }
    return plane;
}

} // namespace lambdascope::pu
