// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/nc3_cut.h"

#include "core/svm/problem/sample_products.h"
#include "core/svm/problem/work_units.h"
#include "core/svm/screening/bias_bracket.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lambdascope::svm {

Nc3Cut::Nc3Cut(const SvmProblem& problem)
    : m_problem(problem), m_image(problem), m_coefficients(Eigen::VectorXd::Zero(problem.size())) {}

Eigen::VectorXd Nc3Cut::chosenAt(const SolvedSvm& reference, double c) const {
    const double stretch = (c + reference.c) / (2 * reference.c);
    Eigen::VectorXd distances = stretch * reference.margins;
    if (m_problem.hasFreeBias()) {
        distances += bestBiases(m_problem, c, distances).middle() * m_problem.y();
    }
    distances -= m_problem.thresholds();
    Eigen::VectorXd chosen = (distances.array() < 0).select(m_problem.weights(), 0.0);
    if (m_problem.hasFreeBias()) {
        balance(distances, chosen);
    }
    return chosen;
}

void Nc3Cut::balance(const Eigen::VectorXd& distances, Eigen::VectorXd& chosen) const {
    double excess = 0; // rounded: imbalance() says what is left
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        excess += m_problem.y()(i) * chosen(i);
    }
    if (excess == 0) {
        return;
    }
    std::vector<std::pair<double, SampleIndex>> byEdge; // the nearest on top
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double wanted = m_problem.y()(i) * excess > 0 ? 0 : m_problem.weights()(i);
        if (chosen(i) != wanted) {
            byEdge.emplace_back(-std::abs(distances(i)), i);
        }
    }
    std::make_heap(byEdge.begin(), byEdge.end());
    while (excess != 0 && !byEdge.empty()) {
        const SampleIndex i = byEdge.front().second;
        std::pop_heap(byEdge.begin(), byEdge.end());
        byEdge.pop_back();
        const double before = chosen(i);
        chosen(i) = std::clamp(before - m_problem.y()(i) * excess, 0.0, m_problem.weights()(i));
        const double left = excess + m_problem.y()(i) * (chosen(i) - before);
        excess = left * excess > 0 ? left : 0;
    }
}

void Nc3Cut::startNear(const SolvedSvm& reference, const Eigen::VectorXd& chosen) {
    const Eigen::VectorXd& values = m_problem.isLinear() ? reference.weights : reference.margins;
    if (reference.alpha.size() != m_problem.size() || values.size() == 0) {
        if (m_image.isWorn()) {
            m_image.reset();
            m_coefficients.setZero();
        }
        return;
    }
    Eigen::VectorXd shares = reference.alpha / reference.c;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double weight = m_problem.weights()(i);
        shares(i) = reference.alpha(i) >= reference.c * weight ? weight : shares(i);
    }
    const auto changesFrom = [&](const Eigen::VectorXd& before) { return (before.array() != chosen.array()).count(); };
    // From a fraction it is by way of 0: twice.
    if (!m_image.isWorn() && changesFrom(m_coefficients) <= 2 * changesFrom(shares)) {
        return;
    }
    m_image.start(shares, values / reference.c, reference.marginError / reference.c);
    m_coefficients = std::move(shares);
}

void Nc3Cut::update(const SolvedSvm& reference, double c, StopCheck& stopCheck) {
    const SampleIndex n = m_problem.size();
    const Eigen::VectorXd chosen = chosenAt(reference, c);
    startNear(reference, chosen);
    const double product = 2 * (1 + m_problem.features().meanEntries());
    const double ofOne = m_problem.isLinear() ? product : work_units::kRow * m_problem.rowCount();
    m_operations = (work_units::kCut + (m_problem.isLinear() ? product : 0) +
                    (m_problem.hasFreeBias() ? work_units::kBestBias : 0)) *
                   n;
    std::vector<FeatureVectorProducts::Change> changes;
    for (SampleIndex i = 0; i < n; ++i) {
        if (chosen(i) == m_coefficients(i)) {
            continue;
        }
        // By way of 0, so that coefficients are these numbers to the last bit.
        if (m_coefficients(i) != 0) {
            changes.push_back({i, -m_coefficients(i)});
        }
        if (chosen(i) != 0) {
            changes.push_back({i, chosen(i)});
        }
        m_coefficients(i) = chosen(i);
    }
    constexpr std::size_t kAtOnce = 4; // as many rows as one pass adds
    const auto perChange =
        m_problem.isLinear() ? static_cast<std::int64_t>(product) : operationsPerRow(m_problem); // rows may be new
    for (std::size_t first = 0; first < changes.size(); first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, changes.size() - first);
        m_image.add(std::span(changes).subspan(first, count));
        m_operations += ofOne * static_cast<double>(count);
        if (stopCheck.spend(perChange * static_cast<std::int64_t>(count))) {
            return;
        }
    }
    m_products = m_image.products();
    sumUp(reference);
}

void Nc3Cut::sumUp(const SolvedSvm& reference) {
    double square = 0, product = 0, sum = 0;
    double squareSize = 0, productSize = 0, sumSize = 0, length = 0;
    CheckedSum imbalance;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double weight = m_coefficients(i);
        if (weight == 0) {
            continue;
        }
        square += weight * m_products(i);
        product += weight * reference.margins(i);
        squareSize += std::abs(weight * m_products(i));
        productSize += std::abs(weight * reference.margins(i));
        length += weight * m_problem.norms()(i);
        sum += weight * m_problem.thresholds()(i);
        sumSize += std::abs(weight * m_problem.thresholds()(i));
        imbalance.add(m_problem.y()(i) * weight);
    }
    const double rounding = roundingFactor(static_cast<double>(m_problem.size()) + 2);
    m_squaredNorm = {square, rounding * squareSize + m_image.error() * length};
    m_withReference = {product, rounding * productSize + reference.marginError * length};
    m_weight = {sum, rounding * sumSize};
    m_imbalance = m_problem.hasFreeBias() ? std::abs(imbalance.value()) + imbalance.error() : 0;
}

} // namespace lambdascope::svm
