// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/triplet_lens.h"

#include "core/common/clocks.h"
#include "core/inspect/audit_report.h"
#include "core/triplets/inspect/decision_audit.h"
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/inspect/rule_decision.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
}

const SolvedPoint& solvedPoint(const PointReport& report) {
    return dynamic_cast<const TripletWarmStart&>(*report.warmStart).solved;
}

std::string nameOf(Decision decision) {
    switch (decision) {
    case Decision::Zero: return "R";
    case Decision::Linear: return "L";
    default: return {};
    }
}

/// What columns may say when so many items may lie in R and in L.
std::vector<CountLimit> limitsOf(const std::vector<std::int64_t>& possible) {
    return {{"path_R", possible[0]}, {"final_R", possible[0]}, {"path_L", possible[1]}, {"final_L", possible[1]}};
}

/// Keeps the check that decided one item, or the last one while none did.
class ItemObserver final : public ScreeningObserver {
  public:
    ItemObserver(const TripletStates& states, TripletIndex item, RangeProvenance& trace)
        : m_states(states), m_item(item), m_trace(trace) {}

    void checked(const ScreeningCheck& check) override {
        m_trace.checked(check);
        ++m_checks;
        if (m_decision == Decision::Keep) {
            m_kept = std::make_unique<RecordedCheck>(check);
            m_decision = m_states.at(m_item);
        }
    }
    [[nodiscard]] Decision decision() const { return m_decision; }
    [[nodiscard]] std::int32_t checks() const { return m_checks; }
    [[nodiscard]] const RecordedCheck* kept() const { return m_kept.get(); } ///< null when the lane never screened

  private:
    const TripletStates& m_states;
    TripletIndex m_item;
    RangeProvenance& m_trace;
    Decision m_decision = Decision::Keep;
    std::int32_t m_checks = 0;
    std::unique_ptr<RecordedCheck> m_kept;
};

/// What is worth knowing of the item alone and of its place at a solution.
std::vector<NamedValue> factsOf(const ItemGeometry& probe, double margin, double distance) {
    std::vector<NamedValue> facts = {{"⟨H,M⟩", "margin at the solution", margin}};
    if (probe.isTriplet()) {
        facts.push_back({"‖H‖", "norm of the triplet's matrix", probe.norm().value});
        facts.push_back({"‖x_i − x_l‖²", "squared distance to the other class", probe.squaredFar()});
        facts.push_back({"‖x_i − x_j‖²", "squared distance within the class", probe.squaredNear()});
    } else {
        facts.push_back({"‖H‖", "norm of the comparison's matrix", probe.norm().value});
        if (probe.hasFar()) {
            facts.push_back({"‖a‖²", "squared distance of the pair that should be far", probe.squaredFar()});
        }
        if (probe.hasNear()) {
            facts.push_back({"‖b‖²", "squared distance of the pair that should be close", probe.squaredNear()});
        }
        facts.push_back({"τ", "margin from which on there is no loss", probe.threshold()});
        facts.push_back({"w", "weight of the comparison", probe.weight()});
    }
    facts.push_back({"√(2 gap/λ)", "distance of the solution to the optimum, at most", distance});
    return facts;
}

} // namespace

TripletLens::TripletLens(const PathProblem& problem, const Lane& lane, LaneReplay::MakeTask makeTask,
                         std::shared_ptr<AccuratePoints> accurate)
    : m_items(problem.items()), m_lane(lane.settings), m_gamma(problem.gamma()), m_replay(std::move(makeTask), lane),
      m_accurate(std::move(accurate)) {}

std::string TripletLens::unsafeReason() const {
    for (const BoundKind kind : m_lane.bounds) {
        if (!isSafe(kind)) {
            return std::string(makeBound(kind)->name()) + " takes its reference for the exact optimum";
        }
    }
    return {};
}

TripletStates& TripletLens::states() {
    if (!m_states) {
        m_states.emplace(m_items.size());
    }
    return *m_states;
}

std::string TripletLens::setOf(double margin, double threshold) const {
    return margin > threshold ? "R" : margin < threshold - m_gamma ? "L" : "C";
}

SetScale TripletLens::scaleOf(double threshold, double margin) const {
    const std::string edge = threshold == 1 ? "1" : "τ";
    SetScale scale{"⟨H,M⟩", margin, {{threshold - m_gamma, edge + " − γ"}, {threshold, edge}}, {"L", "C", "R"}};
    if (m_gamma == 0) { // no room for C between the two
        scale.edges.erase(scale.edges.begin());
        scale.sets.erase(scale.sets.begin() + 1);
    }
    return scale;
}

Result<void> TripletLens::open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, {}, {}, progress, std::move(stop));
}

Result<std::int64_t> TripletLens::findItem(const std::string& text) {
    return triplets::findItem(m_items, text);
}

Result<ItemExplanation> TripletLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (item < 0 || item >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no item " + std::to_string(item))};
    }
    const ItemGeometry probe(m_items, item);
    RangeProvenance trace(probe, rangeBound(), m_gamma);
    ItemObserver observer(states(), item, trace);
    const auto report = m_replay.replay(point, {&states(), &observer, &trace}, stop);
    if (!report) {
        return Failure{report.error()};
    }
    const SolvedPoint& solved = solvedPoint(*report);
    const double margin = probe.margin(solved.point.matrix).value;

    ItemExplanation why;
    why.item = item;
    why.title = probe.title();
    why.facts = factsOf(probe, margin, std::sqrt(2 * solved.gap / solved.lambda));
    why.scale = scaleOf(probe.threshold(), margin);
    why.set = nameOf(observer.decision());
    why.trueSet = setOf(margin, probe.threshold());
    why.checks = observer.checks();
    const RecordedCheck* kept = observer.kept();
    if (kept == nullptr) {
        return why;
    }
    why.check = why.set.empty() ? -1 : kept->check();
    why.iteration = kept->iteration();
    why.reference = fixingReference(trace, probe, why, solved.lambda);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    addDecisions(*kept, probe, stopCheck, why);
    if (stopCheck.isStopped()) {
        return stopped();
    }
    return why;
}

void TripletLens::addDecisions(const RecordedCheck& kept, const ItemGeometry& probe, StopCheck& stopCheck,
                               ItemExplanation& why) const {
    BoundReference reference = kept.reference();
    reference.stopCheck = &stopCheck;
    const auto decisionOf = [&](BoundKind kind, const Region& region) {
        return boundDecision(probe, kind, region, reference);
    };
    for (const Region& region : kept.regions()) {
        why.used.push_back(decisionOf(m_lane.bounds[region.bound], region));
    }
    for (const BoundKind kind : boundsBeside(kept.regions(), m_lane.bounds)) {
        const Sphere sphere = makeBound(kind)->sphere(reference);
        if (std::isfinite(sphere.radius)) { // else the bound has nothing to say at this check
            why.rivals.push_back(decisionOf(kind, {sphere, RuleKind::Sphere, {}}));
        }
    }
}

std::optional<FixingReference> TripletLens::fixingReference(const RangeProvenance& trace, const ItemGeometry& probe,
                                                            const ItemExplanation& why, double lambda) const {
    const auto& holder = trace.holder();
    if (!m_lane.keepsRanges() || !holder || why.check != 0 || nameOf(holder->lifetime.decision) != why.set) {
        return std::nullopt;
    }
    FixingReference fixing;
    fixing.axisValue = holder->reference.lambda;
    const auto at = std::find_if(path().begin(), path().end(), [&](const RecomputedPoint& candidate) {
        return candidate.axisValue == holder->reference.lambda;
    });
    fixing.point = at == path().end() ? -1 : static_cast<std::int32_t>(at - path().begin());
    fixing.low = holder->lifetime.range.low;
    fixing.high = holder->lifetime.range.high;
    BoundReference here;
    here.lambda = lambda;
    here.gamma = m_gamma;
    here.path = pathReference(holder->reference);
    here.point = here.path.point;
    here.totals = here.path.totals;
    fixing.decision =
        boundDecision(probe, rangeBound(), {makeBound(rangeBound())->sphere(here), RuleKind::Sphere, {}}, here);
    return fixing;
}

Result<void> TripletLens::auditPoint(const PathPoint& point, const PointReport& report, AuditReport& sum,
                                     const std::stop_token& stop) {
    ++sum.points;
    if (m_lane.bounds.empty()) { // nothing was decided
        sum.proven.push_back({point.index, {}, limitsOf({0, 0})});
        return {};
    }
    const auto tight = m_accurate->at(point.value, solvedPoint(report), stop);
    if (tight == nullptr) {
        return stopped();
    }
    sum.noteGap(tight->solved.gap / std::max(1.0, std::abs(tight->primal.value)), point.index);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const DecisionAudit audit = auditDecisions(m_items, states(), tight->solved, m_gamma, stopCheck);
    if (stopCheck.isStopped()) {
        return stopped();
    }
    sum.add(audit, point.index);
    sum.proven.push_back(
        {point.index,
         ValueBounds::from(tight->primal.value, std::max(tight->primal.error, tight->dual.error), tight->solved.gap),
         limitsOf(audit.possible)});
    return {};
}

Result<AuditReport> TripletLens::audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    const double start = wallSeconds();
    AuditReport sum;
    sum.promisedGap = m_accurate->promisedGap();
    const LaneReplay::Listeners listeners{m_lane.bounds.empty() ? nullptr : &states(), nullptr, nullptr};
    const auto visit = [&](const PathPoint& point, const PointReport& report) {
        return auditPoint(point, report, sum, stop);
    };
    if (auto seen = m_replay.visit(mostPoints, listeners, visit, progress, stop); !seen) {
        return Failure{seen.error()};
    }
    sum.seconds = wallSeconds() - start;
    return sum;
}

} // namespace lambdascope::triplets
