// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/precise_kernel.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kSquareOfRoundoff = kUnitRoundoff * kUnitRoundoff;
/// Between these, products of two numbers and what they lose are far from overflow and underflow.
constexpr double kLeastFeature = 0x1p-400;
constexpr double kLargestFeature = 0x1p+400;

bool isModerate(double value) {
    return value == 0 || (std::abs(value) >= kLeastFeature && std::abs(value) <= kLargestFeature);
}

bool areModerate(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), isModerate);
}

std::span<const double> numbersOf(const FeatureRows& features) {
    return features.dense() != nullptr
               ? std::span(features.dense()->data(), static_cast<std::size_t>(features.dense()->size()))
               : std::span(features.sparse()->valuePtr(), static_cast<std::size_t>(features.sparse()->nonZeros()));
}

std::span<const double> denseRow(const FeatureRows& features, Eigen::Index i) {
    const auto width = static_cast<std::size_t>(features.features());
    return {features.dense()->data() + static_cast<std::size_t>(i) * width, width};
}

/// Error of a kernel value as a share of (Kᵢᵢ Kⱼⱼ)^½.
double errorOf(const KernelFunction& kernel, double terms, double largestSquare) {
    const double product = DoubleDoubleSum::error(terms); // of xᵀx', as a share of ‖x‖‖x'‖
    const double rest = 8 * kSquareOfRoundoff;            // b², and adding it
    switch (kernel.kind) {
    case KernelKind::Precomputed: return rest;
    case KernelKind::Linear: return product + rest;
    case KernelKind::Rbf:
        // ‖x‖² + ‖x'‖² − 2xᵀx' is a sum of less than (‖x‖ + ‖x'‖)² ≤ 4 max ‖x‖², and γ times it is rounded too.
        return 1.01 * kernel.gamma * 4 * largestSquare * (product + 16 * kSquareOfRoundoff) + kPreciseExponentialError +
               rest;
    case KernelKind::Polynomial: // (γ‖x‖‖x'‖ + c)^p is at most (Kᵢᵢ Kⱼⱼ)^½; p − 1 products are rounded
        return 1.01 * kernel.degree * (product + 16 * kSquareOfRoundoff) + rest;
    }
    return 0;
}

} // namespace

PreciseKernel::PreciseKernel(const KernelFunction& kernel, const FeatureRows& features)
    : m_kernel(kernel), m_features(features) {
    m_isReliable = areModerate(numbersOf(features)) && isModerate(kernel.gamma) && isModerate(kernel.offset) &&
                   isModerate(kernel.bias);
    double largest = 0;
    if (kernel.kind == KernelKind::Rbf) {
        m_squares.resize(static_cast<std::size_t>(features.rows()));
        for (Eigen::Index i = 0; i < features.rows(); ++i) {
            DoubleDouble& square = m_squares[static_cast<std::size_t>(i)];
            square = product(i, i, spreadRow(i));
            largest = std::max(largest, square.value());
        }
    }
    m_error = errorOf(kernel, static_cast<double>(features.features()), largest);
    m_isReliable = m_isReliable && m_error < kUnitRoundoff; // first order terms alone are in the error
}

std::vector<double> PreciseKernel::spreadRow(Eigen::Index i) const {
    if (m_features.dense() != nullptr) {
        return {};
    }
    std::vector<double> spread(static_cast<std::size_t>(m_features.features()), 0.0);
    m_features.addTo(i, 1.0, spread.data());
    return spread;
}

DoubleDouble PreciseKernel::product(Eigen::Index i, Eigen::Index j, const std::vector<double>& spread) const {
    if (m_features.dense() != nullptr) {
        return preciseProduct(denseRow(m_features, i), denseRow(m_features, j));
    }
    const auto& sparse = *m_features.sparse();
    DoubleDoubleSum sum;
    for (auto k = sparse.outerIndexPtr()[j]; k < sparse.outerIndexPtr()[j + 1]; ++k) {
        sum.addProduct(sparse.valuePtr()[k], 0, spread[static_cast<std::size_t>(sparse.innerIndexPtr()[k])]);
    }
    return sum.value();
}

DoubleDouble PreciseKernel::given(Eigen::Index i, Eigen::Index j) const {
    const double value = m_features.dense() != nullptr ? (*m_features.dense())(i, j) : m_features.sparse()->coeff(i, j);
    return {i == j ? value * (1 + m_kernel.ridge) : value, 0};
}

DoubleDouble PreciseKernel::valueOf(DoubleDouble product, DoubleDouble squares) const {
    if (m_kernel.kind == KernelKind::Rbf) {
        const DoubleDouble distance = squares - DoubleDouble{2 * product.high, 2 * product.low};
        return distance.high > 0 ? preciseExponential(distance * -m_kernel.gamma) : DoubleDouble{1, 0};
    }
    if (m_kernel.kind == KernelKind::Polynomial) {
        const DoubleDouble base = product * m_kernel.gamma + m_kernel.offset;
        DoubleDouble value = base;
        for (int k = 1; k < m_kernel.degree; ++k) {
            value = value * base;
        }
        return value;
    }
    return product;
}

void PreciseKernel::values(Eigen::Index i, std::span<const std::int32_t> others, std::vector<DoubleDouble>& out) const {
    out.resize(others.size());
    const bool isGiven = m_kernel.kind == KernelKind::Precomputed;
    const std::vector<double> spread = isGiven ? std::vector<double>() : spreadRow(i);
    const DoubleDouble bias = exactProduct(m_kernel.bias, m_kernel.bias);
    for (std::size_t k = 0; k < others.size(); ++k) {
        const Eigen::Index j = others[k];
        DoubleDouble squares;
        if (!m_squares.empty()) {
            squares = m_squares[static_cast<std::size_t>(i)] + m_squares[static_cast<std::size_t>(j)];
        }
        const DoubleDouble value = isGiven ? given(i, j) : valueOf(product(i, j, spread), squares);
        out[k] = m_kernel.bias != 0 ? value + bias : value;
    }
}

} // namespace lambdascope
