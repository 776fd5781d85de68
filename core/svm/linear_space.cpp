// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/linear_space.h"

#include "core/svm/descent_sweep.h"

#include <algorithm>

namespace lambdascope::svm {

double LinearSpace::assign(std::int32_t position, double value) {
    const SampleIndex i = m_members.back()[static_cast<std::size_t>(position)];
    const double change = value - m_alpha(i);
    const double slope = m_problem.y()(i) * m_problem.features().dot(i, m_w.data()) - 1;
    m_problem.features().addTo(i, change * m_problem.y()(i), m_w.data());
    m_alpha(i) = value;
    book(1, std::abs(change) * m_problem.norms()(i));
    return -change * (slope + 0.5 * m_problem.diagonal()(i) * change);
}

SweepOutcome LinearSpace::sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, WorkPoll& poll) {
    const std::vector<SampleIndex>& members = m_members.back();
    const FeatureRows& x = m_problem.features();
    const double* y = m_problem.y().data();
    const double* diagonal = m_problem.diagonal().data();
    const double* norms = m_problem.norms().data();
    double* alpha = m_alpha.data();
    double* w = m_w.data();
    const std::int64_t perVisit =
        x.dense() != nullptr ? x.features() : 1 + x.sparse()->nonZeros() / std::max<Eigen::Index>(1, x.rows());
    double moved = 0;
    const SweepOutcome outcome = descentSweep(
        visit, limits, poll, 2 * perVisit,
        [&](std::int32_t k) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            return Coordinate{alpha[i], upper(i), diagonal[i]};
        },
        [&](std::int32_t k) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            return y[i] * x.dot(i, w);
        },
        [&](std::int32_t k, double change) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            alpha[i] = std::min(alpha[i] + change, upper(i)); // the sum may round beyond the edge
            x.addTo(i, y[i] * change, w);
            moved += std::abs(change) * norms[i];
            return 2 * perVisit;
        });
    book(outcome.updates, moved);
    return outcome;
}

Eigen::MatrixXd LinearSpace::productsAmong(const std::vector<std::int32_t>& positions) const {
    const std::vector<SampleIndex>& members = m_members.back();
    const auto count = static_cast<Eigen::Index>(positions.size());
    Eigen::MatrixXd products(count, count);
    Eigen::VectorXd dense = Eigen::VectorXd::Zero(m_w.size()); // one sample, spread out
    for (Eigen::Index c = 0; c < count; ++c) {
        const SampleIndex j = members[static_cast<std::size_t>(positions[static_cast<std::size_t>(c)])];
        m_problem.features().addTo(j, m_problem.y()(j), dense.data());
        for (Eigen::Index r = c; r < count; ++r) {
            const SampleIndex i = members[static_cast<std::size_t>(positions[static_cast<std::size_t>(r)])];
            products(r, c) = m_problem.y()(i) * m_problem.features().dot(i, dense.data());
        }
        dense.setZero();
    }
    return products;
}

void LinearSpace::shift(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& changes) {
    double moved = 0;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const SampleIndex i = m_members.back()[static_cast<std::size_t>(positions[k])];
        const double change = changes(static_cast<Eigen::Index>(k));
        m_alpha(i) = std::clamp(m_alpha(i) + change, 0.0, upper(i));
        m_problem.features().addTo(i, change * m_problem.y()(i), m_w.data());
        moved += std::abs(change) * m_problem.norms()(i);
    }
    book(static_cast<std::int64_t>(positions.size()), moved);
}

Eigen::VectorXd LinearSpace::margins() const {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd result(static_cast<Eigen::Index>(members.size()));
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SampleIndex i = members[k];
        result(static_cast<Eigen::Index>(k)) = m_problem.y()(i) * m_problem.features().dot(i, m_w.data());
    }
    return result;
}

void LinearSpace::refresh(WorkPoll& poll) {
    m_w.setZero();
    double length = 0;
    std::int64_t terms = 0;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        if (m_alpha(i) != 0) {
            m_problem.features().addTo(i, m_problem.y()(i) * m_alpha(i), m_w.data());
            length += m_alpha(i) * m_problem.norms()(i);
            ++terms;
        }
    }
    (void)poll.spend(2 * terms);
    m_drift = roundingFactor(static_cast<double>(terms + 2)) * length;
}

} // namespace lambdascope::svm
