// SPDX-License-Identifier: GPL-3.0-or-later
// Screening of the sorted engine; sums are in sorted_engine.cpp.
#include "core/common/state_archive.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/sphere_tester.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Anchors that forecasts are made from: one of so many, at least and at most.
constexpr std::int64_t kAnchorsPerSampled = 32;
constexpr std::int64_t kFewestSampled = 8;
constexpr std::int64_t kMostSampled = 64; // forecasts cannot be stopped

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

/// Triplets of the anchors' runs, or all where there are none.
std::int64_t visitsOf(const ProductLists& lists) {
    std::int64_t visits = 0;
    for (const ProductLists::Anchor& anchor : lists.anchors) {
        const QuadraticRuns runs = lists.runsOf(anchor);
        const auto groups = std::accumulate(runs.end.begin(), runs.end.end(), std::int64_t{0}) -
                            std::accumulate(runs.begin.begin(), runs.begin.end(), std::int64_t{0});
        visits += runs.empty() ? anchor.triplets() : static_cast<std::int64_t>(QuadraticRuns::kGroupSize) * groups;
    }
    return visits;
}

} // namespace

/// All parts in one, in their order. Each one is freed as soon as it is taken: they may be most of the memory there is.
SortedEngine::RestPart SortedEngine::joined(std::vector<RestPart> parts, Eigen::Index rows) {
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
            const std::int64_t runs = anchor.runs < 0 ? -1 : anchor.runs + std::ssize(all.rest.runs);
            all.rest.anchors.push_back(
                {anchor.row, anchor.begin + shift, anchor.middle + shift, anchor.end + shift, runs});
        }
        all.rest.runs.insert(all.rest.runs.end(), part.rest.runs.begin(), part.rest.runs.end());
        all.rest.partner.insert(all.rest.partner.end(), part.rest.partner.begin(), part.rest.partner.end());
        all.rest.position.insert(all.rest.position.end(), part.rest.position.begin(), part.rest.position.end());
        all.rest.longest = std::max(all.rest.longest, part.rest.longest);
        all.went.add(part.went);
        all.column += part.column;
    }
    return all;
}

/// A capsule is judged at both its ends.
double SortedEngine::workOfLook(const ProductLists& lists, bool isCapsule) const {
    return (isCapsule ? 2 : 1) * (m_space.workOfValues(lists) + work::ofRowLook(lists.entries()));
}

/// Puts into `rest` what the capsule leaves of the lists, adds what it decides to `part` and its states, if any.
bool SortedEngine::removeRows(const ProductLists& lists, const Look& look, StopCheck& stopCheck, ProductLists& rest,
                              ScreenedPart* part) {
    const Capsule& capsule = look.capsule;
    const bool isCapsule = capsule.far.size() > 0;
    if (!m_space.setForm(capsule.centre, stopCheck) || (isCapsule && !m_farSpace.setForm(capsule.far, stopCheck))) {
        return false;
    }
    const double size = std::max(spectralBound(capsule.centre), isCapsule ? spectralBound(capsule.far) : 0);
    const SphereRule rule(capsule.radius, look.gamma, marginError(size));
    std::vector<RestPart> parts(AnchorQuadraticForms::slices(lists).size());
    m_space.beginSum();
    // One after the other when decisions are recorded: the record packs triplets of several anchors into one word.
    const bool done = forEachSlice(look.states != nullptr ? m_alone : m_team, lists, stopCheck,
                                   [&](std::size_t number, AnchorQuadraticForms::Slice slice, Worker& worker) {
                                       removeFromSlice(lists, slice, look, rule, worker, parts[number]);
                                   });
    if (!done) {
        return false;
    }
    RestPart all = joined(std::move(parts), m_triplets.rows());
    m_work += workOfLook(lists, isCapsule) + work::ofFindingRuns(isCapsule ? 2 * all.runWork : all.runWork);
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

void SortedEngine::removeFromSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice, const Look& look,
                                   const SphereRule& rule, Worker& worker, RestPart& found) {
    const bool isCapsule = look.capsule.far.size() > 0;
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
                worker.screen.remove(lists, anchor, forms, rule, look.states, found.rest, worker.weights.data() + at);
            found.went.add(tally);
            linear += tally.linear;
            found.runWork += look.findsRuns ? worker.screen.addRuns(found.rest) : 0;
        }
        if (linear > 0) {
            scratch.values.swap(worker.weights);
            m_space.addWeights(lists, begin, end, scratch);
        }
    }
    found.column = scratch.column;
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
        const Capsule ball{sphere.centre, {}, sphere.radius};
        if (!removeRows(lists(), {ball, gamma, m_states, false}, stopCheck, rest, &screened)) {
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
    const bool isKnown =
        m_sample.entries() > 0 && removeRows(m_sample, {capsule, gamma, nullptr, true}, never, rest, nullptr);
    const double share = isKnown ? static_cast<double>(rest.entries()) / static_cast<double>(m_sample.entries()) : 1;
    const std::int64_t visits = visitsOf(rest) * m_all.entries() / std::max<std::int64_t>(m_sample.entries(), 1);
    const auto scaled = [share](std::int64_t count) -> std::int64_t {
        return std::llround(share * static_cast<double>(count));
    };
    const auto workOfVisit = [&](const ListSize& lists, const SumCounts& counts) {
        return m_space.workOfValues(lists) + m_space.workOfSum(lists) + workOfSums(counts);
    };
    const ListSize all = ListSize::of(m_all);
    // Quadratic runs are of triplets that no ball decides: what is left has them all, and hardly fewer probes between.
    const SumCounts& before = m_lastWhole;
    const std::int64_t entries = scaled(before.entries);
    const SumCounts after{entries, std::min(scaled(before.visited), visits), scaled(before.sortedKeys),
                          std::min(before.sortedProbes, entries), before.walked};
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
    const Look look{capsule, gamma, states, states == nullptr};
    if (!removeRows(isLasting ? m_all : m_lastingOpen, look, stopCheck, open, &part)) {
        return false;
    }
    if (states != nullptr) {
        m_work = work;
    } else {
        (isLasting ? m_lastingOpen : m_left) = std::move(open);
        m_leftGamma = isLasting ? m_leftGamma : gamma;
    }
    return true;
}

void SortedEngine::transfer(StateArchive& archive) {
    archive(m_lastWhole, m_lasting);
    if (!archive.isReading()) {
        return;
    }
    m_lastingOpen = {};
    if (capsule().radius < 0) {
        return;
    }
    // What they leave is much larger than they are, and is found anew.
    const double work = m_work;
    StopCheck never;
    ScreenedPart again;
    if (capsule().centre.rows() != m_triplets.features() ||
        !judgeCapsule(capsule(), m_lasting.gamma(), Kept::Lasting, nullptr, never, again)) {
        archive.refuse();
    }
    m_work = work;
}

} // namespace lambdascope::triplets
