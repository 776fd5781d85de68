// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the pairs engine by the sphere rule, and what it takes down; other rules are in pairs_refining.cpp, sums
// in pairs_engine.cpp.
#include "core/triplets/engines/pairs_taking.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// Places in groups of four for each triplet that is left; share of the rows of the data that a share of the pairs
/// uses, over that share.
constexpr double kSlotsOfTriplets = 1.5;
constexpr double kRowsOfPairs = 4;

} // namespace

PackedTriplets& PairsEngine::whole() {
    if (m_whole.isEmpty()) {
        m_whole.setWhole(m_triplets);
    }
    return m_whole;
}

bool PairsEngine::addLinear(const DecisionSink& sink, PairQuadraticForms::PairList pairs, StopCheck& stopCheck,
                            ScreenedPart& screened) {
    screened.linear += sink.linear();
    if (sink.linear() == 0) {
        return true;
    }
    MatrixSum sum;
    if (!m_space.weightedSum(m_weights, 0, pairs, stopCheck, sum)) {
        return false;
    }
    screened.addLinearSum(sum.value, sum.error);
    return true;
}

bool PairsEngine::formsOfEntries(const Eigen::MatrixXd& q, const PackedTriplets& of, StopCheck& stopCheck,
                                 std::vector<double>& forms) {
    if (of.entries() != nullptr) {
        return m_space.forms(q, of.entries(), stopCheck, forms);
    }
    if (!m_space.forms(q, of.pairs(), stopCheck, m_values)) {
        return false;
    }
    of.toEntries(m_values, forms);
    return true;
}

bool PairsEngine::judge(const PackedTriplets& from, PackedTriplets& to, const Capsule& capsule, double gamma,
                        StopCheck& stopCheck, ScreenedPart& screened) {
    const bool hasFar = capsule.far.size() > 0;
    if (!formsOfEntries(capsule.centre, from, stopCheck, m_nearForms) ||
        (hasFar && !formsOfEntries(capsule.far, from, stopCheck, m_farForms))) {
        return false;
    }
    const double size = std::max(spectralBound(capsule.centre), hasFar ? spectralBound(capsule.far) : 0);
    const std::size_t entries = from.entryCount();
    SphereTester tester(m_triplets, m_norms, std::span(m_nearForms).first(entries),
                        SphereRule(capsule.radius, gamma, marginError(size)),
                        std::span(m_farForms).first(hasFar ? entries : 0));
    const bool done = take(from, to, tester, stopCheck, screened);
    m_work += work::ofJudging(tester.judgedSingly());
    return done;
}

void PairsEngine::activateSpare(bool done) {
    if (done && m_spare.triplets() < activeTriplets()) {
        std::swap(m_left, m_spare);
        activate(&m_left);
    }
}

bool PairsEngine::screenBySphere(const Sphere& sphere, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    const bool done = judge(active(), m_spare, {sphere.centre, {}, sphere.radius}, gamma, stopCheck, screened);
    activateSpare(done);
    return done;
}

bool PairsEngine::judgeCapsule(const Capsule& capsule, double gamma, Kept to, TripletStates* states,
                               StopCheck& stopCheck, ScreenedPart& part) {
    const double before = countedWork();
    PackedTriplets& kept = to == Kept::Lasting ? m_lastingOpen : m_left;
    const PackedTriplets& from = to == Kept::Lasting ? whole() : m_lastingOpen;
    TripletStates* const recorded = std::exchange(m_states, states);
    const bool done = judge(from, states != nullptr ? m_spare : kept, capsule, gamma, stopCheck, part);
    m_states = recorded;
    m_work -= states != nullptr ? countedWork() - before : 0;
    return done;
}

LookForecast PairsEngine::forecast(const Capsule& capsule, double gamma) {
    const RestSample::Rest rest = m_sample.leftBy(capsule, gamma);
    const auto& [rows, groups, columns] = m_wholeSize;
    const auto scaled = [](double share, std::int64_t count) {
        return std::llround(share * static_cast<double>(count));
    };
    const std::int64_t pairs = m_triplets.pairs();
    const Eigen::Index stride = m_triplets.stride();
    const auto ofVisit = [&](std::int64_t visited, double ofRows, double ofTriplets) {
        return 2 * ofRows * work::ofProduct(m_triplets.rows(), stride, stride) + work::ofValues(visited, stride) +
               work::ofSum(visited, stride) + ofTriplets;
    };
    const double whole = ofVisit(pairs, 1, work::ofTriplets(rows, m_inRows, 0));
    const double left = ofVisit(
        scaled(rest.pairs, pairs), std::min(kRowsOfPairs * rest.pairs, 1.0),
        work::ofTriplets(scaled(rest.pairs, rows), 0, scaled(kSlotsOfTriplets * rest.triplets, m_triplets.triplets())));
    LookForecast forecast;
    forecast.left = std::min(left / whole, 1.0);
    // Rows that keep a triplet are tested group by group, as a rule others are not.
    forecast.work = work::ofLook({rows, scaled(rest.pairs, groups), columns, scaled(rest.pairs, rows),
                                  scaled(rest.triplets, groups)}) +
                    m_space.workOfForms(rows + columns);
    forecast.once = m_norms.keepsRows() && m_norms.computed() == 0 ? work::ofNorms(m_triplets.triplets(), stride) : 0;
    return forecast;
}

/// Starts from what lasting decisions leave open, which are made anew where they do not hold.
bool PairsEngine::useLasting(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                             ScreenedPart& screened) {
    if (!lastsIn(regions, gamma)) {
        const std::optional<Capsule> capsule = m_lasting.propose(regions.front().sphere);
        if (!capsule) {
            return true;
        }
        if (!makeLasting(*capsule, gamma, stopCheck)) {
            return false;
        }
    }
    return recallLasting(gamma, stopCheck, screened);
}

bool PairsEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (stopCheck.isStopped()) {
        return false;
    }
    if (regions.empty() || m_triplets.triplets() == 0) {
        return true;
    }
    if (isComplete() && !useLasting(regions, gamma, stopCheck, screened)) {
        return false;
    }
    for (const Region& region : regions) {
        if (!std::isfinite(region.sphere.radius)) {
            continue; // decides nothing
        }
        // The dearer rules see only what the ball alone leaves open.
        if (!screenBySphere(region.sphere, gamma, stopCheck, screened) ||
            (region.rule == RuleKind::Linear && !screenLinearly(region, gamma, stopCheck, screened)) ||
            ((region.rule == RuleKind::Semidefinite || region.rule == RuleKind::Analytic) &&
             !screenByCone(region, gamma, stopCheck, screened))) {
            return false;
        }
    }
    return true;
}

void DecisionSink::beginAnchor(const PackedTriplets::AnchorView& anchor) {
    m_anchor = anchor;
    m_otherWeights.assign(anchor.columns.size(), 0.0);
    m_linearBefore = m_linear;
}

void DecisionSink::takeRows(std::span<const PackedTriplets::Row> rows, const JudgedRows& judged) {
    for (const std::uint32_t number : judged.linear) {
        takeRow(rows[number], Decision::Linear);
    }
    if (m_states != nullptr) {
        for (const std::uint32_t number : judged.zero) {
            takeRow(rows[number], Decision::Zero);
        }
    }
}

void DecisionSink::takeRow(const PackedTriplets::Row& row, Decision decision) {
    beginRow(row);
    for (const std::uint32_t group : m_anchor.groupsOf(row)) {
        const std::uint32_t bits = group & kGroupBits;
        take(group >> kGroupSize, decision == Decision::Zero ? GroupDecisions{bits, 0} : GroupDecisions{0, bits});
    }
    endRow();
}

void DecisionSink::endAnchor() {
    if (m_linear == m_linearBefore) {
        return;
    }
    for (std::size_t o = 0; o < m_otherWeights.size(); ++o) {
        m_weights[static_cast<std::size_t>(m_anchor.columns[o])] += m_otherWeights[o];
    }
}

} // namespace lambdascope::triplets
