// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_cholesky.h"

#include "core/numeric/symmetric_products.h"

#include <algorithm>

namespace lambdascope::svm {

namespace {

/// Operations of a factorization that take the time of one of a sweep.
constexpr double kSweepSlower = 40;
constexpr double kLinearSweepSlower = 3;

} // namespace

double FreeSetCholesky::cost(const std::vector<SampleIndex>& samples, double members) const {
    const auto size = static_cast<double>(samples.size());
    if (m_problem.isLinear()) { // products among samples cost more, sweeps less
        return m_factor.cost(samples) / kLinearSweepSlower + 4 * size * size + 2 * size * members;
    }
    return m_factor.cost(samples) / kSweepSlower + size * size + 0.25 * size * members;
}

bool FreeSetCholesky::prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) {
    m_samples = samples;
    new (&m_products) WorkspaceMatrix::Matrix(m_factor.productsAmong(m_samples, stopCheck));
    return !stopCheck.isStopped();
}

bool FreeSetCholesky::solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                            StopCheck& stopCheck) {
    std::vector<SampleIndex> samples(open.size());
    std::transform(open.begin(), open.end(), samples.begin(),
                   [&](Eigen::Index k) { return m_samples[static_cast<std::size_t>(k)]; });
    return m_factor.solve(samples, m_products, open, b, image, stopCheck);
}

void FreeSetCholesky::multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) {
    multiplySymmetric(m_products, change, image);
}

} // namespace lambdascope::svm
