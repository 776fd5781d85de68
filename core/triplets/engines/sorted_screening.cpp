// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the sorted engine; sums are in sorted_engine.cpp.
#include "core/common/state_archive.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/sphere_tester.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Anchors that forecasts are made from: one of so many, at least and at most.
constexpr std::int64_t kAnchorsPerSampled = 32;
constexpr std::int64_t kFewestSampled = 8;
constexpr std::int64_t kMostSampled = 64; // forecasts cannot be stopped

/// What is left of product sets, and what went out of them.
struct RestPart {
    ProductLists rest;
    ProductSetScreening::Tally went;
    Eigen::VectorXd column; ///< sums over linear triplets that went
};

/// All parts in one, in their order. Each one is freed as soon as it is taken: they may be most of the memory there is.
RestPart joined(std::vector<RestPart> parts, Eigen::Index rows) {
    std::int64_t entries = 0;
    for (const RestPart& part : parts) {
        entries += part.rest.entries();
    }
    RestPart all;
    all.rest.partner.reserve(static_cast<std::size_t>(entries));
    all.rest.position.reserve(static_cast<std::size_t>(entries));
    all.column.setZero(rows);
    for (RestPart& each : parts) {
        const RestPart part = std::exchange(each, {});
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

/// Lists of a few anchors.
ProductLists sampleOf(const ProductLists& lists) {
    const std::int64_t anchors = std::ssize(lists.anchors);
    const std::int64_t wanted = std::clamp(anchors / kAnchorsPerSampled, kFewestSampled, kMostSampled);
    ProductLists sample;
    sample.longest = lists.longest;
    for (const std::int64_t place : spreadPlaces(wanted, anchors)) {
        const ProductLists::Anchor& anchor = lists.anchors[static_cast<std::size_t>(place)];
        const std::int64_t shift = sample.entries() - anchor.begin;
        sample.anchors.push_back({anchor.row, anchor.begin + shift, anchor.middle + shift, anchor.end + shift});
        sample.partner.insert(sample.partner.end(), lists.partner.begin() + anchor.begin,
                              lists.partner.begin() + anchor.end);
        sample.position.insert(sample.position.end(), lists.position.begin() + anchor.begin,
                               lists.position.begin() + anchor.end);
    }
    return sample;
}

} // namespace

/// A capsule is judged at both its ends.
double SortedEngine::workOfLook(const ProductLists& lists, bool isCapsule) const {
    return (isCapsule ? 2 : 1) * (m_space.workOfValues(lists) + work::ofRowLook(lists.entries()));
}

/// Puts into `rest` what the capsule leaves of the lists, adds what it decides to `part` and `states`, if any.
bool SortedEngine::removeRows(const ProductLists& lists, const Capsule& capsule, double gamma, TripletStates* states,
                              StopCheck& stopCheck, ProductLists& rest, ScreenedPart* part) {
    const bool isCapsule = capsule.far.size() > 0;
    if (!m_space.setForm(capsule.centre, stopCheck) || (isCapsule && !m_farSpace.setForm(capsule.far, stopCheck))) {
        return false;
    }
    const double size = std::max(spectralBound(capsule.centre), isCapsule ? spectralBound(capsule.far) : 0);
    const SphereRule rule(capsule.radius, gamma, marginError(size));
    std::vector<RestPart> parts(AnchorQuadraticForms::slices(lists).size());
    m_space.beginSum();
    // One after the other when decisions are recorded: the record packs triplets of several anchors into one word.
    const bool done = forEachSlice(states != nullptr ? m_alone : m_team, lists, stopCheck,
                                   [&](std::size_t number, AnchorQuadraticForms::Slice slice, Worker& worker) {
                                       RestPart& found = parts[number];
                                       found.column = removeFromSlice(lists, slice, isCapsule, rule, states, worker,
                                                                      found.rest, found.went);
                                   });
    if (!done) {
        return false;
    }
    RestPart all = joined(std::move(parts), m_triplets.rows());
    m_work += workOfLook(lists, isCapsule);
    rest = std::move(all.rest);
    if (part == nullptr) {
        return true;
    }
    if (all.went.linear > 0) {
        m_work += m_space.workOfSum(lists);
        MatrixSum sum;
        const double weightSum = 2 * static_cast<double>(all.went.linear);
        if (!m_space.finishSum(lists, all.column, weightSum, 0, stopCheck, sum)) {
            return false;
        }
        part->addLinearSum(sum.value, sum.error);
    }
    part->zero += all.went.zero;
    part->linear += all.went.linear;
    return true;
}

/// Returns the slice's column of the sum over linear triplets that went.
Eigen::VectorXd SortedEngine::removeFromSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice,
                                              bool isCapsule, const SphereRule& rule, TripletStates* states,
                                              Worker& worker, ProductLists& rest, ProductSetScreening::Tally& went) {
    AnchorQuadraticForms::Scratch& scratch = worker.scratch;
    scratch.column.setZero(m_triplets.rows());
    for (std::size_t begin = slice.begin; begin < slice.end; begin += AnchorQuadraticForms::kAnchorsPerBlock) {
        const std::size_t end = std::min<std::size_t>(slice.end, begin + AnchorQuadraticForms::kAnchorsPerBlock);
        m_space.values(lists, begin, end, scratch);
        if (isCapsule) {
            m_farSpace.values(lists, begin, end, worker.farScratch);
        }
        worker.weights.resize(scratch.values.size());
        const std::int64_t first = lists.anchors[begin].begin;
        TripletIndex linear = 0;
        for (std::size_t a = begin; a < end; ++a) {
            const ProductLists::Anchor& anchor = lists.anchors[a];
            const std::int64_t at = anchor.begin - first;
            const ProductSetScreening::Forms forms{scratch.values.data() + at,
                                                   isCapsule ? worker.farScratch.values.data() + at : nullptr};
            const ProductSetScreening::Tally tally =
                worker.screen.remove(lists, anchor, forms, rule, states, rest, worker.weights.data() + at);
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
        const Sphere& sphere = region.sphere;
        if (!std::isfinite(sphere.radius)) {
            return true; // decides nothing
        }
        ProductLists rest;
        if (!removeRows(lists(), {sphere.centre, {}, sphere.radius}, gamma, m_states, stopCheck, rest, &screened)) {
            return false;
        }
        m_left = std::move(rest);
        activate(m_left);
        return true;
    });
}

LookForecast SortedEngine::forecast(const Capsule& capsule, double gamma) {
    if (m_sample.anchors.empty()) {
        m_sample = sampleOf(m_all);
    }
    StopCheck never;
    ProductLists rest;
    const bool isKnown = m_sample.entries() > 0 && removeRows(m_sample, capsule, gamma, nullptr, never, rest, nullptr);
    const double share = isKnown ? static_cast<double>(rest.entries()) / static_cast<double>(m_sample.entries()) : 1;
    const auto scaled = [share](std::int64_t count) { return std::llround(share * static_cast<double>(count)); };
    const auto workOfVisit = [&](const ListSize& lists, const SumCounts& counts) {
        return m_space.workOfValues(lists) + m_space.workOfSum(lists) + workOfSums(counts);
    };
    const ListSize all = ListSize::of(m_all);
    // Quadratic runs are of triplets that no ball decides: what is left has them all, and hardly fewer lookups.
    const SumCounts& before = m_lastWhole;
    const std::int64_t entries = scaled(before.entries);
    const SumCounts after{entries, scaled(before.visited), scaled(before.sorted), std::min(before.lookedUp, entries),
                          before.walked};
    const double whole = workOfVisit(all, before);
    const double left = workOfVisit({all.anchors, scaled(all.entries)}, after);
    return {std::min(left / whole, 1.0), workOfLook(m_all, capsule.far.size() > 0) + m_space.workOfSum(m_all), 0};
}

bool SortedEngine::judgeCapsule(const Capsule& capsule, double gamma, Kept to, TripletStates* states,
                                StopCheck& stopCheck, ScreenedPart& part) {
    const bool isLasting = to == Kept::Lasting;
    // Not in use, and made anew: two of these lists are most of the memory there is.
    if (states == nullptr && (isComplete() || !isLasting)) {
        m_left = {};
    }
    if (states == nullptr && isComplete() && isLasting) {
        m_lastingOpen = {};
    }
    const double work = m_work;
    ProductLists open;
    if (!removeRows(isLasting ? m_all : m_lastingOpen, capsule, gamma, states, stopCheck, open, &part)) {
        return false;
    }
    if (states != nullptr) {
        m_work = work;
    } else {
        (isLasting ? m_lastingOpen : m_left) = std::move(open);
    }
    return true;
}

void SortedEngine::transfer(StateArchive& archive) {
    std::vector<std::uint64_t> open;
    if (!archive.isReading() && capsule().radius >= 0) {
        open = m_lastingOpen.marksIn(m_all);
    }
    archive(m_lastWhole, m_lasting, open);
    if (archive.isReading()) {
        m_lastingOpen = {};
        if (capsule().radius >= 0 && !m_lastingOpen.setMarked(m_all, open)) {
            archive.refuse();
        }
    }
}

} // namespace lambdascope::triplets
