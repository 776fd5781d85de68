// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/svm_lens.h"

#include "core/common/number_text.h"
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/inspect/plane_maker.h"
#include "core/svm/inspect/plane_states.h"
#include "core/svm/screening/bounds.h"
#include "core/svm/screening/c_ranges.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lambdascope::svm {

namespace {

const SolvedSvm& solutionOf(const PointReport& report) {
    return dynamic_cast<const SvmWarmStart&>(*report.warmStart).solution();
}

/// Turns what a region says of a side of the tube, y(f − ȳ) against y(target − ȳ) − ε, into what it says of f, which
/// people know. Its y is called s, since y is the target.
void tellOfValue(double mean, double y, BoundDecision& decision) {
    const std::size_t at = decision.inequality.find_first_of("<>");
    const bool isAbove = decision.inequality[at] == '>';
    std::string left = decision.inequality.substr(0, at);
    left.erase(left.find_last_not_of(' ') + 1);
    if (const std::size_t bias = left.find("yb"); bias != std::string::npos) {
        left[bias] = 's';
    }
    for (NamedValue& term : decision.terms) {
        term.symbol = term.symbol == "y" ? "s" : term.symbol;
    }
    decision.left = mean + y * decision.left;
    decision.threshold = mean + y * decision.threshold;
    decision.inequality = (mean != 0 ? "ȳ" : "") +
                          (y < 0       ? (mean != 0 ? " − (" : "−(") + left + ")"
                           : mean != 0 ? " + " + left
                                       : left) +
                          (isAbove == (y > 0) ? " > " : " < ") + shortText(decision.threshold);
    if (decision.values) {
        const ValueInterval& of = *decision.values;
        decision.values =
            y > 0 ? ValueInterval{mean + of.low, mean + of.high} : ValueInterval{mean - of.high, mean - of.low};
    }
    if (mean != 0) {
        decision.terms.push_back({"ȳ", "mean of the targets", mean});
    }
}

} // namespace

double slackAt(const SvmProblem& problem, const SolvedSvm& solved, Decision decision, SampleIndex i) {
    const double above = solved.marginOf(i, problem.y()(i)) - problem.thresholds()(i);
    return decision == Decision::Zero ? above : decision == Decision::Full ? -above : std::abs(above);
}

SvmLens::SvmLens(const PreparedSvm& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : SampleInspector([&prepared, &lane] { return std::make_unique<SvmTask>(prepared, lane); }, prepared.seed()),
      m_prepared(prepared), m_problem(prepared.problem()), m_lane(lane.settings), m_accurate(std::move(accurate)) {}

Result<std::shared_ptr<const SvmWarmStart>> SvmLens::reference(std::int32_t point, const std::stop_token& stop) {
    auto found = m_replay.solution(point, stop);
    if (!found) {
        return Failure{found.error()};
    }
    return std::dynamic_pointer_cast<const SvmWarmStart>(*found);
}

Result<ItemExplanation> SvmLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = checkPlace(item, point); !checked) {
        return Failure{checked.error()};
    }
    const auto i = static_cast<SampleIndex>(item);
    ItemExplanation why;
    double carriedTo = 0; // the C up to which an earlier solution decides it, when it is that which decided it
    // Rivals need ŝ, whether or not the lane's own tests do.
    Nc3Cut cut(m_problem);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            ++why.checks;
            if (!why.set.empty()) {
                return;
            }
            const Decision decision = check.decisions[static_cast<std::size_t>(i)];
            const SolvedSvm* from = check.reference.path;
            if (decision != Decision::Keep && why.checks == 1 && from != nullptr && from->ranges != nullptr &&
                from->ranges->at(i, check.reference.c) == decision) {
                carriedTo = static_cast<double>(from->ranges->ends[static_cast<std::size_t>(i)]);
            }
            why.set = SvmSamples::nameOf(decision);
            why.check = why.set.empty() ? -1 : check.check;
            why.iteration = check.sweep;
            why.used.clear();
            why.rivals.clear();
            const ScreeningReference& reference = check.reference;
            ScreeningReference ofRivals = reference;
            if (reference.path != nullptr && reference.cut == nullptr) {
                cut.update(*reference.path, reference.c, stopCheck);
                ofRivals.cut = &cut;
                bracketBiases(m_problem, {}, ofRivals);
            }
            for (const BoundKind kind : allBounds()) {
                const bool isOwn = std::find(m_lane.bounds.begin(), m_lane.bounds.end(), kind) != m_lane.bounds.end();
                if (const auto region = makeRegion(kind, m_problem, isOwn ? reference : ofRivals)) {
                    (isOwn ? why.used : why.rivals).push_back(region->explain(i));
                }
            }
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    if (stopCheck.isStopped()) {
        return stopped();
    }
    const SolvedSvm& solved = solutionOf(*report);
    if (carriedTo > 0) {
        why.reference = holderOf(i, why.set, point, solved.c, carriedTo, stop);
    }
    why.item = item;
    why.title = titleOf(item);
    const double margin = solved.marginOf(i, m_problem.y()(i));
    const double edge = m_problem.thresholds()(i);
    const bool isNovelty = m_prepared.config().isNovelty();
    why.scale = {m_problem.hasFreeBias() ? "zᵀw + yb" : "zᵀw", margin, {{edge, shortText(edge)}}, {"L", "R"}};
    why.facts = {{"f", isNovelty ? "value at the solution" : "margin at the solution", margin},
                 {"‖z‖", "length of the sample", m_problem.norms()(i)},
                 {"Cω", "largest α", solved.c * m_problem.weights()(i)},
                 {"√gap", "distance of the solution to the optimum, at most", std::sqrt(solved.gap)}};
    if (m_problem.hasFreeBias()) {
        why.facts.push_back({"b", "bias at the solution", solved.bias});
    }
    if (solved.alpha.size() > 0) {
        why.facts.insert(why.facts.begin() + 1, {"α", "coefficient at the solution", solved.alpha(i)});
    }
    if (m_prepared.config().isRegression()) {
        tellOfValues(i, why);
    } else if (isNovelty) {
        why.scale.quantity = "f";
        why.scale.sets = {"L: outside", "R: inside"};
    }
    why.trueSet = isFree(m_problem, solved, i) ? "E" : margin > edge ? "R" : margin < edge ? "L" : "E";
    return why;
}

/// The problem is one of targets less their mean, and of y times values.
void SvmLens::tellOfValues(SampleIndex i, ItemExplanation& why) const {
    const double mean = m_prepared.targetMean();
    const double y = m_problem.y()(i);
    for (std::vector<BoundDecision>* decisions : {&why.used, &why.rivals}) {
        for (BoundDecision& decision : *decisions) {
            tellOfValue(mean, y, decision);
        }
    }
    if (why.reference) {
        tellOfValue(mean, y, why.reference->decision);
    }
    const double edge = mean + y * m_problem.thresholds()(i);
    const double value = mean + y * *why.scale.atSolution;
    why.scale = {"f", value, {{edge, std::string(y > 0 ? "y − ε" : "y + ε") + " = " + shortText(edge)}}, {}};
    why.scale.sets = y > 0 ? std::vector<std::string>{"L: above", "R: not above"}
                           : std::vector<std::string>{"R: not below", "L: below"};
    why.facts.front() = {"f", "value at the solution", value};
    why.facts.insert(why.facts.begin() + 1, {"y", "target of the row", m_prepared.targets()(m_problem.rowOf(i))});
    for (NamedValue& fact : why.facts) {
        if (fact.symbol == "b") {
            fact.value += mean;
        }
    }
}

std::optional<FixingReference> SvmLens::holderOf(SampleIndex i, const std::string& set, std::int32_t point, double c,
                                                 double end, const std::stop_token& stop) {
    for (std::int32_t earlier = point - 1; earlier > 0; --earlier) {
        const auto made = reference(earlier, stop);
        const auto from = reference(earlier - 1, stop);
        if (!made || !from) {
            return std::nullopt;
        }
        Decision decision = Decision::Keep;
        const RangeRule rule(m_problem, (*from)->next, (*made)->next.c);
        if (rule.isUsable() && static_cast<double>(rule.end(i, decision)) == end &&
            SvmSamples::nameOf(decision) == set) {
            ScreeningReference held;
            held.c = c;
            held.path = &(*from)->next;
            FixingReference fixing;
            fixing.point = earlier - 1;
            fixing.axisValue = (*from)->next.c;
            fixing.low = (*made)->next.c;
            fixing.high = end;
            fixing.decision = makeRegion(BoundKind::BallOne, m_problem, held)->explain(i);
            return fixing;
        }
    }
    return std::nullopt;
}

NotableItem SvmLens::notable(std::int64_t item, Decision decision, const PointReport& report) const {
    const auto i = static_cast<SampleIndex>(item);
    return {item, {}, SvmSamples::nameOf(decision), slackAt(m_problem, solutionOf(report), decision, i)};
}

std::vector<std::int64_t> SvmLens::itemsOfRow(std::int64_t row) const {
    return m_problem.sharesRows() ? std::vector<std::int64_t>{row, row + m_problem.rowCount()}
                                  : std::vector<std::int64_t>{row};
}

std::string SvmLens::titleOf(std::int64_t item) const {
    return sampleTitle(m_prepared, static_cast<SampleIndex>(item));
}

Result<void> SvmLens::auditPoint(const PathPoint& point, const PointReport& report, const Decisions& decisions,
                                 AuditReport& sum, const std::stop_token& stop) {
    if (m_lane.bounds.empty() && report.bounds.hasLower()) { // nothing was decided, and the values prove themselves
        sum.proven.push_back({point.index, {}, limitsOf({0, 0})});
        return {};
    }
    const auto found = audited(solutionOf(report), decisions, stop);
    if (!found) {
        return Failure{found.error()};
    }
    sum.noteGap(found->gap, point.index);
    sum.add(found->audit, point.index);
    sum.proven.push_back({point.index, found->value, limitsOf(found->audit.possible)});
    return {};
}

Result<SvmLens::Audited> SvmLens::audited(const SolvedSvm& solved, std::span<const Decision> decisions,
                                          const std::stop_token& stop) {
    const auto tight = m_accurate->at(solved.c, solved.alpha.size() > 0 ? solved : m_prepared.bottom(), stop);
    if (tight == nullptr) {
        return stopped();
    }
    Audited found;
    found.gap = tight->solved.gap / std::max(1.0, std::abs(tight->primal.value));
    found.value =
        ValueBounds::from(tight->primal.value, std::max(tight->primal.error, tight->dual.error), tight->solved.gap);
    found.audit = auditDecisions(m_problem, decisions, tight->solved, optimumNear(m_problem, tight->solved));
    if (m_lane.bounds.empty()) {
        found.audit.possible = {0, 0};
    }
    return found;
}

std::vector<CountLimit> SvmLens::limitsOf(const std::vector<std::int64_t>& possible) {
    return {{"path_R", possible[0]}, {"final_R", possible[0]}, {"path_L", possible[1]}, {"final_L", possible[1]}};
}

Result<DecisionPlane> SvmLens::drawPlane(std::int32_t point, const PlaneAxes& axes, const std::stop_token& stop,
                                         StopCheck& stopCheck) {
    Decisions decisions;
    const OnCheck keep = keepLast(decisions);
    PlaneEvidence evidence(m_lane.bounds);
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            keep(check);
            evidence.take(check);
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    return PlaneMaker(m_prepared, axes).make(solutionOf(*report), decisions, evidence, stopCheck);
}

Result<LibsvmModel> SvmLens::modelAt(std::int32_t point, const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    return solution ? libsvmModel(m_prepared, (*solution)->solution()) : Failure{solution.error()};
}

Result<std::string> SvmLens::exportModel(std::int32_t point, std::stop_token stop) {
    const auto model = modelAt(point, stop);
    return model ? Result<std::string>(writeLibsvmModel(*model)) : Failure{model.error()};
}

Result<Predictions> SvmLens::predict(std::int32_t point, const Dataset& rows, std::stop_token stop) {
    const auto model = modelAt(point, stop);
    if (!model) {
        return Failure{model.error()};
    }
    StopCheck stopCheck([stop] { return stop.stop_requested(); });
    const Eigen::VectorXd f = model->values(rows, stopCheck);
    if (stopCheck.isStopped()) {
        return stopped();
    }
    if (m_prepared.config().isRegression()) {
        return Predictions{{}, {}, {f.begin(), f.end()}, "f"};
    }
    if (m_prepared.config().isNovelty()) {
        return predictionsBySign({f.begin(), f.end()}, "inside", "outside");
    }
    const std::vector<std::string>& names = data().classNames();
    const std::string& positive = m_prepared.positive();
    const std::string negative = names.size() != 2 ? "not " + positive : names[0] == positive ? names[1] : names[0];
    return predictionsBySign({f.begin(), f.end()}, positive, negative);
}

} // namespace lambdascope::svm
