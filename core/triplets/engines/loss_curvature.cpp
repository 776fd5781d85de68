// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/loss_curvature.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <numeric>

namespace lambdascope::triplets {

LossCurvature::LossCurvature(const TripletSet& triplets, ThreadTeam& team)
    : m_set(triplets), m_team(team), m_space(triplets, team), m_workers(team.size()) {}

LossCurvature::Sides LossCurvature::sidesOf(const ProductLists::Anchor& anchor) {
    // t = other − same = (−same) − (−other): either list can be the keys.
    return anchor.others() < anchor.sames() ? Sides{anchor.middle, anchor.others(), anchor.begin, anchor.sames(), -1}
                                            : Sides{anchor.begin, anchor.sames(), anchor.middle, anchor.others(), 1};
}

/// work(anchor, values of its entries, place for their weights, worker, slice), in parallel over slices; with `isSum`
/// the weights are added up.
template <class Work>
bool LossCurvature::forEachAnchor(StopCheck& stopCheck, bool isSum, const Work& work) {
    const ProductLists& lists = *m_lists;
    const std::vector<AnchorQuadraticForms::Slice> slices = AnchorQuadraticForms::slices(lists);
    const std::int64_t perSlice = slices.empty() ? 0 : lists.entries() / static_cast<std::int64_t>(slices.size());
    const auto cost = static_cast<std::int64_t>(m_team.size()) * perSlice * (2 * m_space.operations() + 60);
    m_columns.resize(slices.size());
    const auto workOn = [&](std::int64_t number, std::size_t workerAt) {
        const auto slice = static_cast<std::size_t>(number);
        Worker& worker = m_workers[workerAt];
        worker.scratch.column.setZero(m_set.rows());
        for (std::size_t begin = slices[slice].begin; begin < slices[slice].end;
             begin += AnchorQuadraticForms::kAnchorsPerBlock) {
            const std::size_t end =
                std::min<std::size_t>(slices[slice].end, begin + AnchorQuadraticForms::kAnchorsPerBlock);
            m_space.values(lists, begin, end, worker.scratch);
            worker.weights.resize(worker.scratch.values.size());
            const std::int64_t first = lists.anchors[begin].begin;
            for (std::size_t a = begin; a < end; ++a) {
                const ProductLists::Anchor& anchor = lists.anchors[a];
                work(anchor, worker.scratch.values.data() + (anchor.begin - first),
                     worker.weights.data() + (anchor.begin - first), worker, slice);
            }
            if (isSum) {
                worker.scratch.values.swap(worker.weights);
                m_space.addWeights(lists, begin, end, worker.scratch);
            }
        }
        m_columns[slice] = worker.scratch.column;
    };
    return m_team.forEachBlock(static_cast<std::int64_t>(slices.size()), workOn, [&] { return stopCheck.spend(cost); });
}

TripletIndex LossCurvature::setRuns(const ProductLists::Anchor& anchor, const double* values) {
    const Sides sides = sidesOf(anchor);
    const double* keys = values + (sides.keys - anchor.begin);
    const double* probes = values + (sides.probes - anchor.begin);
    const auto order = m_order.begin() + sides.keys;
    std::iota(order, order + sides.keyCount, 0);
    std::sort(order, order + sides.keyCount, [&](std::int32_t a, std::int32_t b) {
        return sides.sign * keys[a] != sides.sign * keys[b] ? sides.sign * keys[a] < sides.sign * keys[b] : a < b;
    });
    TripletIndex count = 0;
    for (std::int64_t p = 0; p < sides.probeCount; ++p) {
        const double x = sides.sign * probes[p];
        const auto begin = std::partition_point(order, order + sides.keyCount,
                                                [&](std::int32_t key) { return x - sides.sign * keys[key] >= 1; });
        const auto end = std::partition_point(begin, order + sides.keyCount, [&](std::int32_t key) {
            return x - sides.sign * keys[key] > 1 - m_smoothing;
        });
        m_begin[static_cast<std::size_t>(sides.probes + p)] = static_cast<std::int32_t>(begin - order);
        m_end[static_cast<std::size_t>(sides.probes + p)] = static_cast<std::int32_t>(end - order);
        count += end - begin;
    }
    return count;
}

bool LossCurvature::set(const ProductLists& lists, const MetricPoint& point, double smoothing, StopCheck& stopCheck) {
    m_lists = &lists;
    m_smoothing = smoothing;
    const auto entries = static_cast<std::size_t>(lists.entries());
    m_order.resize(entries);
    m_begin.resize(entries);
    m_end.resize(entries);
    std::vector<TripletIndex> counts(AnchorQuadraticForms::slices(lists).size(), 0);
    const auto work = [&](const ProductLists::Anchor& anchor, const double* values, double* /*weights*/,
                          Worker& /*worker*/, std::size_t slice) { counts[slice] += setRuns(anchor, values); };
    if (!m_space.setPoint(point, stopCheck) || !forEachAnchor(stopCheck, false, work)) {
        return false;
    }
    m_triplets = std::accumulate(counts.begin(), counts.end(), TripletIndex{0});
    return true;
}

/// Weights of the entries' δδᵀ in H[V], from v = δᵀVδ: with dt = v_other − v_same, Σ dt/s for the other row of each
/// triplet and −Σ dt/s for the row of the anchor's class. Either way round Σ (v_probe − v_key)/s over a probe's run and
/// its negative over the probes of a key.
void LossCurvature::weigh(const ProductLists::Anchor& anchor, const double* values, double* weights,
                          Worker& worker) const {
    const Sides sides = sidesOf(anchor);
    const double* keys = values + (sides.keys - anchor.begin);
    const double* probes = values + (sides.probes - anchor.begin);
    double* keyWeights = weights + (sides.keys - anchor.begin);
    double* probeWeights = weights + (sides.probes - anchor.begin);
    const std::int32_t* order = m_order.data() + sides.keys;
    const auto count = static_cast<std::size_t>(sides.keyCount);
    worker.sums.resize(count + 1);
    worker.sums[0] = 0;
    for (std::size_t j = 0; j < count; ++j) {
        worker.sums[j + 1] = worker.sums[j] + keys[order[j]];
    }
    worker.open.assign(count + 1, 0.0);
    worker.opened.assign(count + 1, 0.0);
    const double inverse = 1 / m_smoothing;
    for (std::int64_t p = 0; p < sides.probeCount; ++p) {
        const auto begin = static_cast<std::size_t>(m_begin[static_cast<std::size_t>(sides.probes + p)]);
        const auto end = static_cast<std::size_t>(m_end[static_cast<std::size_t>(sides.probes + p)]);
        probeWeights[p] = 0;
        if (begin == end) {
            continue;
        }
        const auto length = static_cast<double>(end - begin);
        probeWeights[p] = (length * probes[p] - (worker.sums[end] - worker.sums[begin])) * inverse;
        worker.open[begin] += 1;
        worker.opened[begin] += probes[p];
        worker.open[end] -= 1;
        worker.opened[end] -= probes[p];
    }
    double open = 0;
    double opened = 0;
    for (std::size_t j = 0; j < count; ++j) {
        open += worker.open[j];
        opened += worker.opened[j];
        keyWeights[order[j]] = (open * keys[order[j]] - opened) * inverse;
    }
}

bool LossCurvature::multiply(const Eigen::MatrixXd& v, StopCheck& stopCheck, Eigen::MatrixXd& product) {
    if (!m_space.setForm(v, stopCheck)) {
        return false;
    }
    m_space.beginSum();
    const auto work = [&](const ProductLists::Anchor& anchor, const double* values, double* weights, Worker& worker,
                          std::size_t /*slice*/) { weigh(anchor, values, weights, worker); };
    if (!forEachAnchor(stopCheck, true, work)) {
        return false;
    }
    Eigen::VectorXd column = Eigen::VectorXd::Zero(m_set.rows());
    for (const Eigen::VectorXd& part : m_columns) {
        column += part;
    }
    MatrixSum sum;
    if (!m_space.finishSum(*m_lists, column, 0, 0, stopCheck, sum)) {
        return false;
    }
    product = std::move(sum.value);
    return true;
}

double LossCurvature::workOfSet(const ListSize& lists) const {
    return m_space.workOfValues(lists) + work::ofSortedEntries(lists.entries);
}

double LossCurvature::workOfProduct(const ListSize& lists) const {
    return m_space.workOfValues(lists) + m_space.workOfSum(lists) + work::ofRuns(lists.entries);
}

std::vector<Triplet> LossCurvature::sample(std::int64_t count) const {
    std::vector<Triplet> picked;
    const std::int64_t step = std::max<std::int64_t>(1, (m_triplets + count - 1) / std::max<std::int64_t>(count, 1));
    std::int64_t passed = step / 2; // still to pass before the next one is picked
    for (const ProductLists::Anchor& anchor : m_lists->anchors) {
        const Sides sides = sidesOf(anchor);
        for (std::int64_t p = 0; p < sides.probeCount; ++p) {
            const auto probe = static_cast<std::size_t>(sides.probes + p);
            const std::int64_t length = m_end[probe] - m_begin[probe];
            for (; passed < length; passed += step) {
                const std::int32_t key = m_order[static_cast<std::size_t>(sides.keys + m_begin[probe] + passed)];
                const RowIndex x = m_lists->partner[probe];
                const RowIndex k = m_lists->partner[static_cast<std::size_t>(sides.keys + key)];
                picked.push_back(sides.sign > 0 ? Triplet{anchor.row, k, x} : Triplet{anchor.row, x, k});
            }
            passed -= length;
        }
    }
    return picked;
}

} // namespace lambdascope::triplets
