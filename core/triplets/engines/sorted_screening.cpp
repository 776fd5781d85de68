// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the sorted engine; sums are in sorted_engine.cpp.
#include "core/common/state_archive.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// What finding rows that go takes of each entry, in sums over runs that are not known.
constexpr double kShareOfSum = 2.2;

/// What is left of product sets, and what went out of them.
struct RestPart {
    ProductLists rest;
    ProductSetScreening::Tally went;
    Eigen::VectorXd column; ///< sums over linear triplets that went
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
        all.went.add(part.went);
        all.column += part.column;
    }
    return all;
}

} // namespace

double SortedEngine::workOfLook(const ProductLists& lists) const {
    return m_space.workOfValues(lists) + std::round(kShareOfSum * work::ofSortedEntries(lists.entries()));
}

bool SortedEngine::screenWith(const Sphere& sphere, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (!m_space.setForm(sphere.centre, stopCheck)) {
        return false;
    }
    const ProductLists& lists = this->lists();
    const SphereRule rule(sphere.radius, gamma, marginError(spectralBound(sphere.centre)));
    std::vector<RestPart> parts(AnchorQuadraticForms::slices(lists).size());
    m_space.beginSum();
    // One after the other when decisions are recorded: the record packs triplets of several anchors into one word.
    const bool done = forEachSlice(m_states != nullptr ? m_alone : m_team, lists, stopCheck,
                                   [&](std::size_t number, AnchorQuadraticForms::Slice slice, Worker& worker) {
                                       RestPart& part = parts[number];
                                       part.column = screenSlice(lists, slice, rule, worker, part.rest, part.went);
                                   });
    if (!done) {
        return false;
    }
    RestPart all = joined(parts, m_triplets.rows());
    const double judging = work::ofJudging(all.went.judged) + work::ofNumbers(all.went.exact * m_triplets.stride() / 2);
    m_work += workOfLook(lists) + judging;
    m_judgingPerEntry = judging / static_cast<double>(std::max<std::int64_t>(lists.entries(), 1));
    if (all.went.linear > 0) {
        m_work += m_space.workOfSum(lists);
        MatrixSum sum;
        const double weightSum = 2 * static_cast<double>(all.went.linear);
        if (!m_space.finishSum(lists, all.column, weightSum, 0, stopCheck, sum)) {
            return false;
        }
        screened.addLinearSum(sum.value, sum.error);
    }
    screened.zero += all.went.zero;
    screened.linear += all.went.linear;
    m_openTriplets -= all.went.zero + all.went.linear;
    m_active = std::move(all.rest);
    m_isComplete = false;
    return true;
}

/// Returns the slice's column of the sum over linear triplets that went.
Eigen::VectorXd SortedEngine::screenSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice,
                                          const SphereRule& rule, Worker& worker, ProductLists& rest,
                                          ProductSetScreening::Tally& went) {
    AnchorQuadraticForms::Scratch& scratch = worker.scratch;
    scratch.column.setZero(m_triplets.rows());
    for (std::size_t begin = slice.begin; begin < slice.end; begin += AnchorQuadraticForms::kAnchorsPerBlock) {
        const std::size_t end = std::min<std::size_t>(slice.end, begin + AnchorQuadraticForms::kAnchorsPerBlock);
        m_space.values(lists, begin, end, scratch);
        worker.weights.resize(scratch.values.size());
        const std::int64_t first = lists.anchors[begin].begin;
        TripletIndex linear = 0;
        for (std::size_t a = begin; a < end; ++a) {
            const ProductLists::Anchor& anchor = lists.anchors[a];
            const ProductSetScreening::Tally tally =
                worker.screen.remove(lists, anchor, scratch.values.data() + (anchor.begin - first), rule, m_states,
                                     rest, worker.weights.data() + (anchor.begin - first));
            went.add(tally);
            linear += tally.linear;
        }
        if (linear > 0) {
            scratch.values.swap(worker.weights);
            m_space.addWeights(lists, begin, end, scratch);
        }
    }
    return scratch.column;
}

bool SortedEngine::screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (stopCheck.isStopped()) {
        return false;
    }
    return std::all_of(regions.begin(), regions.end(), [&](const Region& region) {
        // A ball of infinite radius decides nothing.
        return !std::isfinite(region.sphere.radius) || screenWith(region.sphere, gamma, stopCheck, screened);
    });
}

LookForecast SortedEngine::forecast(const Capsule& capsule, double gamma) {
    const RestSample::Rest rest = m_sample.leftBy(capsule, gamma);
    const double judging = std::round(m_judgingPerEntry * static_cast<double>(m_all.entries()));
    return {rest.pairs, workOfLook(m_all) + judging + m_space.workOfSum(m_all), 0};
}

void SortedEngine::transfer(StateArchive& archive) {
    archive(m_judgingPerEntry);
}

void SortedEngine::activateAll() {
    m_isComplete = true;
    m_openTriplets = m_allTriplets;
}

} // namespace lambdascope::triplets
