// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/pu_space.h"

#include "core/kernel/kernel_rows.h"
#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

constexpr std::size_t kTileRows = 64;
constexpr std::size_t kTileColumns = 256; ///< a tile stays in the second cache until it is summed up

} // namespace

FeatureRows PuSamples::features() const {
    return isSparse ? FeatureRows(sparse) : FeatureRows(dense);
}

PuSpace::PuSpace(std::shared_ptr<const PuSamples> samples, const KernelFunction& kernel, double budget, bool fills,
                 StopCheck& stopCheck, ThreadTeam& team)
    : m_samples(std::move(samples)), m_kernel(kernel), m_budget(budget) {
    const FeatureRows rows = features();
    const auto p = static_cast<double>(positives());
    const Eigen::Index all = rows.rows();
    m_attraction = Eigen::VectorXd::Zero(all);
    if (isLinear()) {
        m_diagonal = rows.squaredNorms();
        m_norms = m_diagonal.cwiseSqrt() * (1 + roundingFactor(static_cast<double>(rows.features()) + 4));
        m_positiveSum = Eigen::VectorXd::Zero(rows.features());
        for (SampleIndex i = 0; i < positives(); ++i) {
            rows.addTo(i, 1.0, m_positiveSum.data());
        }
        for (Eigen::Index u = 0; u < all; ++u) {
            m_attraction(u) = rows.dot(u, m_positiveSum.data());
        }
    } else {
        const double everything = KernelRows::bytesPerRow(all) * static_cast<double>(all);
        const double least = 2 * KernelRows::bytesPerRow(all);
        // One byte less than all rows makes the store make them one by one.
        const double given = fills ? budget : std::min(budget, everything - 1);
        m_rows = std::make_unique<KernelRows>(kernel, rows, std::max(least, given));
        (void)m_rows->fill(stopCheck, team);
        if (stopCheck.isStopped()) {
            return;
        }
        m_diagonal = m_rows->diagonal();
        m_norms = m_diagonal.cwiseSqrt() * (1 + m_rows->error() + 4 * kUnitRoundoff);
        makeAttraction(stopCheck);
    }
    const double length = m_norms.head(positives()).sum();
    m_attractionError = (valueError() + roundingFactor(p + 2 + (isLinear() ? p : 0))) * length;
}

void PuSpace::makeAttraction(StopCheck& stopCheck) {
    std::vector<Weighted> ones;
    for (SampleIndex i = 0; i < positives(); ++i) {
        ones.emplace_back(i, 1.0);
    }
    if (makesTiles()) {
        m_squares = features().squaredNorms();
        addTiles(ones, m_attraction, stopCheck);
    } else {
        addRows(ones, m_attraction, stopCheck);
    }
}

bool PuSpace::makesTiles() const {
    return m_rows && !m_rows->keepsAll() && m_kernel.kind != KernelKind::Precomputed;
}

FeatureRows::Dense PuSpace::tile(const FeatureRows& block, Eigen::Index first, Eigen::Index count,
                                 const Eigen::Ref<const Eigen::VectorXd>& squares, Eigen::Index from,
                                 Eigen::Index columns) const {
    FeatureRows::Dense values = block.products(first, count, features(), from, columns);
    applyKernel(m_kernel, squares, m_squares.segment(from, columns).transpose(), values);
    return values;
}

void PuSpace::addTiles(std::span<const Weighted> weighted, Eigen::VectorXd& sum, StopCheck& stopCheck) const {
    const FeatureRows rows = features();
    const auto all = static_cast<std::size_t>(size());
    for (std::size_t at = 0; at < weighted.size() && !stopCheck.isStopped(); at += kTileRows) {
        const auto count = static_cast<Eigen::Index>(std::min(kTileRows, weighted.size() - at));
        FeatureRows::Dense block = FeatureRows::Dense::Zero(count, rows.features());
        Eigen::VectorXd squares(count);
        Eigen::VectorXd factors(count);
        for (Eigen::Index k = 0; k < count; ++k) {
            const auto& [i, factor] = weighted[at + static_cast<std::size_t>(k)];
            rows.addTo(i, 1.0, block.row(k).data());
            squares(k) = m_squares(i);
            factors(k) = factor;
        }
        for (std::size_t from = 0; from < all && !stopCheck.isStopped(); from += kTileColumns) {
            const auto first = static_cast<Eigen::Index>(from);
            const auto columns = static_cast<Eigen::Index>(std::min(kTileColumns, all - from));
            sum.segment(first, columns).noalias() +=
                tile(block, 0, count, squares, first, columns).transpose() * factors;
            (void)stopCheck.spend(count * columns * (2 * rows.features() + 16));
        }
    }
}

double PuSpace::addAllTiles(const Eigen::VectorXd& s, Eigen::VectorXd& sum, StopCheck& stopCheck) const {
    const FeatureRows rows = features();
    const auto all = static_cast<std::size_t>(size());
    for (auto at = static_cast<std::size_t>(positives()); at < all && !stopCheck.isStopped(); at += kTileRows) {
        const auto first = static_cast<Eigen::Index>(at);
        const auto count = static_cast<Eigen::Index>(std::min(kTileRows, all - at));
        const auto squares = m_squares.segment(first, count);
        // Columns of the positives, then those from the block itself on: the ones between are rows of earlier blocks.
        for (std::size_t from = 0; from < all && !stopCheck.isStopped();) {
            const bool isPositive = from < static_cast<std::size_t>(positives());
            if (!isPositive && from < at) {
                from = at;
            }
            const bool isOwn = from == at;
            const std::size_t end = isPositive ? static_cast<std::size_t>(positives())
                                    : isOwn    ? at + static_cast<std::size_t>(count)
                                               : all;
            const auto left = static_cast<Eigen::Index>(from);
            const auto columns = static_cast<Eigen::Index>(std::min(kTileColumns, end - from));
            const FeatureRows::Dense values = tile(rows, first, count, squares, left, columns);
            sum.segment(left, columns).noalias() += values.transpose() * s.segment(first, count);
            if (!isPositive && !isOwn) {
                sum.segment(first, count).noalias() += values * s.segment(left, columns);
            }
            from += static_cast<std::size_t>(columns);
            (void)stopCheck.spend(count * columns * (2 * rows.features() + 16));
        }
    }
    // Within a tile, and over the tiles that a sample is part of, as row or as column.
    return static_cast<double>(kTileColumns + 2) +
           static_cast<double>(all) * (1.0 / static_cast<double>(kTileRows) + 1.0 / static_cast<double>(kTileColumns));
}

double PuSpace::valueError() const {
    return m_rows ? m_rows->error() : roundingFactor(static_cast<double>(m_samples->features().features()) + 2);
}

KernelRow PuSpace::row(SampleIndex i, std::vector<double>& scratch) const {
    if (m_rows) {
        return m_rows->row(i);
    }
    const FeatureRows rows = features();
    scratch.resize(static_cast<std::size_t>(size()));
    if (rows.dense() != nullptr) {
        Eigen::Map<Eigen::VectorXd>(scratch.data(), size()).noalias() =
            *rows.dense() * rows.dense()->row(i).transpose();
    } else {
        Eigen::VectorXd spread = Eigen::VectorXd::Zero(rows.features());
        rows.addTo(i, 1.0, spread.data());
        for (SampleIndex u = 0; u < size(); ++u) {
            scratch[static_cast<std::size_t>(u)] = rows.dot(u, spread.data());
        }
    }
    return {scratch.data(), nullptr};
}

void PuSpace::addRows(std::span<const Weighted> weighted, Eigen::VectorXd& sum, StopCheck& stopCheck) const {
    using RowMap = Eigen::Map<const Eigen::VectorXd>;
    constexpr std::size_t kTogether = 4; // one pass over the sum for so many rows
    std::vector<double> scratch[kTogether];
    KernelRow rows[kTogether];
    std::size_t at = 0;
    for (; at + kTogether <= weighted.size() && !stopCheck.isStopped(); at += kTogether) {
        const auto factor = [&](std::size_t k) { return weighted[at + k].second; };
        for (std::size_t k = 0; k < kTogether; ++k) {
            rows[k] = row(weighted[at + k].first, scratch[k]);
        }
        sum += (factor(0) * RowMap(rows[0].values, size()) + factor(1) * RowMap(rows[1].values, size())) +
               (factor(2) * RowMap(rows[2].values, size()) + factor(3) * RowMap(rows[3].values, size()));
        (void)stopCheck.spend(static_cast<std::int64_t>(kTogether) * (std::int64_t{2} * size() + rowWork()));
    }
    for (; at < weighted.size() && !stopCheck.isStopped(); ++at) {
        rows[0] = row(weighted[at].first, scratch[0]);
        sum += weighted[at].second * RowMap(rows[0].values, size());
        (void)stopCheck.spend(std::int64_t{4} * size() + rowWork());
    }
}

} // namespace lambdascope::pu
