// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/loss_curvature.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::triplets {

LossCurvature::LossCurvature(const TripletSet& triplets, ThreadTeam& team)
    : m_set(triplets), m_team(team), m_space(triplets, team), m_workers(team.size()) {}

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

TripletIndex LossCurvature::setRuns(const ProductLists::Anchor& anchor, const double* values, SortedKeys& sorted) {
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const auto others = static_cast<std::size_t>(anchor.others());
    const bool isFinite = sorted.set({values, sames});
    for (std::size_t j = 0; j < sames; ++j) {
        m_order[static_cast<std::size_t>(anchor.begin) + j] = isFinite ? sorted.index(j) : static_cast<std::int32_t>(j);
    }
    TripletIndex count = 0;
    for (std::size_t l = 0; l < others; ++l) {
        const double x = values[sames + l];
        const auto isZero = [x](double key) { return x - key >= 1; };
        const auto isNotLinear = [x, low = 1 - m_smoothing](double key) { return x - key > low; };
        std::int32_t begin = 0;
        std::int32_t end = 0;
        if (isFinite && !isZero(sorted.keys().back()) && isNotLinear(sorted.keys().front()) && std::isfinite(x)) {
            begin = sorted.firstNot(x - 1, isZero);
            end = sorted.firstNot(x - 1 + m_smoothing, isNotLinear);
        }
        m_begin[static_cast<std::size_t>(anchor.middle) + l] = begin;
        m_end[static_cast<std::size_t>(anchor.middle) + l] = end;
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
    const auto work = [&](const ProductLists::Anchor& anchor, const double* values, double* /*weights*/, Worker& worker,
                          std::size_t slice) { counts[slice] += setRuns(anchor, values, worker.sorted); };
    if (!m_space.setPoint(point, stopCheck) || !forEachAnchor(stopCheck, false, work)) {
        return false;
    }
    m_triplets = std::accumulate(counts.begin(), counts.end(), TripletIndex{0});
    return true;
}

/// Weights of the entries' δδᵀ in H[V], from v = δᵀVδ: with dt = v_other − v_same over the triplets between the edges,
/// Σ dt/s for a row of another class and −Σ dt/s for one of the anchor's class. Both come from running sums.
void LossCurvature::weigh(const ProductLists::Anchor& anchor, const double* values, double* weights,
                          Worker& worker) const {
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const auto others = static_cast<std::size_t>(anchor.others());
    const double* otherValues = values + sames;
    const std::int32_t* order = m_order.data() + anchor.begin;
    worker.sums.resize(sames + 1);
    worker.sums[0] = 0;
    for (std::size_t j = 0; j < sames; ++j) {
        worker.sums[j + 1] = worker.sums[j] + values[order[j]];
    }
    worker.open.assign(sames + 1, 0.0);
    worker.opened.assign(sames + 1, 0.0);
    const double inverse = 1 / m_smoothing;
    for (std::size_t l = 0; l < others; ++l) {
        const auto begin = static_cast<std::size_t>(m_begin[static_cast<std::size_t>(anchor.middle) + l]);
        const auto end = static_cast<std::size_t>(m_end[static_cast<std::size_t>(anchor.middle) + l]);
        weights[sames + l] = 0;
        if (begin == end) {
            continue;
        }
        const auto length = static_cast<double>(end - begin);
        weights[sames + l] = (length * otherValues[l] - (worker.sums[end] - worker.sums[begin])) * inverse;
        worker.open[begin] += 1;
        worker.opened[begin] += otherValues[l];
        worker.open[end] -= 1;
        worker.opened[end] -= otherValues[l];
    }
    double open = 0;
    double opened = 0;
    for (std::size_t j = 0; j < sames; ++j) {
        open += worker.open[j];
        opened += worker.opened[j];
        weights[order[j]] = (open * values[order[j]] - opened) * inverse;
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
        for (std::int64_t l = anchor.middle; l < anchor.end; ++l) {
            const auto other = static_cast<std::size_t>(l);
            const std::int64_t length = m_end[other] - m_begin[other];
            for (; passed < length; passed += step) {
                const std::int32_t same = m_order[static_cast<std::size_t>(anchor.begin + m_begin[other] + passed)];
                picked.push_back({anchor.row, m_lists->partner[static_cast<std::size_t>(anchor.begin + same)],
                                  m_lists->partner[other]});
            }
            passed -= length;
        }
    }
    return picked;
}

} // namespace lambdascope::triplets
