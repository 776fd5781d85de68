// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/svm_problem.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lambdascope::svm {

namespace {

/// Samples that the origin is the mean of, at most: more bring it hardly nearer to the mean of all.
constexpr SampleIndex kOriginSamples = 64;

} // namespace

SvmProblem::SvmProblem(const FeatureRows& features, Eigen::VectorXd y, Eigen::VectorXd weights,
                       std::shared_ptr<const KernelRows> rows, bool hasFreeBias)
    : m_features(features), m_y(std::move(y)), m_weights(std::move(weights)), m_rows(std::move(rows)),
      m_hasFreeBias(hasFreeBias) {
    m_diagonal = m_rows ? m_rows->diagonal() : features.squaredNorms();
    const double error = m_rows ? m_rows->error() : roundingFactor(static_cast<double>(features.features()));
    m_norms = m_diagonal.cwiseSqrt() * (1 + error + 4 * kUnitRoundoff);
    if (m_hasFreeBias && size() > 0) {
        chooseOrigin();
    } else {
        m_reaches = m_norms;
    }
}

void SvmProblem::chooseOrigin() {
    const SampleIndex count = std::min(size(), kOriginSamples);
    m_origin = Eigen::VectorXd::Zero(size());
    Eigen::VectorXd products = Eigen::VectorXd::Zero(size()); // with the mean
    for (SampleIndex k = 0; k < count; ++k) {
        const auto j = static_cast<SampleIndex>(static_cast<std::int64_t>(k) * size() / count);
        const KernelRow row = m_rows->row(j);
        products += Eigen::Map<const Eigen::VectorXd>(row.values, size()) / count;
        m_origin(j) = 1.0 / count;
    }
    // The share of the mean from which the squared distances to all samples are the least in sum.
    const double square = m_origin.dot(products);
    const double share = square > 0 ? std::clamp(products.mean() / square, 0.0, 1.0) : 0.0;
    m_origin *= share;
    m_squaredOrigin = share * share * square;
    m_originLength = m_origin.dot(m_norms);
    m_reaches = reachesOf(m_diagonal, share * products, m_rows->error());
}

Eigen::VectorXd SvmProblem::reachesOf(const Eigen::VectorXd& squaredNorms, const Eigen::VectorXd& withOrigin,
                                      double error) const {
    assert(m_hasFreeBias);
    const double rounding = error + roundingFactor(4.0 * kOriginSamples);
    const auto lengths = squaredNorms.array().sqrt() + m_originLength;
    return ((squaredNorms - 2 * withOrigin).array() + m_squaredOrigin + rounding * lengths.square()).max(0).sqrt() *
           (1 + 8 * kUnitRoundoff);
}

} // namespace lambdascope::svm
