// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/newton_system.h"

#include "core/numeric/symmetric_products.h"

#include <Eigen/Cholesky>

#include <algorithm>

namespace lambdascope::pu {

namespace {

/// Unknowns up to which a system is factored.
constexpr Eigen::Index kMostDirect = 1000;
/// Numbers that the spread of the kinks may take.
constexpr Eigen::Index kMostSpread = Eigen::Index{1} << 22;
/// Kinks that are summed up at a time.
constexpr Eigen::Index kRowsPerProduct = 256;
/// Share of the features below which kinks make the smaller system in practice too.
constexpr double kFewer = 0.8;

} // namespace

NewtonSystem::NewtonSystem(const FeatureRows& rows, const std::vector<SampleIndex>& kinks, double width,
                           double leastCurvature)
    : m_rows(rows), m_kinks(kinks), m_width(width),
      m_curvature(std::max(static_cast<double>(kinks.size()) / width, leastCurvature)),
      m_mean(Eigen::VectorXd::Zero(rows.features())) {
    for (const SampleIndex u : kinks) {
        rows.addTo(u, 1 / width, m_mean.data());
    }
    m_mean /= m_curvature;
}

NewtonSystem::Step NewtonSystem::solve(const Eigen::VectorXd& gradient, double biasGradient,
                                       StopCheck& stopCheck) const {
    const Eigen::VectorXd right = m_mean * biasGradient - gradient;
    const Eigen::Index d = m_rows.features();
    const auto count = static_cast<Eigen::Index>(m_kinks.size());
    const bool hasFewKinks = count <= kMostDirect && count * d <= kMostSpread;
    Step step;
    if (hasFewKinks && static_cast<double>(count) < kFewer * static_cast<double>(d)) {
        step.weights = solveByKinks(right, stopCheck);
    }
    if (step.weights.size() == 0 || !step.weights.allFinite()) {
        step.weights = d <= kMostDirect ? solveByFeatures(right, stopCheck) : solveIteratively(right, stopCheck);
    }
    step.bias = -biasGradient / m_curvature - m_mean.dot(step.weights);
    return step;
}

FeatureRows::Dense NewtonSystem::spreadOf(Eigen::Index first, Eigen::Index count) const {
    FeatureRows::Dense spread(count, m_rows.features());
    for (Eigen::Index k = 0; k < count; ++k) {
        spread.row(k) = -m_mean.transpose();
        m_rows.addTo(m_kinks[static_cast<std::size_t>(first + k)], 1, spread.row(k).data());
    }
    return spread;
}

Eigen::VectorXd NewtonSystem::solveByFeatures(const Eigen::VectorXd& right, StopCheck& stopCheck) const {
    const Eigen::Index d = m_rows.features();
    const auto count = static_cast<Eigen::Index>(m_kinks.size());
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Identity(d, d);
    for (Eigen::Index first = 0; first < count && !stopCheck.isStopped(); first += kRowsPerProduct) {
        const Eigen::Index size = std::min(kRowsPerProduct, count - first);
        addColumnProducts(spreadOf(first, size), 1 / m_width, hessian);
        (void)stopCheck.spend(size * d * d);
    }
    return hessian.selfadjointView<Eigen::Lower>().llt().solve(right);
}

/// [I + SᵀS/μ]⁻¹ r = r − Sᵀ (μ I + S Sᵀ)⁻¹ S r, S the rows x − x̄.
Eigen::VectorXd NewtonSystem::solveByKinks(const Eigen::VectorXd& right, StopCheck& stopCheck) const {
    const auto count = static_cast<Eigen::Index>(m_kinks.size());
    const FeatureRows::Dense spread = spreadOf(0, count);
    Eigen::MatrixXd products = m_width * Eigen::MatrixXd::Identity(count, count);
    addRowProducts(RowBlock(spread), 1, products);
    (void)stopCheck.spend(count * count * (m_rows.features() + count));
    const Eigen::LLT<Eigen::MatrixXd> factor(products.selfadjointView<Eigen::Lower>());
    if (factor.info() != Eigen::Success) {
        return {};
    }
    return right - spread.transpose() * factor.solve(spread * right);
}

Eigen::VectorXd NewtonSystem::solveIteratively(const Eigen::VectorXd& right, StopCheck& stopCheck) const {
    const auto times = [&](const Eigen::VectorXd& v) {
        Eigen::VectorXd result = v;
        for (const SampleIndex u : m_kinks) {
            m_rows.addTo(u, m_rows.dot(u, v.data()) / m_width, result.data());
        }
        result -= m_mean * (m_curvature * m_mean.dot(v));
        (void)stopCheck.spend(512 * static_cast<std::int64_t>(m_kinks.size()));
        return result;
    };
    Eigen::VectorXd x = Eigen::VectorXd::Zero(right.size());
    Eigen::VectorXd rest = right;
    Eigen::VectorXd direction = rest;
    double square = rest.squaredNorm();
    const double enough = 1e-20 * square;
    for (int i = 0; i < 500 && square > enough && !stopCheck.isStopped(); ++i) {
        const Eigen::VectorXd product = times(direction);
        const double length = square / direction.dot(product);
        x += length * direction;
        rest -= length * product;
        const double next = rest.squaredNorm();
        direction = rest + (next / square) * direction;
        square = next;
    }
    return x;
}

} // namespace lambdascope::pu
