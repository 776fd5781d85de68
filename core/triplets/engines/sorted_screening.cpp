// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the sorted engine; sums are in sorted_engine.cpp.
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// What deciding runs takes of each entry, in sums over runs that are not known; and a look, which takes out besides.
constexpr double kPassesOfRuns = 4;
constexpr double kPassesOfLook = kPassesOfRuns + 1;

/// What is left of product sets, and how much was taken out of them.
struct RestPart {
    ProductLists rest;
    ProductSetScreening::Rest counts;
    Eigen::VectorXd column; ///< sums over linear triplets that were removed
};

/// All parts in one, in their order.
RestPart joined(const std::vector<RestPart>& parts, Eigen::Index rows) {
    RestPart all;
    all.column.setZero(rows);
    for (const RestPart& part : parts) {
        const std::int64_t shift = all.rest.entries();
        for (const ProductLists::Anchor& anchor : part.rest.anchors) {
            all.rest.anchors.push_back({anchor.row, anchor.begin + shift, anchor.middle + shift, anchor.end + shift});
        }
        all.rest.partner.insert(all.rest.partner.end(), part.rest.partner.begin(), part.rest.partner.end());
        all.rest.position.insert(all.rest.position.end(), part.rest.position.begin(), part.rest.position.end());
        all.rest.longest = std::max(all.rest.longest, part.rest.longest);
        all.counts.heldZero += part.counts.heldZero;
        all.counts.heldLinear += part.counts.heldLinear;
        all.counts.removedLinear += part.counts.removedLinear;
        all.column += part.column;
    }
    return all;
}

} // namespace

template <class Work>
bool SortedEngine::forEachSlice(const ProductLists& lists, std::int64_t operationsPerEntry, StopCheck& stopCheck,
                                const Work& work) {
    const std::vector<AnchorQuadraticForms::Slice> slices = AnchorQuadraticForms::slices(lists);
    const auto count = static_cast<std::int64_t>(slices.size());
    const std::int64_t perSlice = count == 0 ? 0 : lists.entries() / count;
    const std::int64_t cost = static_cast<std::int64_t>(m_team.size()) * perSlice * operationsPerEntry;
    return (m_states != nullptr ? m_alone : m_team)
        .forEachBlock(
            count,
            [&](std::int64_t number, std::size_t worker) {
                const auto at = static_cast<std::size_t>(number);
                for (std::size_t begin = slices[at].begin; begin < slices[at].end;
                     begin += AnchorQuadraticForms::kAnchorsPerBlock) {
                    work(at, begin,
                         std::min<std::size_t>(slices[at].end, begin + AnchorQuadraticForms::kAnchorsPerBlock),
                         m_workers[worker]);
                }
            },
            [&] { return stopCheck.spend(cost); });
}

bool SortedEngine::screenWith(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    const Sphere& sphere = region.sphere;
    if (!m_space.setForm(sphere.centre, stopCheck)) {
        return false;
    }
    const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
    const std::size_t sliceCount = AnchorQuadraticForms::slices(m_active).size();
    const auto pass = [&](bool each, std::int64_t operations) {
        std::vector<ProductSetScreening::Tally> tallies(sliceCount);
        const bool done =
            forEachSlice(m_active, m_space.operations() + operations, stopCheck,
                         [&](std::size_t slice, std::size_t begin, std::size_t end, Worker& worker) {
                             m_space.values(m_active, begin, end, worker.scratch);
                             ProductSetScreening& screen = *worker.screen;
                             const double* q = worker.scratch.values.data();
                             for (std::size_t a = begin; a < end; ++a) {
                                 const ProductLists::Anchor& anchor = m_active.anchors[a];
                                 if (each) {
                                     screen.decideEach(m_active, anchor, q, rule, m_states, tallies[slice]);
                                 } else {
                                     screen.decideRuns(m_active, anchor, q, rule, m_states, tallies[slice]);
                                 }
                                 q += anchor.end - anchor.begin;
                             }
                         });
        ProductSetScreening::Tally all;
        for (const ProductSetScreening::Tally& tally : tallies) {
            all.zero += tally.zero;
            all.linear += tally.linear;
            all.open += tally.open;
        }
        screened.zero += all.zero;
        screened.linear += all.linear;
        m_openTriplets -= all.zero + all.linear;
        return done ? all.open : TripletIndex{-1};
    };
    const TripletIndex open = pass(false, 100);
    m_work += m_space.workOfValues(m_active) + kPassesOfRuns * work::ofSortedEntries(m_active.entries());
    if (open > 0 && open <= kEachPerEntry * m_active.entries()) {
        m_work += m_space.workOfValues(m_active) + work::ofJudging(4 * open) +
                  work::ofNumbers(open * m_triplets.stride() / 2);
        return pass(true, (20 + 4 * m_triplets.stride()) * open / m_active.entries()) >= 0;
    }
    return open >= 0;
}

/// Takes fully decided rows and columns out of the product sets.
bool SortedEngine::removeDecided(StopCheck& stopCheck, ScreenedPart& screened) {
    std::vector<RestPart> parts(AnchorQuadraticForms::slices(m_active).size());
    m_space.beginSum();
    const bool done = forEachSlice(m_active, 8 * m_triplets.stride() + 20, stopCheck,
                                   [&](std::size_t slice, std::size_t begin, std::size_t end, Worker& worker) {
                                       RestPart& part = parts[slice];
                                       if (part.column.size() == 0) {
                                           part.column.setZero(m_triplets.rows());
                                       }
                                       worker.scratch.column.setZero(m_triplets.rows());
                                       std::vector<double>& weights = worker.scratch.values;
                                       const std::int64_t first = m_active.anchors[begin].begin;
                                       weights.resize(static_cast<std::size_t>(m_active.anchors[end - 1].end - first));
                                       TripletIndex removed = 0;
                                       for (std::size_t a = begin; a < end; ++a) {
                                           const ProductLists::Anchor& anchor = m_active.anchors[a];
                                           const ProductSetScreening::Rest rest = worker.screen->remove(
                                               m_active, anchor, part.rest, weights.data() + (anchor.begin - first));
                                           part.counts.heldZero += rest.heldZero;
                                           part.counts.heldLinear += rest.heldLinear;
                                           removed += rest.removedLinear;
                                       }
                                       if (removed > 0) {
                                           m_space.addWeights(m_active, begin, end, worker.scratch);
                                           part.column += worker.scratch.column;
                                       }
                                       part.counts.removedLinear += removed;
                                   });
    if (!done) {
        return false;
    }
    m_work += work::ofSortedEntries(m_active.entries());
    RestPart all = joined(parts, m_triplets.rows());
    screened.heldZero = all.counts.heldZero;
    screened.heldLinear = all.counts.heldLinear;
    if (all.counts.removedLinear > 0) {
        MatrixSum sum;
        const double weightSum = 2 * static_cast<double>(all.counts.removedLinear);
        if (!m_space.finishSum(m_active, all.column, weightSum, 0, stopCheck, sum)) {
            return false;
        }
        screened.addLinearSum(sum.value, sum.error);
    }
    m_active = std::move(all.rest);
    return true;
}

bool SortedEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (stopCheck.isStopped()) {
        return false;
    }
    if (regions.empty()) {
        return true;
    }
    if (m_isComplete) {
        m_isComplete = false;
        m_active = m_all;
        if (m_bits) {
            m_bits->openAll();
        } else {
            m_bits = std::make_unique<DecisionBits>(m_triplets);
            for (Worker& worker : m_workers) {
                worker.screen = std::make_unique<ProductSetScreening>(m_triplets, *m_bits);
            }
        }
    }
    const TripletIndex before = m_openTriplets;
    for (const Region& region : regions) {
        if (std::isfinite(region.sphere.radius) && !screenWith(region, gamma, stopCheck, screened)) {
            return false; // a ball of infinite radius decides nothing
        }
    }
    return m_openTriplets == before || removeDecided(stopCheck, screened);
}

LookForecast SortedEngine::forecast(const Capsule& capsule, double gamma) {
    const RestSample::Rest rest = m_sample.leftBy(capsule, gamma);
    return {rest.pairs, m_space.workOfValues(m_all) + kPassesOfLook * work::ofSortedEntries(m_all.entries()), 0};
}

void SortedEngine::activateAll() {
    m_isComplete = true;
    m_openTriplets = m_allTriplets;
}

} // namespace lambdascope::triplets
