// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/loss_curvature.h"

#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

LossCurvature::LossCurvature(const TripletSet& triplets, ThreadTeam& team)
    : m_set(triplets), m_team(team), m_space(triplets, team), m_workers(team.size()) {}

/// work(anchor, values of its entries, place for their weights, worker, slice), in parallel over slices; with `isSum`
/// the weights are added up.
template <class Work>
bool LossCurvature::forEachAnchor(const ProductLists& lists, StopCheck& stopCheck, bool isSum, const Work& work) {
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

/// Which runs of the sorted sames the others have between the edges, of those that have one.
void LossCurvature::findRuns(std::span<const double> sames, std::span<const double> others, Worker& worker) const {
    worker.others.clear();
    worker.runs.clear();
    SortedKeys& sorted = worker.sorted;
    if (!sorted.set(sames)) {
        return;
    }
    for (std::size_t l = 0; l < others.size(); ++l) {
        const double x = others[l];
        const auto isZero = [x](double key) { return x - key >= 1; };
        const auto isNotLinear = [x, low = 1 - m_smoothing](double key) { return x - key > low; };
        if (isZero(sorted.keys().back()) || !isNotLinear(sorted.keys().front()) || !std::isfinite(x)) {
            continue;
        }
        const std::int32_t begin = sorted.firstNot(x - 1, isZero);
        const std::int32_t end = sorted.firstNot(x - 1 + m_smoothing, isNotLinear);
        if (begin < end) {
            worker.others.push_back(static_cast<std::int64_t>(l));
            worker.runs.push_back({begin, end});
        }
    }
}

/// Adds the sames in any of these runs, and their others.
void LossCurvature::list(const ProductLists& lists, const ProductLists::Anchor& anchor, Worker& worker,
                         Part& part) const {
    if (worker.runs.empty()) {
        return;
    }
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const auto begin = static_cast<std::int64_t>(part.partner.size());
    const auto add = [&](std::int64_t entry, Run run) {
        part.partner.push_back(lists.partner[static_cast<std::size_t>(entry)]);
        part.runs.push_back(run);
        part.triplets += run.end - run.begin;
    };
    worker.places.assign(sames + 1, 0); // at first the change of the number of runs at each
    for (const Run& run : worker.runs) {
        ++worker.places[static_cast<std::size_t>(run.begin)];
        --worker.places[static_cast<std::size_t>(run.end)];
    }
    std::int32_t depth = 0;
    std::int32_t count = 0;
    for (std::size_t j = 0; j < sames; ++j) {
        depth += std::exchange(worker.places[j], count);
        if (depth > 0) {
            add(anchor.begin + worker.sorted.index(j), {});
            ++count;
        }
    }
    for (std::size_t at = 0; at < worker.runs.size(); ++at) {
        const Run& run = worker.runs[at];
        const std::int32_t first = worker.places[static_cast<std::size_t>(run.begin)];
        add(anchor.middle + worker.others[at], {first, first + run.end - run.begin});
    }
    part.anchors.push_back({anchor.row, begin, begin + count, static_cast<std::int64_t>(part.partner.size())});
}

void LossCurvature::join(const std::vector<Part>& parts) {
    m_between.anchors.clear();
    m_between.partner.clear();
    m_between.longest = 0;
    m_runs.clear();
    m_triplets = 0;
    for (const Part& part : parts) {
        const std::int64_t before = m_between.entries();
        for (const ProductLists::Anchor& anchor : part.anchors) {
            m_between.anchors.push_back(
                {anchor.row, before + anchor.begin, before + anchor.middle, before + anchor.end});
            m_between.longest = std::max(m_between.longest, anchor.end - anchor.begin);
        }
        m_between.partner.insert(m_between.partner.end(), part.partner.begin(), part.partner.end());
        m_runs.insert(m_runs.end(), part.runs.begin(), part.runs.end());
        m_triplets += part.triplets;
    }
}

bool LossCurvature::set(const ProductLists& lists, const MetricPoint& point, double smoothing, StopCheck& stopCheck) {
    m_smoothing = smoothing;
    std::vector<Part> parts(AnchorQuadraticForms::slices(lists).size());
    const auto work = [&](const ProductLists::Anchor& anchor, const double* values, double* /*weights*/, Worker& worker,
                          std::size_t slice) {
        const auto sames = static_cast<std::size_t>(anchor.sames());
        findRuns({values, sames}, {values + sames, static_cast<std::size_t>(anchor.others())}, worker);
        list(lists, anchor, worker, parts[slice]);
    };
    if (!m_space.setPoint(point, stopCheck) || !forEachAnchor(lists, stopCheck, false, work)) {
        return false;
    }
    join(parts);
    return true;
}

/// Weights of the entries' δδᵀ in H[V], from v = δᵀVδ: with dt = v_other − v_same over the triplets between the edges,
/// Σ dt/s for a row of another class and −Σ dt/s for one of the anchor's class. Both come from running sums.
void LossCurvature::weigh(const ProductLists::Anchor& anchor, const double* values, double* weights,
                          Worker& worker) const {
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const auto others = static_cast<std::size_t>(anchor.others());
    const double* otherValues = values + sames;
    worker.sums.resize(sames + 1);
    worker.sums[0] = 0;
    for (std::size_t j = 0; j < sames; ++j) {
        worker.sums[j + 1] = worker.sums[j] + values[j];
    }
    worker.open.assign(sames + 1, 0.0);
    worker.opened.assign(sames + 1, 0.0);
    const double inverse = 1 / m_smoothing;
    for (std::size_t l = 0; l < others; ++l) {
        const Run& run = m_runs[static_cast<std::size_t>(anchor.middle) + l];
        const auto begin = static_cast<std::size_t>(run.begin);
        const auto end = static_cast<std::size_t>(run.end);
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
        weights[j] = (open * values[j] - opened) * inverse;
    }
}

bool LossCurvature::multiply(const Eigen::MatrixXd& v, StopCheck& stopCheck, Eigen::MatrixXd& product) {
    if (!m_space.setForm(v, stopCheck)) {
        return false;
    }
    m_space.beginSum();
    const auto work = [&](const ProductLists::Anchor& anchor, const double* values, double* weights, Worker& worker,
                          std::size_t /*slice*/) { weigh(anchor, values, weights, worker); };
    if (!forEachAnchor(m_between, stopCheck, true, work)) {
        return false;
    }
    Eigen::VectorXd column = Eigen::VectorXd::Zero(m_set.rows());
    for (const Eigen::VectorXd& part : m_columns) {
        column += part;
    }
    MatrixSum sum;
    if (!m_space.finishSum(m_between, column, 0, 0, stopCheck, sum)) {
        return false;
    }
    product = std::move(sum.value);
    return true;
}

double LossCurvature::workOfSet(const ListSize& lists) const {
    return m_space.workOfValues(lists) + work::ofSortedEntries(lists.entries);
}

double LossCurvature::workOfProduct(const ListSize& between) const {
    return m_space.workOfValues(between) + m_space.workOfSum(between) + work::ofRuns(between.entries);
}

std::vector<Triplet> LossCurvature::sample(std::int64_t count) const {
    std::vector<Triplet> picked;
    const std::int64_t step = std::max<std::int64_t>(1, (m_triplets + count - 1) / std::max<std::int64_t>(count, 1));
    std::int64_t passed = step / 2; // still to pass before the next one is picked
    for (const ProductLists::Anchor& anchor : m_between.anchors) {
        for (std::int64_t other = anchor.middle; other < anchor.end; ++other) {
            const Run& run = m_runs[static_cast<std::size_t>(other)];
            const std::int64_t length = run.end - run.begin;
            for (; passed < length; passed += step) {
                picked.push_back({anchor.row,
                                  m_between.partner[static_cast<std::size_t>(anchor.begin + run.begin + passed)],
                                  m_between.partner[static_cast<std::size_t>(other)]});
            }
            passed -= length;
        }
    }
    return picked;
}

} // namespace lambdascope::triplets
