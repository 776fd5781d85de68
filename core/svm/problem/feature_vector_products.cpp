// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/feature_vector_products.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

FeatureVectorProducts::FeatureVectorProducts(const SvmProblem& problem) : m_problem(problem) {
    reset();
}

void FeatureVectorProducts::reset() {
    m_coefficients = Eigen::VectorXd::Zero(m_problem.size());
    m_values = Eigen::VectorXd::Zero(m_problem.isLinear() ? m_problem.features().features() : m_problem.size());
    m_length = m_longest = m_moved = 0;
    m_changes = 0;
}

void FeatureVectorProducts::add(SampleIndex j, double change) {
    const double signedChange = change * m_problem.y()(j);
    if (m_problem.isLinear()) {
        m_problem.features().addTo(j, signedChange, m_values.data());
    } else {
        const KernelRow row = m_problem.rows().row(j);
        m_values += signedChange * Eigen::Map<const Eigen::VectorXd>(row.values, m_values.size());
    }
    const double norm = m_problem.norms()(j);
    m_length += (std::abs(m_coefficients(j) + change) - std::abs(m_coefficients(j))) * norm;
    m_coefficients(j) += change;
    m_longest = std::max(m_longest, m_length);
    m_moved += std::abs(change) * norm;
    ++m_changes;
}

Eigen::VectorXd FeatureVectorProducts::products() const {
    if (!m_problem.isLinear()) {
        return m_problem.y().cwiseProduct(m_values);
    }
    Eigen::VectorXd result(m_problem.size());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        result(i) = m_problem.y()(i) * m_problem.features().dot(i, m_values.data());
    }
    return result;
}

double FeatureVectorProducts::error() const {
    // Every change rounds what it makes, at most m_longest long, and its own product.
    const double changes = static_cast<double>(m_changes);
    const double piled = 1.1 * kUnitRoundoff * (changes * m_longest + 2 * m_moved);
    const double product = m_problem.isLinear()
                               ? roundingFactor(static_cast<double>(m_problem.features().features())) * m_longest
                               : m_problem.productError() * m_longest;
    return piled + product;
}

} // namespace lambdascope::svm
