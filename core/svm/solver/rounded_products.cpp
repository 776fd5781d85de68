// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/rounded_products.h"

#include "core/common/random_stream.h"
#include "core/common/state_archive.h"
#include "core/numeric/memory_pages.h"
#include "core/numeric/symmetric_products.h"
#include "core/svm/problem/sample_products.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace lambdascope::svm {

namespace {

/// Pivots: a share of the samples, and at most so many.
constexpr Eigen::Index kPivotShare = 16;
constexpr Eigen::Index kMostPivots = 512;
/// Samples that are tried for each pivot at most.
constexpr Eigen::Index kTriesPerPivot = 4;
/// What is left of a diagonal entry counts as at least this share of it: single precision knows no more.
constexpr double kLeastRest = 1e-5;
constexpr double kTiny = 1e-30; ///< of zero vectors
/// Least d as a share of what is left on average. Pivots have nothing left, and a d of nothing would blow up rounding.
constexpr double kMeanShare = 0.5;
/// Pivots are chosen anew when there are so many times the samples, and places without a use are cleared when these are
/// more than this share.
constexpr double kManyMore = 1.5;
constexpr double kMostUnused = 0.12;
/// Columns that are made together.
constexpr Eigen::Index kColumnsTogether = 512;

} // namespace

std::size_t RoundedProducts::missing(std::span<const SampleIndex> samples) const {
    if (m_places.empty()) {
        return samples.size();
    }
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [this](SampleIndex i) { return placeOf(i) < 0; }));
}

bool RoundedProducts::hold(std::span<const SampleIndex> samples, StopCheck& stopCheck) {
    m_places.resize(static_cast<std::size_t>(m_problem.size()), -1);
    if (std::exchange(m_awaitsValues, false) && !fetch(0, stopCheck)) {
        clear();
        return false;
    }
    const std::size_t fresh = missing(samples);
    const auto places = static_cast<double>(m_samples.size() + fresh);
    if (static_cast<double>(samples.size()) < (1 - kMostUnused) * places) {
        compact(samples);
    }
    const Eigen::Index before = size();
    for (const SampleIndex i : samples) {
        if (placeOf(i) < 0) {
            m_places[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(m_samples.size());
            m_samples.push_back(i);
        }
    }
    if (!fetch(before, stopCheck)) {
        clear();
        return false;
    }
    const bool isNew = m_pivots.empty() || static_cast<double>(size()) > kManyMore * static_cast<double>(m_chosenAmong);
    if ((isNew && !choosePivots(stopCheck)) || !extendFactor(isNew ? 0 : before, stopCheck)) {
        clear();
        return false;
    }
    return true;
}

void RoundedProducts::clear() {
    m_awaitsValues = false;
    m_samples.clear();
    m_places.assign(m_places.size(), -1);
    m_pivots.clear();
}

void RoundedProducts::reserve(Eigen::Index places) {
    const Eigen::Index panels = (places + kPanel - 1) / kPanel;
    const std::size_t needed = panelBegin(panels);
    if (needed <= m_capacity) {
        return;
    }
    const std::size_t held = panelBegin((size() + kPanel - 1) / kPanel);
    const std::size_t capacity = needed + needed / 2; // what nobody writes to takes no memory
    std::unique_ptr<float[]> values(new float[capacity]);
    preferHugePages(values.get(), capacity * sizeof(float));
    std::copy_n(m_values.get(), std::min(held, m_capacity), values.get());
    m_values = std::move(values);
    m_capacity = capacity;
}

bool RoundedProducts::fetch(Eigen::Index first, StopCheck& stopCheck) {
    reserve(size());
    std::vector<SampleIndex> rows(m_samples.size());
    std::transform(m_samples.begin(), m_samples.end(), rows.begin(),
                   [this](SampleIndex i) { return m_problem.rowOf(i); });
    for (Eigen::Index place = first; place < size() && !stopCheck.isStopped(); ++place) {
        const KernelRow row = m_problem.kernelRow(m_samples[static_cast<std::size_t>(place)]);
        float* out = m_values.get() + placeOfValue(place, 0);
        for (Eigen::Index k = 0; k <= place; ++k) {
            out[k] = static_cast<float>(row.values[rows[static_cast<std::size_t>(k)]]);
        }
        // The diagonal block is whole: what later rows will fill is 0 until then.
        const Eigen::Index begin = place / kPanel * kPanel;
        std::fill(out + place + 1, out + begin + kPanel, 0.0F);
        for (Eigen::Index k = begin; k < place; ++k) {
            m_values[placeOfValue(k, place)] = out[k];
        }
        (void)stopCheck.spend(operationsPerRow(m_problem));
    }
    clearPadding();
    return !stopCheck.isStopped();
}

void RoundedProducts::clearPadding() {
    const Eigen::Index panels = (size() + kPanel - 1) / kPanel;
    if (size() < panels * kPanel) {
        std::fill(m_values.get() + placeOfValue(size(), 0), m_values.get() + panelBegin(panels), 0.0F);
    }
}

void RoundedProducts::compact(std::span<const SampleIndex> samples) {
    std::vector<bool> isAsked(m_places.size(), false);
    for (const SampleIndex i : samples) {
        isAsked[static_cast<std::size_t>(i)] = true;
    }
    std::vector<Eigen::Index> kept;
    for (Eigen::Index place = 0; place < size(); ++place) {
        if (isAsked[static_cast<std::size_t>(m_samples[static_cast<std::size_t>(place)])]) {
            kept.push_back(place);
        }
    }
    // Each number moves to a place before it or stays, so that none is lost before it has been moved.
    for (std::size_t to = 0; to < kept.size(); ++to) {
        const auto row = static_cast<Eigen::Index>(to);
        for (Eigen::Index k = 0; k <= row; ++k) {
            m_values[placeOfValue(row, k)] = m_values[placeOfValue(kept[to], kept[static_cast<std::size_t>(k)])];
        }
    }
    std::vector<SampleIndex> left(kept.size());
    std::transform(kept.begin(), kept.end(), left.begin(),
                   [this](Eigen::Index place) { return m_samples[static_cast<std::size_t>(place)]; });
    clear();
    m_samples = std::move(left);
    for (Eigen::Index place = 0; place < size(); ++place) {
        m_places[static_cast<std::size_t>(m_samples[static_cast<std::size_t>(place)])] =
            static_cast<std::int32_t>(place);
        const Eigen::Index begin = place / kPanel * kPanel;
        for (Eigen::Index k = place + 1; k < begin + kPanel; ++k) {
            m_values[placeOfValue(place, k)] = k < size() ? m_values[placeOfValue(k, place)] : 0.0F;
        }
    }
    clearPadding();
}

Eigen::VectorXd RoundedProducts::multiply(const Eigen::VectorXd& x) const {
    using Strip = Eigen::Array<float, kPanel, 1>;
    using Stored = Eigen::Map<const Strip>;
    const Eigen::Index panels = (size() + kPanel - 1) / kPanel;
    Eigen::VectorXf in = Eigen::VectorXf::Zero(panels * kPanel);
    in.head(size()) = x.cast<float>();
    Eigen::VectorXf out = Eigen::VectorXf::Zero(panels * kPanel);
    constexpr Eigen::Index kRows = 4; // that one pass takes: their sums stay in registers
    for (Eigen::Index panel = 0; panel < panels; ++panel) {
        const Eigen::Index width = kPanel * (panel + 1);
        const Eigen::Index begin = kPanel * panel;
        for (Eigen::Index half = 0; half < kPanel; half += kRows) {
            const float* rows = m_values.get() + placeOfValue(begin + half, 0);
            const float* const xs = in.data() + begin + half;
            Strip sums[kRows] = {Strip::Zero(), Strip::Zero(), Strip::Zero(), Strip::Zero()};
            for (Eigen::Index at = 0; at < begin; at += kPanel) {
                const Stored a(rows + at);
                const Stored b(rows + width + at);
                const Stored c(rows + 2 * width + at);
                const Stored d(rows + 3 * width + at);
                const Stored across(in.data() + at);
                Eigen::Map<Strip>(out.data() + at) += (a * xs[0] + b * xs[1]) + (c * xs[2] + d * xs[3]);
                sums[0] += a * across;
                sums[1] += b * across;
                sums[2] += c * across;
                sums[3] += d * across;
            }
            for (Eigen::Index r = 0; r < kRows; ++r) {
                const Stored own(rows + r * width + begin);
                out(begin + half + r) += sums[r].sum() + (own * Stored(in.data() + begin)).sum();
            }
        }
    }
    return out.head(size()).cast<double>();
}

bool RoundedProducts::choosePivots(StopCheck& stopCheck) {
    const Eigen::Index wanted = std::min(kMostPivots, size() / kPivotShare);
    m_chosenAmong = size();
    m_pivots.clear();
    m_pivotFactor = Eigen::MatrixXd::Zero(wanted, wanted);
    double largest = 0;
    for (Eigen::Index place = 0; place < size(); ++place) {
        largest = std::max(largest, static_cast<double>(value(place, place)));
    }
    RandomStream random(1, "pivots of " + std::to_string(size()) + " samples");
    Eigen::VectorXd row(wanted);
    for (Eigen::Index tries = 0; tries < kTriesPerPivot * wanted && std::ssize(m_pivots) < wanted; ++tries) {
        const auto place = static_cast<Eigen::Index>(random.below(m_samples.size()));
        const std::size_t count = m_pivots.size();
        const auto known = static_cast<Eigen::Index>(count);
        for (std::size_t k = 0; k < count; ++k) {
            row(static_cast<Eigen::Index>(k)) = value(place, m_pivots[k]);
        }
        m_pivotFactor.topLeftCorner(known, known).triangularView<Eigen::Lower>().solveInPlace(row.head(known));
        const double own = value(place, place);
        const double left = own - row.head(known).squaredNorm();
        // With a probability that is what is left of the diagonal.
        if (random.uniform() * largest < left && left > kLeastRest * own) {
            m_pivotFactor.row(known).head(known) = row.head(known).transpose();
            m_pivotFactor(known, known) = std::sqrt(left);
            m_pivots.push_back(place);
        }
        if (stopCheck.spend(known * known + 20 * known)) {
            return false;
        }
    }
    const auto chosen = std::ssize(m_pivots);
    m_pivotFactor.conservativeResize(chosen, chosen);
    return true;
}

bool RoundedProducts::extendFactor(Eigen::Index first, StopCheck& stopCheck) {
    const auto rank = std::ssize(m_pivots);
    const Eigen::Index columns = m_factor.rows() == rank ? m_factor.cols() : 0;
    if (columns < size()) {
        const Eigen::Index room = std::max(size() + size() / 4, Eigen::Index{1});
        Eigen::MatrixXf wider(rank, room);
        if (first > 0) { // else the rank may be another one
            wider.leftCols(first) = m_factor.leftCols(first);
        }
        m_factor = std::move(wider);
    }
    m_left.conservativeResize(size());
    Eigen::MatrixXd block;
    for (Eigen::Index at = first; at < size(); at += kColumnsTogether) {
        const Eigen::Index count = std::min(kColumnsTogether, size() - at);
        block.resize(rank, count);
        for (Eigen::Index c = 0; c < count; ++c) {
            for (Eigen::Index k = 0; k < rank; ++k) {
                block(k, c) = value(at + c, m_pivots[static_cast<std::size_t>(k)]);
            }
        }
        solveLowerInPlace(m_pivotFactor, block);
        m_factor.middleCols(at, count) = block.cast<float>();
        for (Eigen::Index c = 0; c < count; ++c) {
            m_left(at + c) = value(at + c, at + c) - block.col(c).squaredNorm();
        }
        if (stopCheck.spend(count * rank * (rank + 4))) {
            return false;
        }
    }
    const double mean = m_left.cwiseMax(0.0).mean();
    m_rest.resize(size());
    for (Eigen::Index place = 0; place < size(); ++place) {
        m_rest(place) = std::max({m_left(place), kMeanShare * mean, kLeastRest * value(place, place), kTiny});
    }
    return true;
}

void RoundedProducts::transfer(StateArchive& archive) {
    auto& [problem, samples, places, values, capacity, awaitsValues, pivots, chosenAmong, pivotFactor, factor, left,
           rest] = *this;
    factor.conservativeResize(Eigen::NoChange, size());
    archive(samples, pivots, chosenAmong, pivotFactor, factor, left, rest);
    if (!archive.isReading()) {
        return;
    }
    places.assign(static_cast<std::size_t>(problem.size()), -1);
    const auto isSample = [size = problem.size()](SampleIndex i) { return i >= 0 && i < size; };
    if (!std::all_of(samples.begin(), samples.end(), isSample)) {
        archive.refuse();
        clear();
        return;
    }
    for (std::size_t place = 0; place < samples.size(); ++place) {
        places[static_cast<std::size_t>(samples[place])] = static_cast<std::int32_t>(place);
    }
    awaitsValues = true;
}

} // namespace lambdascope::svm
