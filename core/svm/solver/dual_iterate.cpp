// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/dual_iterate.h"

#include "core/numeric/double_double.h"
#include "core/svm/problem/work_units.h"
#include "core/svm/solver/descent_sweep.h"
#include "core/svm/solver/kernel_space.h"
#include "core/svm/solver/linear_space.h"

#include <algorithm>
#include <numeric>

namespace lambdascope::svm {

namespace {

/// Pays for the rounding of a norm that comes from margins.
constexpr double kAboveRounding = 1.01;

} // namespace

void DualIterate::load(const SolvedSvm& start, double c, StopCheck& stopCheck) {
    const SampleIndex n = m_problem.size();
    m_c = c;
    m_bias = start.bias;
    m_members.assign(1, std::vector<SampleIndex>(static_cast<std::size_t>(n)));
    std::iota(m_members.front().begin(), m_members.front().end(), SampleIndex{0});
    std::vector<std::int32_t> bounded;
    std::vector<std::int32_t> free;
    // Where yᵀα is given, the α of a path's first point are scaled to it, and so miss their bounds by the rounding of
    // that sum; taken for free they would keep a sweep busy with roundings.
    const double nearly = 1 - roundingFactor(static_cast<double>(n + 4));
    for (SampleIndex i = 0; i < n; ++i) {
        const bool isBounded = start.alpha(i) >= nearly * start.c * m_problem.weights()(i);
        if (isBounded || start.alpha(i) > 0) {
            (isBounded ? bounded : free).push_back(i);
        }
    }
    const double ratio = c / start.c;
    const bool keepsFree = ratio > 1 && !m_problem.isLinear() && !m_problem.hasFreeBias();
    // Either all are scaled and the free ones moved back, or none are and the bounded ones moved on.
    const double scale = keepsFree && bounded.size() < free.size() ? 1 : ratio;
    m_alpha = scale * start.alpha;
    if (scale != 1) {
        for (const SampleIndex i : bounded) {
            m_alpha(i) = upper(i); // a bound stays one to the last bit
        }
    }
    m_alpha = m_alpha.cwiseMin(c * m_problem.weights());
    m_norm = scale * std::sqrt(start.squaredNorm.upper());
    m_drift = scale * start.drift + 8 * kUnitRoundoff * m_alpha.dot(m_problem.norms());
    loaded(start, scale);
    count(work_units::kLoading * static_cast<double>(n));
    if (m_problem.balance() != 0) {
        rebalanceLoaded(stopCheck);
    }
    if (!keepsFree) {
        return;
    }
    const std::vector<std::int32_t>& moved = scale == 1 ? bounded : free;
    Eigen::VectorXd targets(static_cast<Eigen::Index>(moved.size()));
    for (std::size_t k = 0; k < moved.size(); ++k) {
        const SampleIndex i = moved[k];
        targets(static_cast<Eigen::Index>(k)) = scale == 1 ? upper(i) : start.alpha(i);
    }
    (void)move(moved, targets, stopCheck);
    // ‖w‖² = Σ αᵢfᵢ may cancel among opposite near-twins: what rounding can hide of it is added.
    const double length = m_alpha.dot(m_problem.norms());
    const double hidden =
        (m_drift + (roundingFactor(static_cast<double>(n + 2)) + m_problem.productError()) * (m_norm + length)) *
        length;
    noteNorm(std::min(m_norm, kAboveRounding * std::sqrt(std::max(squaredNorm(), 0.0) + hidden)));
}

void DualIterate::rebalanceLoaded(StopCheck& stopCheck) {
    const double side = m_problem.balance() > 0 ? 1 : -1; // of the samples that carry the balance
    CompensatedSum excess;                                // of side · (yᵀα − s)
    excess.add(-side * m_problem.balance());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        excess.add(side * m_problem.y()(i) * m_alpha(i));
    }
    const Eigen::VectorXd margins = this->margins();
    std::vector<std::int32_t> order(static_cast<std::size_t>(m_problem.size()));
    std::iota(order.begin(), order.end(), 0);
    const double sign = excess.value() > 0 ? 1 : -1;
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return sign * (margins(a) - m_problem.thresholds()(a)) > sign * (margins(b) - m_problem.thresholds()(b));
    });
    std::vector<std::int32_t> moved;
    std::vector<double> targets;
    for (const std::int32_t i : order) {
        if (m_problem.y()(i) != side) {
            continue;
        }
        const double target = std::clamp(m_alpha(i) - excess.value(), 0.0, upper(i));
        if (target != m_alpha(i)) {
            excess.add(target - m_alpha(i));
            moved.push_back(i);
            targets.push_back(target);
        }
        if (std::abs(excess.value()) <= 2 * kUnitRoundoff * std::abs(m_problem.balance())) {
            break;
        }
    }
    (void)move(moved, Eigen::Map<const Eigen::VectorXd>(targets.data(), std::ssize(targets)), stopCheck);
}

void DualIterate::narrow(const std::vector<std::int32_t>& positions) {
    const std::vector<SampleIndex>& from = m_members.back();
    std::vector<SampleIndex> fewer(positions.size());
    std::transform(positions.begin(), positions.end(), fewer.begin(),
                   [&](std::int32_t p) { return from[static_cast<std::size_t>(p)]; });
    m_members.push_back(std::move(fewer));
    narrowed(positions);
}

double DualIterate::marginError() const {
    if (m_problem.isLinear()) {
        return m_drift + roundingFactor(static_cast<double>(m_problem.features().features())) * m_norm;
    }
    return m_drift + 1.01 * m_problem.productError() * m_alpha.dot(m_problem.norms());
}

void DualIterate::book(std::int64_t count, double moved) {
    // Each move rounds a product and a sum: u |Δ|‖z‖ and u times what comes out, which is at most ‖w‖‖zᵢ‖.
    m_norm += moved;
    m_drift += 1.1 * kUnitRoundoff * (static_cast<double>(count) * m_norm + 2 * moved);
}

std::unique_ptr<DualIterate> makeSpace(const SvmProblem& problem) {
    if (problem.isLinear()) {
        return std::make_unique<LinearSpace>(problem);
    }
    return std::make_unique<KernelSpace>(problem);
}

std::int64_t LinearSpace::operationsPerVisit() const {
    return 1 + static_cast<std::int64_t>(m_problem.features().meanEntries());
}

SweepOutcome LinearSpace::sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, RandomStream& random,
                                StopCheck& stopCheck) {
    const auto visited = visit.size();
    random.shuffle(visit);
    const std::vector<SampleIndex>& members = m_members.back();
    const double* y = m_problem.y().data();
    const double* diagonal = m_problem.diagonal().data();
    const double* norms = m_problem.norms().data();
    const double* thresholds = m_problem.thresholds().data();
    double* alpha = m_alpha.data();
    double* w = m_w.data();
    const std::int64_t perVisit = operationsPerVisit();
    double moved = 0;
    const SweepOutcome outcome = descentSweep(
        visit, limits, stopCheck, 2 * perVisit,
        [&](std::int32_t k) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            return Coordinate{alpha[i], upper(i), diagonal[i]};
        },
        [&](std::int32_t k) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            return y[i] * m_problem.dot(i, w) - thresholds[i];
        },
        [&](std::int32_t k, double target, double change) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            alpha[i] = target;
            m_problem.addTo(i, y[i] * change, w);
            moved += std::abs(change) * norms[i];
            return 2 * perVisit;
        });
    book(outcome.updates, moved);
    count(work_units::kVisit * static_cast<double>(visited));
    return outcome;
}

double LinearSpace::move(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& targets,
                         StopCheck& stopCheck) {
    double moved = 0;
    double gain = 0;
    for (std::size_t k = 0; k < positions.size() && !stopCheck.isStopped(); ++k) {
        const SampleIndex i = m_members.back()[static_cast<std::size_t>(positions[k])];
        const double target = targets(static_cast<Eigen::Index>(k));
        const double change = target - m_alpha(i);
        if (change == 0) {
            continue;
        }
        const double slope = m_problem.y()(i) * m_problem.dot(i, m_w.data()) - m_problem.thresholds()(i);
        gain -= change * (slope + 0.5 * m_problem.diagonal()(i) * change);
        m_alpha(i) = target;
        m_problem.addTo(i, change * m_problem.y()(i), m_w.data());
        moved += std::abs(change) * m_problem.norms()(i);
        spend(4 * operationsPerVisit(), stopCheck);
    }
    book(static_cast<std::int64_t>(positions.size()), moved);
    return gain;
}

double LinearSpace::squaredNorm() const {
    return m_w.squaredNorm();
}

Eigen::VectorXd LinearSpace::margins() const {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd result(static_cast<Eigen::Index>(members.size()));
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SampleIndex i = members[k];
        result(static_cast<Eigen::Index>(k)) = m_problem.y()(i) * m_problem.dot(i, m_w.data());
    }
    return result;
}

double LinearSpace::margin(std::int32_t position) const {
    const SampleIndex i = m_members.back()[static_cast<std::size_t>(position)];
    return m_problem.y()(i) * m_problem.dot(i, m_w.data());
}

void LinearSpace::refresh(StopCheck& stopCheck) {
    m_w.setZero();
    Eigen::VectorXd carry = m_w; // what rounding takes from the sums [Ogita, Rump, Oishi 2005]
    double length = 0;
    std::int64_t terms = 0;
    for (SampleIndex i = 0; i < m_problem.size() && !stopCheck.isStopped(); ++i) {
        if (m_alpha(i) != 0) {
            m_problem.features().addTo(m_problem.rowOf(i), m_problem.y()(i) * m_alpha(i), m_w.data(), carry.data());
            length += m_alpha(i) * m_problem.norms()(i);
            ++terms;
            spend(8 * operationsPerVisit(), stopCheck);
        }
    }
    m_w += carry;
    m_drift = 1.01 * kUnitRoundoff * m_w.norm() +
              1.01 * DoubleDoubleSum::error(static_cast<double>(terms + 2)) * length + kUnderflow;
}

} // namespace lambdascope::svm
