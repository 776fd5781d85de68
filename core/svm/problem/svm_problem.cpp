// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/svm_problem.h"

#include "core/common/stop_check.h"
#include "core/svm/problem/sample_products.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lambdascope::svm {

namespace {

/// Of leastSize().
constexpr double kLeastShare = 1e-6;

} // namespace

SvmProblem::SvmProblem(const FeatureRows& features, Eigen::VectorXd y, Eigen::VectorXd weights,
                       std::shared_ptr<const KernelRows> rows, bool hasFreeBias, StopCheck* stopCheck)
    : SvmProblem(features, SampleTerms{std::move(y), std::move(weights)}, std::move(rows), hasFreeBias, stopCheck) {}

SvmProblem::SvmProblem(const FeatureRows& features, SampleTerms terms, std::shared_ptr<const KernelRows> rows,
                       bool hasFreeBias, StopCheck* stopCheck)
    : m_features(features), m_terms(std::move(terms)), m_rows(std::move(rows)), m_hasFreeBias(hasFreeBias),
      m_rowCount(static_cast<SampleIndex>(features.rows())) {
    assert(size() == m_rowCount || size() == 2 * m_rowCount);
    if (m_terms.thresholds.size() == 0) {
        m_terms.thresholds = Eigen::VectorXd::Ones(m_terms.y.size());
    }
    m_largestThreshold = size() > 0 ? m_terms.thresholds.cwiseAbs().maxCoeff() : 0;
    m_diagonal = ofSamples(m_rows ? m_rows->diagonal() : features.squaredNorms());
    if (balance() != 0 && size() > 0) {
        m_leastSize = kLeastShare * 0.5 * balance() * balance() * m_diagonal.mean();
    }
    const double error = m_rows ? m_rows->error() : roundingFactor(static_cast<double>(features.features()));
    m_norms = m_diagonal.cwiseSqrt() * (1 + error + 4 * kUnitRoundoff);
    if (m_hasFreeBias && size() > 0) {
        chooseOrigin(stopCheck);
    } else {
        m_reaches = m_norms;
    }
    if (size() > 0) {
        m_longestNorm = m_norms.maxCoeff();
        m_meanReach = m_reaches.mean();
    }
}

Eigen::VectorXd SvmProblem::ofSamples(Eigen::VectorXd ofRows) const {
    return sharesRows() ? Eigen::VectorXd(ofRows.replicate(2, 1)) : std::move(ofRows);
}

Eigen::VectorXd SvmProblem::rowCoefficients(const Eigen::VectorXd& c) const {
    Eigen::VectorXd all = c.cwiseProduct(m_terms.y);
    return sharesRows() ? Eigen::VectorXd(all.head(m_rowCount) + all.tail(m_rowCount)) : std::move(all);
}

void SvmProblem::chooseOrigin(StopCheck* stopCheck) {
    const SampleIndex count = std::min(m_rowCount, OriginSize::kMostTerms);
    m_origin = Eigen::VectorXd::Zero(size());
    Eigen::VectorXd products = Eigen::VectorXd::Zero(m_rowCount); // with the mean
    for (SampleIndex k = 0; k < count; ++k) {
        const auto j = static_cast<SampleIndex>(static_cast<std::int64_t>(k) * m_rowCount / count);
        const KernelRow row = m_rows->row(j);
        products += Eigen::Map<const Eigen::VectorXd>(row.values, m_rowCount) / count;
        m_origin(j) = 1.0 / count;
        if (stopCheck != nullptr && stopCheck->spend(operationsPerRow(*this))) {
            break;
        }
    }
    products = ofSamples(std::move(products));
    // The share of the mean from which the squared distances to all samples are the least in sum.
    const double square = m_origin.dot(products);
    const double share = square > 0 ? std::clamp(products.mean() / square, 0.0, 1.0) : 0.0;
    m_origin *= share;
    m_originSize = {share * share * square, m_origin.dot(m_norms)};
    m_reaches = reachesOf(m_diagonal, share * products, m_rows->error());
}

Eigen::VectorXd distancesFrom(const OriginSize& origin, const Eigen::VectorXd& squaredNorms,
                              const Eigen::VectorXd& withOrigin, double error) {
    const double rounding = error + roundingFactor(4.0 * OriginSize::kMostTerms);
    const auto lengths = squaredNorms.array().sqrt() + origin.length;
    return ((squaredNorms - 2 * withOrigin).array() + origin.square + rounding * lengths.square()).max(0).sqrt() *
           (1 + 8 * kUnitRoundoff);
}

SampleTerms tubeTerms(const Eigen::VectorXd& targets, const Eigen::VectorXd& weights, double epsilon) {
    const Eigen::Index n = targets.size();
    SampleTerms terms;
    terms.y.resize(2 * n);
    terms.y << Eigen::VectorXd::Ones(n), -Eigen::VectorXd::Ones(n);
    terms.weights = weights.replicate(2, 1);
    terms.thresholds.resize(2 * n);
    terms.thresholds << targets.array() - epsilon, -targets.array() - epsilon;
    return terms;
}

SampleTerms oneClassTerms(const Eigen::VectorXd& weights) {
    return {Eigen::VectorXd::Ones(weights.size()), weights, Eigen::VectorXd::Zero(weights.size()), 1};
}

} // namespace lambdascope::svm
