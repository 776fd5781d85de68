// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/decision_functions.h"

#include "core/kernel/kernel_rows.h"

#include <algorithm>
#include <utility>

namespace lambdascope::svm {

namespace {

constexpr Eigen::Index kBlock = 64; ///< rows between two looks at the stop signal

} // namespace

DecisionFunctions::DecisionFunctions(Eigen::MatrixXd weights, double bias)
    : m_weights(std::move(weights)), m_bias(bias) {}

DecisionFunctions::DecisionFunctions(const KernelFunction& kernel, const FeatureRows& supports,
                                     Eigen::MatrixXd coefficients)
    : m_weights(std::move(coefficients)), m_kernel(kernel) {
    if (kernel.kind != KernelKind::Linear) {
        m_supports = supports;
        m_supportNorms = supports.squaredNorms().transpose();
        return;
    }
    // Φ is the identity with one more feature b, so that v can be had at once.
    Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(supports.features() + 1, m_weights.cols());
    for (Eigen::Index k = 0; k < weights.cols(); ++k) {
        for (Eigen::Index j = 0; j < supports.rows(); ++j) {
            supports.addTo(j, m_weights(j, k), weights.col(k).data());
        }
        weights(supports.features(), k) = kernel.bias * m_weights.col(k).sum();
    }
    m_weights = std::move(weights);
    m_bias = kernel.bias;
}

Eigen::MatrixXd DecisionFunctions::linearValues(const FeatureRows& rows, StopCheck& stopCheck) const {
    Eigen::MatrixXd result(rows.rows(), count());
    for (Eigen::Index k = 0; k < count() && !stopCheck.ask(); ++k) {
        const double constant = m_weights.rows() > rows.features() ? m_bias * m_weights(rows.features(), k) : 0;
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            result(i, k) = rows.dot(i, m_weights.col(k).data()) + constant;
        }
    }
    return result;
}

Eigen::MatrixXd DecisionFunctions::values(const FeatureRows& rows, StopCheck& stopCheck) const {
    if (m_kernel.kind == KernelKind::Linear) {
        return linearValues(rows, stopCheck);
    }
    Eigen::MatrixXd result(rows.rows(), count());
    const Eigen::VectorXd norms = rows.squaredNorms();
    for (Eigen::Index from = 0; from < result.rows() && !stopCheck.ask(); from += kBlock) {
        const Eigen::Index size = std::min(kBlock, result.rows() - from);
        FeatureRows::Dense block = rows.products(from, size, *m_supports);
        applyKernel(m_kernel, norms.segment(from, size), m_supportNorms, block);
        result.middleRows(from, size) = block * m_weights;
    }
    return result;
}

} // namespace lambdascope::svm
