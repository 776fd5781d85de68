// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/metric_lens.h"

#include "core/common/clocks.h"
#include "core/metric/bound_verdict.h"
#include "core/metric/decision_audit.h"
#include "core/metric/pair_space.h"
#include "core/metric/rule_verdict.h"
#include "core/metric/triplet_probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
}

const SolvedPoint& solvedPoint(const PointReport& report) {
    return dynamic_cast<const MetricWarmStart&>(*report.warmStart).solved;
}

std::string nameOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Zero: return "R";
    case Verdict::Linear: return "L";
    default: return {};
    }
}

/// Keeps the check that decided one triplet, or the last one while none did.
class ItemWatch final : public ScreeningWatch {
  public:
    ItemWatch(const TripletStates& states, TripletIndex item, RangeTrace& trace)
        : m_states(states), m_item(item), m_trace(trace) {}

    void checked(const ScreeningCheck& check) override {
        m_trace.checked(check);
        ++m_checks;
        if (m_verdict == Verdict::Keep) {
            m_kept = std::make_unique<KeptCheck>(check);
            m_verdict = m_states.at(m_item);
        }
    }
    [[nodiscard]] Verdict verdict() const { return m_verdict; }
    [[nodiscard]] std::int32_t checks() const { return m_checks; }
    [[nodiscard]] const KeptCheck* kept() const { return m_kept.get(); } ///< null when the lane never screened

  private:
    const TripletStates& m_states;
    TripletIndex m_item;
    RangeTrace& m_trace;
    Verdict m_verdict = Verdict::Keep;
    std::int32_t m_checks = 0;
    std::unique_ptr<KeptCheck> m_kept;
};

/// The best few of many by a score, lowest first.
class FewBest {
  public:
    explicit FewBest(std::size_t count) : m_count(count) {}
    void offer(TripletIndex item, double score, double slack) {
        if (m_count == 0 || (m_best.size() == m_count && score >= m_best.back().score)) {
            return;
        }
        const auto place = std::upper_bound(m_best.begin(), m_best.end(), score,
                                            [](double value, const Entry& entry) { return value < entry.score; });
        m_best.insert(place, {item, score, slack});
        if (m_best.size() > m_count) {
            m_best.pop_back();
        }
    }
    struct Entry {
        TripletIndex item;
        double score;
        double slack;
    };
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_best; }

  private:
    std::size_t m_count;
    std::vector<Entry> m_best;
};

} // namespace

MetricLens::MetricLens(const PreparedMetric& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate)
    : m_prepared(prepared), m_triplets(prepared.triplets()), m_lane(laneFields().readResolved(lane.settings)),
      m_gamma(prepared.problem().lossGamma()), m_replay(prepared, lane), m_accurate(std::move(accurate)) {}

std::string MetricLens::unsafeReason() const {
    for (const BoundKind kind : m_lane.bounds) {
        if (!isSafe(kind)) {
            return std::string(makeBound(kind)->name()) + " takes its reference for the exact optimum";
        }
    }
    return {};
}

TripletStates& MetricLens::states() {
    if (!m_states) {
        m_states.emplace(m_triplets.triplets());
    }
    return *m_states;
}

std::string MetricLens::setOf(double margin) const {
    return margin > 1 ? "R" : margin < 1 - m_gamma ? "L" : "C";
}

Result<void> MetricLens::open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, {}, {}, progress, std::move(stop));
}

Result<std::int64_t> MetricLens::findItem(const std::string& text) const {
    auto wanted = readTriplet(text);
    if (!wanted) {
        return Failure{wanted.error()};
    }
    return findTriplet(m_triplets, *wanted);
}

Result<ItemExplanation> MetricLens::explain(std::int64_t item, std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    if (item < 0 || item >= items()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no triplet " + std::to_string(item))};
    }
    const TripletProbe probe(m_triplets, item);
    RangeTrace trace(probe, m_gamma);
    ItemWatch watch(states(), item, trace);
    const auto report = m_replay.replay(point, {&states(), &watch, &trace}, stop);
    if (!report) {
        return Failure{report.error()};
    }
    const SolvedPoint& solved = solvedPoint(*report);
    const double margin = probe.margin(solved.point.matrix).value;

    ItemExplanation why;
    why.item = item;
    why.title = probe.title();
    why.facts = {
        {"⟨H,M⟩", "margin at the solution", margin},
        {"‖H‖", "norm of the triplet's matrix", probe.norm().value},
        {"‖x_i − x_l‖²", "squared distance to the other class", probe.squaredOther()},
        {"‖x_i − x_j‖²", "squared distance within the class", probe.squaredSame()},
        {"√(2 gap/λ)", "distance of the solution to the optimum, at most", std::sqrt(2 * solved.gap / solved.lambda)}};
    why.set = nameOf(watch.verdict());
    why.trueSet = setOf(margin);
    why.checks = watch.checks();
    const KeptCheck* kept = watch.kept();
    if (kept == nullptr) {
        return why;
    }
    why.check = why.set.empty() ? -1 : kept->check();
    why.iteration = kept->iteration();
    why.reference = fixingReference(trace, probe, why, solved.lambda);
    for (std::size_t b = 0; b < kept->regions().size(); ++b) {
        why.used.push_back(regionVerdict(probe, kept->regions()[b], makeBound(m_lane.bounds[b])->name(), m_gamma));
    }
    for (const BoundKind kind : allBounds()) {
        if (std::find(m_lane.bounds.begin(), m_lane.bounds.end(), kind) == m_lane.bounds.end()) {
            const auto bound = makeBound(kind);
            const Sphere sphere = bound->sphere(kept->reference());
            if (std::isfinite(sphere.radius)) { // else the bound has nothing to say at this check
                why.rivals.push_back(regionVerdict(probe, {sphere, RuleKind::Sphere, {}}, bound->name(), m_gamma));
            }
        }
    }
    return why;
}

std::optional<FixingReference> MetricLens::fixingReference(const RangeTrace& trace, const TripletProbe& probe,
                                                           const ItemExplanation& why, double lambda) const {
    const auto& holder = trace.holder();
    if (!m_lane.range || !holder || why.check != 0 || nameOf(holder->lifetime.verdict) != why.set) {
        return std::nullopt;
    }
    FixingReference fixing;
    fixing.axisValue = holder->lambda;
    const auto at = std::find_if(path().begin(), path().end(), [&](const RecomputedPoint& candidate) {
        return candidate.axisValue == holder->lambda;
    });
    fixing.point = at == path().end() ? -1 : static_cast<std::int32_t>(at - path().begin());
    fixing.low = holder->lifetime.range.low;
    fixing.high = holder->lifetime.range.high;
    BoundReference here;
    here.lambda = lambda;
    here.gamma = m_gamma;
    here.path = {&holder->point, holder->lambda, holder->gap};
    const auto bound = makeBound(BoundKind::RelaxedPath);
    fixing.verdict = regionVerdict(probe, {bound->sphere(here), RuleKind::Sphere, {}}, bound->name(), m_gamma);
    return fixing;
}

Result<std::vector<NotableItem>> MetricLens::notableItems(std::int32_t point, std::size_t count, std::stop_token stop) {
    return notableOf(0, m_triplets.rows(), point, count, stop);
}

Result<std::vector<NotableItem>> MetricLens::itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                           std::stop_token stop) {
    if (sample < 0 || sample >= m_triplets.rows()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(sample))};
    }
    const auto anchor = static_cast<RowIndex>(sample);
    return notableOf(anchor, anchor + 1, point, count, stop);
}

Result<std::vector<NotableItem>> MetricLens::notableOf(RowIndex first, RowIndex end, std::int32_t point,
                                                       std::size_t count, const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto report = m_replay.replay(point, {&states(), nullptr, nullptr}, stop);
    if (!report) {
        return Failure{report.error()};
    }
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    PairSpace space(m_triplets);
    std::vector<double> z;
    if (!space.distances(solvedPoint(*report).point, nullptr, poll, z)) {
        return stopped();
    }
    const std::size_t each = std::max<std::size_t>(1, count / 3);
    FewBest zero(each);
    FewBest linear(each);
    FewBest kept(each);
    for (RowIndex i = first; i < end; ++i) {
        TripletIndex number = m_triplets.tripletOffset(i);
        for (std::int64_t s = m_triplets.sameOffset(i); s < m_triplets.sameOffset(i + 1); ++s) {
            const double same = z[static_cast<std::size_t>(m_triplets.samePair(s))];
            for (std::int64_t o = m_triplets.otherOffset(i); o < m_triplets.otherOffset(i + 1); ++o, ++number) {
                const double margin = z[static_cast<std::size_t>(m_triplets.otherPair(o))] - same;
                const double above = margin - 1;
                const double below = 1 - m_gamma - margin;
                switch (m_states->at(number)) {
                case Verdict::Zero: zero.offer(number, above, above); break;
                case Verdict::Linear: linear.offer(number, below, below); break;
                default:
                    // Of those that stayed, the ones that a better ball would have decided first.
                    kept.offer(number, -std::max(above, below), std::max(above, below));
                }
            }
        }
        if (poll.spend(8 * m_triplets.sameCount(i) * m_triplets.otherCount(i))) {
            return stopped();
        }
    }
    std::vector<NotableItem> items;
    for (const auto& [few, set] : {std::pair{&zero, "R"}, std::pair{&linear, "L"}, std::pair{&kept, ""}}) {
        for (const FewBest::Entry& entry : few->entries()) {
            items.push_back({entry.item, TripletProbe(m_triplets, entry.item).title(), set, entry.slack});
        }
    }
    return items;
}

Result<void> MetricLens::auditPoint(const PathPoint& point, const PointReport& report, AuditReport& sum,
                                    const std::stop_token& stop) {
    ++sum.points;
    if (m_lane.bounds.empty()) {
        return {}; // nothing was decided
    }
    const auto tight = m_accurate->at(point.value, solvedPoint(report), stop);
    if (tight == nullptr) {
        return stopped();
    }
    sum.largestGap = std::max(sum.largestGap, tight->solved.gap / std::max(1.0, std::abs(tight->primal.value)));
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    const DecisionAudit audit = auditDecisions(m_triplets, states(), tight->solved, m_gamma, poll);
    if (poll.isStopped()) {
        return stopped();
    }
    sum.add(audit, point.index);
    return {};
}

Result<AuditReport> MetricLens::audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    const double start = wallSeconds();
    AuditReport sum;
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

} // namespace lambdascope::metric
