// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_rows.h"

#include "core/numeric/memory_pages.h"

#include <algorithm>
#include <new>

namespace lambdascope {

namespace {

constexpr Eigen::Index kBlock = 64; ///< rows per matrix product
constexpr Eigen::Index kTile =
    512; ///< columns per matrix product: what is made stays in the second cache until it is stored

/// A precomputed matrix may already stand in memory as it is wanted.
bool standsInMemory(const KernelFunction& kernel, const FeatureRows& features) {
    return kernel.kind == KernelKind::Precomputed && features.dense() != nullptr && kernel.bias == 0 &&
           kernel.ridge == 0;
}

/// Numbers that begin where a vector register may: how an expression is cut into registers, and so the last bit of
/// what comes out, depends on that.
std::shared_ptr<double[]> alignedNumbers(std::size_t count) {
    constexpr std::align_val_t kAlignment{64};
    auto* numbers = static_cast<double*>(::operator new(count * sizeof(double), kAlignment));
    return {numbers, [](double* given) { ::operator delete(given, kAlignment); }};
}

} // namespace

void applyKernel(const KernelFunction& kernel, const Eigen::Ref<const Eigen::VectorXd>& rowNorms,
                 const Eigen::Ref<const Eigen::RowVectorXd>& columnNorms,
                 Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> products) {
    for (Eigen::Index i = 0; i < products.rows(); ++i) {
        auto row = products.row(i).array();
        if (kernel.kind == KernelKind::Rbf) {
            row = (-kernel.gamma * (columnNorms.array() + rowNorms(i) - 2 * row).max(0.0)).exp();
        } else if (kernel.kind == KernelKind::Polynomial) {
            row = row.unaryExpr([&](double product) { return polynomialKernel(kernel, product); });
        }
        if (kernel.bias != 0) {
            row += kernel.bias * kernel.bias;
        }
    }
}

KernelRows::KernelRows(const KernelFunction& kernel, const FeatureRows& features, double budget)
    : m_kernel(kernel), m_features(features), m_budget(budget) {
    const Eigen::Index n = features.rows();
    m_diagonal.resize(n);
    if (kernel.kind == KernelKind::Precomputed) {
        for (Eigen::Index i = 0; i < n; ++i) {
            const double own = features.dense() != nullptr ? (*features.dense())(i, i) : features.sparse()->coeff(i, i);
            m_diagonal(i) = own * (1 + kernel.ridge) + kernel.bias * kernel.bias;
        }
    } else {
        m_norms = features.squaredNorms();
        m_diagonal = m_norms.unaryExpr([&](double norm) { return kernelDiagonal(kernel, norm); });
    }
    m_error = kernelError(kernel, features.features(), n > 0 && m_norms.size() > 0 ? m_norms.maxCoeff() : 0.0);
    m_keepsAll = standsInMemory(kernel, features) || bytesPerRow(n) * static_cast<double>(n) <= budget;
    m_slots.resize(m_keepsAll ? 0 : static_cast<std::size_t>(n));
}

KernelRows::KernelRows(std::shared_ptr<const KernelRows> whole, std::vector<Eigen::Index> picked,
                       const FeatureRows& features, double budget)
    : KernelRows(whole->kernel(), features, budget) {
    m_whole = std::move(whole);
    m_picked = std::move(picked);
}

void KernelRows::pickInto(Eigen::Index i, double* values) const {
    const KernelRow row = m_whole->row(m_picked[static_cast<std::size_t>(i)]);
    for (const Eigen::Index j : m_picked) {
        *values++ = row.values[j];
    }
}

bool KernelRows::fill(StopCheck& stopCheck) {
    ThreadTeam alone;
    return fill(stopCheck, alone);
}

bool KernelRows::fill(StopCheck& stopCheck, ThreadTeam& team) {
    if (!m_keepsAll || standsInMemory(m_kernel, m_features)) {
        return true;
    }
    const Eigen::Index n = rows();
    if (!clearMemory(stopCheck, team)) {
        return false;
    }
    const bool isDone = team.forEachBlock(
        (n + kBlock - 1) / kBlock,
        [&](std::int64_t block, std::size_t) { fillBlock(block * kBlock, std::min(kBlock, n - block * kBlock)); },
        [&] { return stopCheck.spend(2 * kBlock * n * (m_whole ? 1 : m_features.features() + 8)); });
    m_made = isDone ? n : 0;
    if (isDone) {
        m_whole.reset(); // nothing more is picked
    }
    return isDone;
}

bool KernelRows::clearMemory(StopCheck& stopCheck, ThreadTeam& team) {
    constexpr Eigen::Index kPiece = Eigen::Index{1} << 21; // numbers: 16 MB, some milliseconds
    constexpr Eigen::Index kPage = 512;
    m_all.resize(rows(), rows());
    preferHugePages(m_all.data(), static_cast<std::size_t>(m_all.size()) * sizeof(double));
    return team.forEachBlock((m_all.size() + kPiece - 1) / kPiece,
                             [&](std::int64_t piece, std::size_t) {
                                 const Eigen::Index end = std::min((piece + 1) * kPiece, m_all.size());
                                 for (Eigen::Index at = piece * kPiece; at < end; at += kPage) {
                                     m_all.data()[at] = 0;
                                 }
                             },
                             [&] { return stopCheck.spend(StopCheck::kOperationsPerQuestion); });
}

void KernelRows::fillBlock(Eigen::Index first, Eigen::Index count) {
    const Eigen::Index n = rows();
    if (m_whole != nullptr) {
        for (Eigen::Index i = first; i < first + count; ++i) {
            pickInto(i, m_all.row(i).data());
        }
    } else if (m_kernel.kind == KernelKind::Precomputed) {
        for (Eigen::Index i = first; i < first + count; ++i) {
            std::copy_n(make(i).get(), n, m_all.row(i).data());
        }
    } else {
        for (Eigen::Index at = first; at < n; at += kTile) {
            const Eigen::Index columns = std::min(kTile, n - at);
            FeatureRows::Dense tile = m_features.products(first, count, m_features, at, columns);
            applyKernel(m_kernel, m_norms.segment(first, count), m_norms.segment(at, columns).transpose(), tile);
            m_all.block(first, at, count, columns) = tile;
            m_all.block(at, first, columns, count) = tile.transpose();
        }
    }
    m_all.block(first, first, count, count).diagonal() = m_diagonal.segment(first, count);
}

std::shared_ptr<const double[]> KernelRows::make(Eigen::Index i) const {
    const Eigen::Index n = rows();
    std::shared_ptr<double[]> values = alignedNumbers(static_cast<std::size_t>(n));
    Eigen::Map<FeatureRows::Dense> row(values.get(), 1, n);
    if (m_whole != nullptr) {
        pickInto(i, values.get());
    } else if (m_kernel.kind == KernelKind::Precomputed) {
        if (m_features.dense() != nullptr) {
            row = m_features.dense()->row(i);
        } else {
            row = m_features.sparse()->row(i);
        }
        row.array() += m_kernel.bias * m_kernel.bias;
    } else {
        row = m_features.products(i, 1, m_features);
        applyKernel(m_kernel, m_norms.segment(i, 1), m_norms.transpose(), row);
    }
    row(0, i) = m_diagonal(i);
    return values;
}

KernelRow KernelRows::row(Eigen::Index i) const {
    if (m_keepsAll) {
        const FeatureRows::Dense& all = m_all.size() > 0 ? m_all : *m_features.dense();
        return {all.data() + i * rows(), nullptr};
    }
    const std::lock_guard lock(m_mutex);
    Slot& slot = m_slots[static_cast<std::size_t>(i)];
    if (slot.values) {
        m_byUse.splice(m_byUse.begin(), m_byUse, slot.use);
        return {slot.values.get(), slot.values};
    }
    while (!m_byUse.empty() && static_cast<double>(m_byUse.size() + 1) * bytesPerRow(rows()) > m_budget) {
        m_slots[static_cast<std::size_t>(m_byUse.back())] = {};
        m_byUse.pop_back();
    }
    ++m_made;
    slot.values = make(i);
    m_byUse.push_front(i);
    slot.use = m_byUse.begin();
    return {slot.values.get(), slot.values};
}

double KernelRows::bytes() const {
    const std::lock_guard lock(m_mutex);
    return static_cast<double>(m_all.size()) * sizeof(double) +
           static_cast<double>(m_byUse.size()) * bytesPerRow(rows());
}

std::int64_t KernelRows::rowsMade() const {
    const std::lock_guard lock(m_mutex);
    return m_made;
}

} // namespace lambdascope
