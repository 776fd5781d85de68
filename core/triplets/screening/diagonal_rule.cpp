// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/diagonal_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

constexpr Eigen::Index kLanes = 4; ///< running sums, for vector instructions
/// Steps after which the rule gives up; a handful settles which entries are positive.
constexpr int kMostSteps = 40;
/// Covers the rounding of norms and of the bounds themselves.
constexpr double kNormSlack = 1 + 1e-9;

double total(const std::array<double, kLanes>& parts) {
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

} // namespace

DiagonalRule::DiagonalRule(const PairTable& table, const Region& region, double gamma)
    : m_table(table), m_isAscent(region.rule == RuleKind::Semidefinite), m_gamma(gamma), m_radius(region.sphere.radius),
      m_squaredRadius(region.sphere.radius * region.sphere.radius * (1 + 4 * kUnitRoundoff) + kUnderflow),
      m_centre(Eigen::ArrayXd::Zero(table.stride())), m_centreNorm(region.sphere.centre.norm() * kNormSlack),
      m_slopes(Eigen::ArrayXd::Zero(table.stride())) {
    m_centre.head(table.features()) = region.sphere.centre.col(0).array();
}

void DiagonalRule::setSlopes(const RowPair& far, const RowPair& near) {
    const Eigen::Index stride = m_table.stride();
    const double* rows = m_table.paddedRows().data();
    using Row = Eigen::Map<const Eigen::ArrayXd>;
    const Row farA(rows + far.a * stride, stride);
    const Row farB(rows + far.b * stride, stride);
    const Row nearA(rows + near.a * stride, stride);
    const Row nearB(rows + near.b * stride, stride);
    m_slopes = (farA - farB).square() - (nearA - nearB).square();
    m_slopeNorm = m_slopes.matrix().norm();
    // Each entry is off by 4u (a_k² + b_k²) at most.
    const double sizes = ((farA - farB).square() + (nearA - nearB).square()).matrix().norm();
    m_slopeError = 6 * kUnitRoundoff * sizes * kNormSlack;
    m_operations += 14 * stride;
}

DiagonalRule::Pass DiagonalRule::passAt(double sign, double u) {
    std::array<double, kLanes> slopes{};
    std::array<double, kLanes> constant{};
    std::array<double, kLanes> linear{};
    const double* centre = m_centre.data();
    const double* slope = m_slopes.data();
    const double step = sign * u;
    const Eigen::Index size = m_slopes.size();
    for (Eigen::Index k = 0; k < size; k += kLanes) {
        for (Eigen::Index lane = 0; lane < kLanes; ++lane) {
            const double q = centre[k + lane];
            const double h = slope[k + lane];
            const bool isInside = q - step * h > 0;
            const auto at = static_cast<std::size_t>(lane);
            slopes[at] += isInside ? h * h : 0.0;
            linear[at] += isInside ? h * q : 0.0;
            constant[at] += isInside ? 0.0 : q * q;
        }
    }
    m_operations += 10 * size;
    return {u, total(slopes), total(constant), sign * total(linear)};
}

double DiagonalRule::lowerBound(const Pass& pass) const {
    // γ times the sum of the absolute terms, Σ|h_k q_k| ≤ √A ‖q‖ among them. An h that is off by e moves hᵀx by
    // ‖e‖ ‖x‖ at most, and ‖x‖ ≤ ‖q‖ + r in the ball.
    const double rest = (pass.constant - m_squaredRadius) / (2 * pass.u);
    const double terms =
        std::sqrt(pass.slopes) * m_centreNorm + pass.u * pass.slopes + (pass.constant + m_squaredRadius) / (2 * pass.u);
    const double rounding = roundingFactor(static_cast<double>(m_slopes.size()) / kLanes + 16) * terms * kNormSlack;
    return pass.linear - 0.5 * pass.u * pass.slopes + rest - rounding -
           m_slopeError * (m_centreNorm + m_radius) * kNormSlack;
}

double DiagonalRule::next(const Pass& pass, double edge) const {
    // Where the entries that are positive now would put x(u): on the sphere, or on the plane hᵀx = edge.
    if (!(pass.slopes > 0)) {
        return std::numeric_limits<double>::infinity();
    }
    if (m_isAscent) {
        return (pass.linear - edge) / pass.slopes;
    }
    const double room = m_squaredRadius - pass.constant;
    return room > 0 ? std::sqrt(room / pass.slopes) : 0;
}

bool DiagonalRule::proves(double sign, double edge) {
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double u = m_slopeNorm > 0 ? m_radius / m_slopeNorm : 0;
    for (int step = 0; step < kMostSteps && u > 0 && std::isfinite(u); ++step) {
        const Pass pass = passAt(sign, u);
        if (lowerBound(pass) > edge) {
            return true;
        }
        const bool isInBall = pass.squaredLength() <= m_squaredRadius;
        if (isInBall && pass.value() <= edge) {
            return false; // this x refutes it
        }
        const bool isBelow = m_isAscent ? pass.value() > edge : isInBall;
        (isBelow ? low : high) = u;
        const double wanted = next(pass, edge);
        if (std::abs(wanted - u) <= 1e-12 * u) {
            return false; // no entry changed sides: u is the best there is
        }
        const double between = std::isfinite(high) ? 0.5 * (low + high) : 16 * u;
        u = wanted > low && wanted < high ? wanted : between;
    }
    return false;
}

Decision DiagonalRule::judge(const RowPair& far, const RowPair& near, double threshold) {
    setSlopes(far, near);
    // [q]₊ lies in the ball, which meets m ≥ 0: only the side that it is on can be proved.
    const double value = (m_slopes * m_centre.max(0.0)).sum();
    const double pad = 4 * kUnitRoundoff * (1 + std::abs(threshold));
    if (value > threshold) {
        return proves(1, threshold + pad) ? Decision::Zero : Decision::Keep;
    }
    const double lowerEdge = threshold - m_gamma;
    return value < lowerEdge && proves(-1, pad - lowerEdge) ? Decision::Linear : Decision::Keep;
}

} // namespace lambdascope::triplets
