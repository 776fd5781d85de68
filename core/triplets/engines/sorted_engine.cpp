// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of the sorted engine; its screening is in sorted_screening.cpp.
#include "core/triplets/engines/sorted_engine.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lambdascope::triplets {

SortedEngine::SortedEngine(const TripletSet& triplets, int threads)
    : m_triplets(triplets), m_team(threads), m_space(triplets, m_team), m_farSpace(triplets, m_team),
      m_all(ProductLists::all(triplets)), m_openTriplets(m_all.triplets()),
      m_workers(m_team.size(), Worker{{}, {}, {}, {}, {}, ProductSetScreening(triplets)}) {}

double SortedEngine::marginError(double size) const {
    return m_triplets.marginError(m_space.valueError(size), size);
}

double SortedEngine::workOfSums(const SumCounts& counts) {
    return work::ofProductSums(counts.entries, counts.visited, counts.sortedKeys, counts.sortedProbes, counts.walked);
}

/// Whether the point lies in the capsule that the runs of the lists were found for.
bool SortedEngine::runsHoldAt(const ProductLists& lists, const MetricPoint& point, double smoothing) const {
    if (lists.runs.empty()) {
        return false;
    }
    return &lists == &m_left ? narrowed() != nullptr && smoothing == m_leftGamma && narrowed()->holds(point)
                             : lastsAt(point, smoothing);
}

void SortedEngine::sumSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice, bool usesRuns,
                            double smoothing, const double* edge, Worker& worker, SliceSums& sums) {
    worker.scratch.column.setZero(m_triplets.rows());
    for (std::size_t begin = slice.begin; begin < slice.end; begin += AnchorQuadraticForms::kAnchorsPerBlock) {
        const std::size_t end = std::min<std::size_t>(slice.end, begin + AnchorQuadraticForms::kAnchorsPerBlock);
        m_space.values(lists, begin, end, worker.scratch);
        std::vector<double>& values = worker.scratch.values;
        worker.weights.resize(values.size());
        const std::int64_t first = lists.anchors[begin].begin;
        for (std::size_t a = begin; a < end; ++a) {
            const ProductLists::Anchor& anchor = lists.anchors[a];
            const auto sames = static_cast<std::size_t>(anchor.sames());
            const auto others = static_cast<std::size_t>(anchor.others());
            const double* z = values.data() + (anchor.begin - first);
            double* weights = worker.weights.data() + (anchor.begin - first);
            const QuadraticRuns runs = usesRuns ? lists.runsOf(anchor) : QuadraticRuns{};
            const ProductTotals totals =
                worker.sums.sum({z, sames}, {z + sames, others}, smoothing, weights, weights + sames, runs);
            std::transform(weights, weights + sames, weights, std::negate<>());
            sums.loss.add(totals.loss);
            sums.alpha.add(totals.alpha);
            sums.squares.add(totals.squares);
            sums.magnitude += totals.magnitude;
            sums.slack += totals.slack;
            sums.reachedSlack += totals.slack * totals.reach;
            sums.counts.add(totals.counts);
            if (edge != nullptr) {
                worker.sums.count(*edge, sums.setCounts);
            }
        }
        values.swap(worker.weights);
        m_space.addWeights(lists, begin, end, worker.scratch);
    }
    sums.column = worker.scratch.column;
}

bool SortedEngine::forEachSlice(
    ThreadTeam& team, const ProductLists& lists, StopCheck& stopCheck,
    const std::function<void(std::size_t number, AnchorQuadraticForms::Slice, Worker&)>& work) {
    const std::vector<AnchorQuadraticForms::Slice> slices = AnchorQuadraticForms::slices(lists);
    const std::int64_t perSlice = slices.empty() ? 0 : lists.entries() / std::ssize(slices);
    const auto cost = static_cast<std::int64_t>(team.size()) * perSlice * (2 * m_space.operations() + 60);
    return team.forEachBlock(
        std::ssize(slices),
        [&](std::int64_t number, std::size_t worker) {
            const auto at = static_cast<std::size_t>(number);
            work(at, slices[at], m_workers[worker]);
        },
        [&] { return stopCheck.spend(cost); });
}

bool SortedEngine::sumOver(const ProductLists& lists, const MetricPoint& point, double smoothing, const double* edge,
                           StopCheck& stopCheck, LossTotals& totals, SetCounts* setCounts) {
    if (!m_space.setPoint(point, stopCheck)) {
        return false;
    }
    m_space.beginSum();
    const bool usesRuns = runsHoldAt(lists, point, smoothing);
    std::vector<SliceSums> parts(AnchorQuadraticForms::slices(lists).size());
    const bool done = forEachSlice(m_team, lists, stopCheck,
                                   [&](std::size_t number, AnchorQuadraticForms::Slice slice, Worker& worker) {
                                       sumSlice(lists, slice, usesRuns, smoothing, edge, worker, parts[number]);
                                   });
    if (!done) {
        return false;
    }
    SumCounts counts;
    for (const SliceSums& part : parts) {
        counts.add(part.counts);
    }
    m_work += m_space.workOfValues(lists) + m_space.workOfSum(lists) + workOfSums(counts);
    m_lastWhole = &lists == &m_all ? counts : m_lastWhole;
    totals.smoothing = smoothing;
    totals.triplets = lists.triplets();
    for (const SliceSums& part : parts) {
        if (setCounts != nullptr) {
            setCounts->above += part.setCounts.above;
            setCounts->below += part.setCounts.below;
        }
    }
    return combine(lists, parts, point, stopCheck, totals);
}

bool SortedEngine::combine(const ProductLists& lists, const std::vector<SliceSums>& slices, const MetricPoint& point,
                           StopCheck& stopCheck, LossTotals& totals) {
    SliceSums all;
    all.column = Eigen::VectorXd::Zero(m_triplets.rows());
    for (const SliceSums& slice : slices) {
        all.loss.add(slice.loss.value());
        all.alpha.add(slice.alpha.value());
        all.squares.add(slice.squares.value());
        all.magnitude += slice.magnitude;
        all.slack += slice.slack;
        all.reachedSlack += slice.reachedSlack;
        all.column += slice.column;
    }
    const auto longest = static_cast<double>(lists.longest);
    const double relative = roundingFactor(2 * longest + 40);
    const double alpha = all.alpha.value();
    const double squares = all.squares.value();
    totals.marginError = marginError(point.spectralBound());
    // A margin off by e moves ℓ by e·α, and by e·min(1, e/s) where the computed α is 0.
    const double e = totals.marginError;
    const double hidden = static_cast<double>(totals.triplets) * e * std::min(1.0, e / totals.smoothing);
    totals.loss = {all.loss.value(), relative * all.magnitude + all.reachedSlack + e * alpha + hidden};
    totals.alphaSum = {alpha, relative * alpha + all.slack};
    totals.alphaSquares = {squares, relative * squares + all.slack};
    MatrixSum pull;
    if (!m_space.finishSum(lists, all.column, 2 * alpha, relative, stopCheck, pull)) {
        return false;
    }
    const double rho = m_triplets.largestNorm();
    totals.pull = std::move(pull.value);
    totals.pullError = pull.error + 4 * rho * rho * all.slack;
    return true;
}

bool SortedEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    return !stopCheck.isStopped() && sumOver(lists(), point, smoothing, nullptr, stopCheck, totals, nullptr);
}

bool SortedEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                    LossTotals& totals, SetCounts& setCounts) {
    setCounts = {};
    return !stopCheck.isStopped() && sumOver(lists(), point, smoothing, &edge, stopCheck, totals, &setCounts);
}

bool SortedEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                               LossTotals& totals, SetCounts& setCounts) {
    setCounts = {};
    return !stopCheck.isStopped() && sumOver(m_all, point, smoothing, &edge, stopCheck, totals, &setCounts);
}

void SortedEngine::activate(const ProductLists& lists) {
    m_active = &lists;
    m_openTriplets = lists.triplets();
}

std::size_t SortedEngine::bytes() const {
    std::size_t bytes = m_space.bytes() + m_farSpace.bytes() + m_all.bytes() + m_sample.bytes() +
                        m_lastingOpen.bytes() + m_left.bytes() + m_lasting.bytes();
    for (const Worker& worker : m_workers) {
        bytes += worker.scratch.bytes() + worker.farScratch.bytes() + worker.weights.capacity() * sizeof(double) +
                 worker.sums.bytes() + worker.sorted.bytes();
    }
    return bytes;
}

} // namespace lambdascope::triplets
