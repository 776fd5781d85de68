// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/linear_space.h"

#include "core/svm/problem/work_units.h"
#include "core/svm/solver/descent_sweep.h"

#include <algorithm>

namespace lambdascope::svm {

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

void LinearSpace::refresh(StopCheck& stopCheck) {
    m_w.setZero();
    double length = 0;
    std::int64_t terms = 0;
    for (SampleIndex i = 0; i < m_problem.size() && !stopCheck.isStopped(); ++i) {
        if (m_alpha(i) != 0) {
            m_problem.addTo(i, m_problem.y()(i) * m_alpha(i), m_w.data());
            length += m_alpha(i) * m_problem.norms()(i);
            ++terms;
            spend(2 * operationsPerVisit(), stopCheck);
        }
    }
    m_drift = roundingFactor(static_cast<double>(terms + 2)) * length;
}

} // namespace lambdascope::svm
