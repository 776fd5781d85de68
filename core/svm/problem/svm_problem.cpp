// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/svm_problem.h"

#include "core/numeric/error_bound.h"

namespace lambdascope::svm {

SvmProblem::SvmProblem(const FeatureRows& features, Eigen::VectorXd y, Eigen::VectorXd weights,
                       std::shared_ptr<const KernelRows> rows)
    : m_features(features), m_y(std::move(y)), m_weights(std::move(weights)), m_rows(std::move(rows)) {
    m_diagonal = m_rows ? m_rows->diagonal() : features.squaredNorms();
    const double error = m_rows ? m_rows->error() : roundingFactor(static_cast<double>(features.features()));
    m_norms = m_diagonal.cwiseSqrt() * (1 + error + 4 * kUnitRoundoff);
}

} // namespace lambdascope::svm
