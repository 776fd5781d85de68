// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/nc3_cut.h"

#include <cmath>

namespace lambdascope::svm {

Nc3Cut::Nc3Cut(const SvmProblem& problem)
    : m_problem(problem), m_image(problem), m_chosen(static_cast<std::size_t>(problem.size()), 0) {}

void Nc3Cut::update(const SolvedSvm& reference, double c, StopCheck& stopCheck) {
    if (m_image.isWorn()) {
        m_image.reset();
        std::fill(m_chosen.begin(), m_chosen.end(), std::uint8_t{0});
    }
    const double stretch = (c + reference.c) / (2 * reference.c);
    const SampleIndex n = m_problem.size();
    const Eigen::VectorXd& weights = m_problem.weights();
    for (SampleIndex i = 0; i < n; ++i) {
        const std::uint8_t wanted = stretch * reference.margins(i) < m_problem.thresholds()(i) ? 1 : 0;
        std::uint8_t& chosen = m_chosen[static_cast<std::size_t>(i)];
        if (wanted != chosen) {
            m_image.add(i, wanted != 0 ? weights(i) : -weights(i));
            chosen = wanted;
            if (stopCheck.spend(std::int64_t{2} * n)) {
                return;
            }
        }
    }
    m_products = m_image.products();
    double square = 0, product = 0, sum = 0;
    double squareSize = 0, productSize = 0, sumSize = 0, length = 0;
    for (SampleIndex i = 0; i < n; ++i) {
        if (m_chosen[static_cast<std::size_t>(i)] != 0) {
            square += weights(i) * m_products(i);
            product += weights(i) * reference.margins(i);
            squareSize += std::abs(weights(i) * m_products(i));
            productSize += std::abs(weights(i) * reference.margins(i));
            length += weights(i) * m_problem.norms()(i);
            sum += weights(i) * m_problem.thresholds()(i);
            sumSize += std::abs(weights(i) * m_problem.thresholds()(i));
        }
    }
    const double rounding = roundingFactor(static_cast<double>(n) + 2);
    m_squaredNorm = {square, rounding * squareSize + m_image.error() * length};
    m_withReference = {product, rounding * productSize + reference.marginError * length};
    m_weight = {sum, rounding * sumSize};
}

} // namespace lambdascope::svm
