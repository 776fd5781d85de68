// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/precise_expansion.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

/// Operations of a kernel value: an exponential, and so many for each feature.
constexpr std::int64_t kOperationsPerValue = 600;
constexpr std::int64_t kOperationsPerFeature = 10;

void addTerm(DoubleDouble coefficient, DoubleDouble value, DoubleDoubleSum& sum) {
    sum.addProduct(coefficient.high, coefficient.low, value.high);
    if (value.low != 0) {
        sum.addProduct(value.low, 0, coefficient.high);
    }
}

/// Calls take(feature, value) for all nonzeros of a row.
template <class Take>
void forNonzeros(const FeatureRows& features, Eigen::Index i, const Take& take) {
    if (features.dense() != nullptr) {
        for (Eigen::Index f = 0; f < features.features(); ++f) {
            if (const double value = (*features.dense())(i, f); value != 0) {
                take(static_cast<std::size_t>(f), value);
            }
        }
        return;
    }
    for (FeatureRows::Sparse::InnerIterator it(*features.sparse(), i); it; ++it) {
        take(static_cast<std::size_t>(it.col()), it.value());
    }
}

} // namespace

PreciseExpansion::PreciseExpansion(const KernelFunction& kernel, const FeatureRows& features,
                                   const Eigen::VectorXd& norms, const std::vector<Term>& terms, StopCheck& stopCheck)
    : m_kernel(kernel, features), m_features(features), m_norms(norms),
      m_isLinear(kernel.kind == KernelKind::Linear && kernel.bias == 0) {
    double length = 0; // of what is summed up
    double weight = 0;
    for (const Term& term : terms) {
        length += std::abs(term.coefficient.high) * norms(term.row);
        weight += std::abs(term.coefficient.high);
    }
    const auto count = static_cast<double>(terms.size());
    const auto width = static_cast<double>(features.features());
    // A kernel value with its low part is two terms; a linear product is wrong by its share of what the sums are.
    const double sums = DoubleDoubleSum::error(2 * count) + (m_isLinear ? DoubleDoubleSum::error(2 * width) : 0.0);
    const double lost = 4 * (count + 1) * (width + 1) * kUnderflow; // by products too small for their rounding
    m_error = 1.01 * (m_kernel.error() + sums) * length * (1 + roundingFactor(count + 4)) + lost;
    m_lost = lost * (1 + weight);
    if (m_isLinear) {
        sumRows(terms, stopCheck);
    } else {
        for (const Term& term : terms) {
            m_rows.push_back(term.row);
            m_coefficients.push_back(term.coefficient);
        }
    }
    m_isReliable = m_kernel.isReliable() && !stopCheck.isStopped();
}

void PreciseExpansion::sumRows(const std::vector<Term>& terms, StopCheck& stopCheck) {
    std::vector<DoubleDoubleSum> sums(static_cast<std::size_t>(m_features.features()));
    const auto operations = static_cast<std::int64_t>(kOperationsPerFeature * (1 + m_features.meanEntries()));
    for (const Term& term : terms) {
        forNonzeros(m_features, term.row, [&](std::size_t f, double value) {
            sums[f].addProduct(term.coefficient.high, term.coefficient.low, value);
        });
        if (stopCheck.spend(operations)) {
            return;
        }
    }
    m_weights.resize(sums.size());
    std::transform(sums.begin(), sums.end(), m_weights.begin(), [](const DoubleDoubleSum& s) { return s.value(); });
}

std::int64_t PreciseExpansion::operations() const {
    const auto perValue = static_cast<std::int64_t>(kOperationsPerFeature * (1 + m_features.meanEntries()));
    return m_isLinear ? perValue : std::ssize(m_rows) * (kOperationsPerValue + perValue);
}

DoubleDouble PreciseExpansion::at(Eigen::Index i) const {
    DoubleDoubleSum sum;
    if (m_isLinear) {
        forNonzeros(m_features, i,
                    [&](std::size_t f, double value) { sum.addProduct(m_weights[f].high, m_weights[f].low, value); });
        return sum.value();
    }
    std::vector<DoubleDouble> values;
    m_kernel.values(i, m_rows, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
        addTerm(m_coefficients[k], values[k], sum);
    }
    return sum.value();
}

} // namespace lambdascope
