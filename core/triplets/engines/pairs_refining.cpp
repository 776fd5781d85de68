// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the pairs engine that look at triplets one by one; the sphere rule is in pairs_screening.cpp.
#include "core/triplets/engines/pairs_taking.h"
#include "core/triplets/screening/diagonal_rule.h"
#include "core/triplets/screening/linear_rule.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/screening/range_store.h"
#include "core/triplets/screening/semidefinite_rule.h"

#include <cmath>

namespace lambdascope::triplets {

namespace {

/// A triplet by its pairs, these pairs' places among those that are left, and its number.
struct PlacedTriplet {
    PairIndex other = 0;
    PairIndex same = 0;
    std::size_t otherPlace = 0;
    std::size_t samePlace = 0;
    TripletIndex number = 0;
};

/// Triplets one by one: judge(PlacedTriplet) gives the decision on each one that pick(group, bits) takes.
template <class Pick, class Judge>
class EachTest {
  public:
    EachTest(const TripletSet& triplets, StopCheck& stopCheck, Pick pick, Judge judge)
        : m_triplets(triplets), m_stopCheck(stopCheck), m_pick(std::move(pick)), m_judge(std::move(judge)) {}

    JudgedRows beginAnchor(const PackedTriplets::AnchorView& anchor, std::span<const PackedTriplets::Row> rows) {
        m_anchor = anchor;
        m_pick.beginAnchor(anchor, rows);
        return {m_every.of(rows), {}, {}};
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t number) {
        m_same = row.same;
        m_number = m_triplets.tripletOffset(m_anchor.row) + row.place * m_triplets.otherCount(m_anchor.row);
        m_pick.beginRow(row, number);
    }
    GroupDecisions test(std::uint32_t group, std::uint32_t bits) {
        GroupDecisions found;
        for (std::uint32_t rest = m_stopCheck.isStopped() ? 0 : m_pick.pick(group, bits); rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const std::size_t place = kGroupSize * group + static_cast<std::size_t>(bit);
            const Decision decision = m_judge(
                PlacedTriplet{m_anchor.other(place), m_anchor.number(m_same),
                              static_cast<std::size_t>(m_anchor.columns[place]), static_cast<std::size_t>(m_same),
                              m_number + static_cast<TripletIndex>(kGroupSize * m_anchor.origins[group]) + bit});
            found.zero |= static_cast<std::uint32_t>(decision == Decision::Zero) << bit;
            found.linear |= static_cast<std::uint32_t>(decision == Decision::Linear) << bit;
        }
        return found;
    }

  private:
    const TripletSet& m_triplets;
    StopCheck& m_stopCheck;
    Pick m_pick;
    Judge m_judge;
    EveryRow m_every;
    PackedTriplets::AnchorView m_anchor;
    PairIndex m_same = 0;
    TripletIndex m_number = 0;
};

struct PickAll {
    void beginAnchor(const PackedTriplets::AnchorView& /*anchor*/, std::span<const PackedTriplets::Row> /*rows*/) {}
    void beginRow(const PackedTriplets::Row& /*row*/, std::uint32_t /*number*/) {}
    [[nodiscard]] std::uint32_t pick(std::uint32_t /*group*/, std::uint32_t bits) const { return bits; }
};

/// Those that a ball decides.
class PickDecided {
  public:
    explicit PickDecided(SphereTester& tester) : m_tester(tester) {}

    void beginAnchor(const PackedTriplets::AnchorView& anchor, std::span<const PackedTriplets::Row> rows) {
        (void)m_tester.beginAnchor(anchor, rows);
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t number) {
        m_isDecided = m_tester.decisions()[number] != Decision::Keep;
        m_tester.beginRow(row, number);
    }
    [[nodiscard]] std::uint32_t pick(std::uint32_t group, std::uint32_t bits) {
        if (m_isDecided) {
            return bits;
        }
        const GroupDecisions decisions = m_tester.test(group, bits);
        return decisions.zero | decisions.linear;
    }

  private:
    SphereTester& m_tester;
    bool m_isDecided = false;
};

/// What a store has fixed.
class FixedTest {
  public:
    FixedTest(const TripletSet& triplets, const TripletStates& fixed) : m_triplets(triplets), m_fixed(fixed) {}

    JudgedRows beginAnchor(const PackedTriplets::AnchorView& anchor, std::span<const PackedTriplets::Row> rows) {
        m_anchor = anchor;
        return {m_every.of(rows), {}, {}};
    }
    void beginRow(const PackedTriplets::Row& row, std::uint32_t /*number*/) {
        m_number = m_triplets.tripletOffset(m_anchor.row) + row.place * m_triplets.otherCount(m_anchor.row);
    }
    [[nodiscard]] GroupDecisions test(std::uint32_t group, std::uint32_t bits) const {
        const TripletIndex first = m_number + static_cast<TripletIndex>(kGroupSize * m_anchor.origins[group]);
        return {bits & static_cast<std::uint32_t>(m_fixed.bits(Decision::Zero, first)),
                bits & static_cast<std::uint32_t>(m_fixed.bits(Decision::Linear, first))};
    }

  private:
    const TripletSet& m_triplets;
    const TripletStates& m_fixed;
    EveryRow m_every;
    PackedTriplets::AnchorView m_anchor;
    TripletIndex m_number = 0;
};

} // namespace

bool PairsEngine::screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (region.normal.size() == 0) {
        return true; // the half-space is everything
    }
    // What the ball decided has changed the places of pairs.
    if (!m_space.forms(region.sphere.centre, active().pairs(), stopCheck, m_values) ||
        !m_space.forms(region.normal, active().pairs(), stopCheck, m_normalValues)) {
        return !stopCheck.isStopped();
    }
    const LinearRule rule(region, gamma, marginError(spectralBound(region.sphere.centre)),
                          marginError(spectralBound(region.normal)));
    std::int64_t judged = 0;
    std::int64_t norms = 0;
    EachTest test(m_triplets, stopCheck, PickAll(), [&](const PlacedTriplet& triplet) {
        const std::size_t s = triplet.samePlace;
        const std::size_t o = triplet.otherPlace;
        ++judged;
        const double q = m_values[o] - m_values[s];
        const double p = m_normalValues[o] - m_normalValues[s];
        const double a = m_triplets.squaredLength(triplet.other);
        const double b = m_triplets.squaredLength(triplet.same);
        (void)stopCheck.spend(40);
        // (A − B)² ≤ ‖H‖² ≤ A² + B²: the exact norm only where it matters.
        const Decision sure = rule.judge(q, p, SphereRule::mostSquaredNorm(a, b));
        if (sure != Decision::Keep || rule.judge(q, p, SphereRule::leastSquaredNorm(a, b)) == Decision::Keep) {
            return sure;
        }
        ++norms;
        (void)stopCheck.spend(3 * m_triplets.stride());
        return rule.judge(q, p, m_norms.squared(triplet.other, triplet.same));
    });
    const bool done = takeActive(test, stopCheck, screened);
    m_work += work::ofJudging(2 * judged) + work::ofNorms(norms, m_triplets.stride());
    return done;
}

bool PairsEngine::screenByCone(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    const auto screenBy = [&](auto rule) {
        std::int64_t operations = 0;
        EachTest test(m_triplets, stopCheck, PickAll(), [&](const PlacedTriplet& triplet) {
            const Decision decision = rule.judge(m_triplets.rowsOf(triplet.other), m_triplets.rowsOf(triplet.same));
            const std::int64_t taken = rule.takeOperations();
            operations += taken;
            (void)stopCheck.spend(taken);
            return decision;
        });
        const bool done = takeActive(test, stopCheck, screened);
        m_work += work::ofRuleOperations(operations);
        return done;
    };
    return m_triplets.structure() == Structure::Diagonal
               ? screenBy(DiagonalRule(m_triplets, region, gamma))
               : screenBy(SemidefiniteRule(m_triplets, region, gamma, stopCheck));
}

bool PairsEngine::activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) {
    activateAll();
    FixedTest test(m_triplets, fixed);
    return takeActive(test, stopCheck, screened);
}

bool PairsEngine::screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck,
                               RangeStore& store, ScreenedPart& screened) {
    std::vector<double> ofDual; // δᵀM̂δ; the same as of M₀ when there is no dual
    if (!ball.forms(m_space, active().pairs(), stopCheck, m_values, ofDual)) {
        return false;
    }
    const std::vector<double>& duals = ball.hasDual() ? ofDual : m_values;
    const RangeRule rule(ball, gamma, [this](double size) { return marginError(size); });
    // Intervals that do not hold this λ are of no use: only for triplets that the ball decides here are they computed.
    std::vector<double> atCentre(m_values.size());
    for (std::size_t p = 0; p < atCentre.size(); ++p) {
        atCentre[p] = ball.margin(m_values[p], duals[p], lambda);
    }
    active().toEntries(atCentre, m_nearForms);
    SphereTester tester(m_triplets, m_norms, std::span(m_nearForms).first(active().entryCount()), rule.at(lambda));
    std::int64_t lifetimes = 0;
    EachTest test(m_triplets, stopCheck, PickDecided(tester), [&](const PlacedTriplet& triplet) {
        ++lifetimes;
        const std::size_t s = triplet.samePlace;
        const std::size_t o = triplet.otherPlace;
        (void)stopCheck.spend(3 * m_triplets.stride());
        const Lifetime lifetime =
            rule.lifetime(m_values[o] - m_values[s], duals[o] - duals[s], m_norms.squared(triplet.other, triplet.same));
        if (!lifetime.range.contains(lambda)) {
            return Decision::Keep;
        }
        store.add(triplet.number, lifetime.decision, lifetime.range.low);
        return lifetime.decision;
    });
    const bool done = takeActive(test, stopCheck, screened);
    m_work += work::ofJudging(tester.judgedSingly()) + work::ofLifetimes(lifetimes);
    if (done) {
        store.seal();
    }
    return done;
}

} // namespace lambdascope::triplets
