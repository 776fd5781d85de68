// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/kernel_space.h"

#include "core/svm/descent_sweep.h"

#include <algorithm>

namespace lambdascope::svm {

void KernelSpace::loaded(const SolvedSvm& start, double scale) {
    m_levels.clear();
    m_gathered = 0;
    m_levels.emplace_back();
    m_levels.back().image = scale * m_problem.y().cwiseProduct(start.margins);
    m_scratch.resize(static_cast<std::size_t>(m_problem.size()));
}

void KernelSpace::narrowed(const std::vector<std::int32_t>& positions) {
    Level below;
    below.above = positions;
    below.image.resize(static_cast<Eigen::Index>(positions.size()));
    below.rows.resize(positions.size());
    Level& level = m_levels.back();
    for (std::size_t k = 0; k < positions.size(); ++k) {
        below.image(static_cast<Eigen::Index>(k)) = level.image(positions[k]);
    }
    level.alpha = m_alpha;
    m_levels.push_back(std::move(below));
}

void KernelSpace::widen() {
    const Level below = std::move(m_levels.back());
    const double width = static_cast<double>(below.rows.size()) * static_cast<double>(sizeof(double));
    m_gathered -= width * static_cast<double>(std::count_if(below.rows.begin(), below.rows.end(),
                                                            [](const auto& row) { return row != nullptr; }));
    m_levels.pop_back();
    m_members.pop_back();
    Level& level = m_levels.back();
    const std::vector<SampleIndex>& members = m_members.back();
    std::vector<std::int32_t> left; // positions of those that missed the moves
    std::vector<SampleIndex> missed;
    for (std::size_t k = 0, next = 0; k < members.size(); ++k) {
        if (next < below.above.size() && below.above[next] == static_cast<std::int32_t>(k)) {
            level.image(static_cast<Eigen::Index>(k)) = below.image(static_cast<Eigen::Index>(next++));
        } else {
            left.push_back(static_cast<std::int32_t>(k));
            missed.push_back(members[k]);
        }
    }
    Eigen::VectorXd owed = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(missed.size()));
    std::int64_t moves = 0;
    double moved = 0;
    for (SampleIndex j = 0; j < m_problem.size(); ++j) {
        const double change = m_alpha(j) - level.alpha(j);
        if (change == 0) {
            continue;
        }
        const KernelRow row = m_problem.rows().row(j);
        const double factor = m_problem.y()(j) * change;
        for (std::size_t k = 0; k < missed.size(); ++k) {
            owed(static_cast<Eigen::Index>(k)) += factor * row.values[missed[k]];
        }
        ++moves;
        moved += std::abs(change) * m_problem.norms()(j);
    }
    for (std::size_t k = 0; k < left.size(); ++k) {
        level.image(left[k]) += owed(static_cast<Eigen::Index>(k));
    }
    m_drift += roundingFactor(static_cast<double>(moves + 2)) * moved + kUnitRoundoff * m_norm;
}

void KernelSpace::gather(SampleIndex i, std::span<const SampleIndex> to, double* out) const {
    const KernelRow row = m_problem.rows().row(i);
    for (std::size_t k = 0; k < to.size(); ++k) {
        out[k] = row.values[to[k]];
    }
}

const double* KernelSpace::memberRow(std::int32_t position) {
    Level& level = m_levels.back();
    std::unique_ptr<double[]>& row = level.rows[static_cast<std::size_t>(position)];
    if (row) {
        return row.get();
    }
    const std::vector<SampleIndex>& members = m_members.back();
    const SampleIndex i = members[static_cast<std::size_t>(position)];
    const double bytes = static_cast<double>(members.size()) * static_cast<double>(sizeof(double));
    if (m_gathered + bytes > kGatheredBytes) {
        gather(i, members, m_scratch.data());
        return m_scratch.data();
    }
    m_gathered += bytes;
    row.reset(new double[members.size()]);
    gather(i, members, row.get());
    return row.get();
}

void KernelSpace::addRow(std::int32_t position, double factor, Eigen::VectorXd& image) {
    if (m_levels.size() == 1) {
        const KernelRow row = m_problem.rows().row(position); // of all samples
        image += factor * Eigen::Map<const Eigen::VectorXd>(row.values, image.size());
    } else {
        image += factor * Eigen::Map<const Eigen::VectorXd>(memberRow(position), image.size());
    }
}

double KernelSpace::assign(std::int32_t position, double value) {
    const SampleIndex i = m_members.back()[static_cast<std::size_t>(position)];
    const double change = value - m_alpha(i);
    Level& level = m_levels.back();
    const double slope = m_problem.y()(i) * level.image(position) - 1;
    addRow(position, change * m_problem.y()(i), level.image);
    m_alpha(i) = value;
    book(1, std::abs(change) * m_problem.norms()(i));
    return -change * (slope + 0.5 * m_problem.diagonal()(i) * change);
}

SweepOutcome KernelSpace::sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, WorkPoll& poll) {
    const std::vector<SampleIndex>& members = m_members.back();
    const double* y = m_problem.y().data();
    const double* diagonal = m_problem.diagonal().data();
    const double* norms = m_problem.norms().data();
    double* alpha = m_alpha.data();
    Eigen::VectorXd& image = m_levels.back().image;
    double moved = 0;
    const SweepOutcome outcome = descentSweep(
        visit, limits, poll, 1,
        [&](std::int32_t k) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            return Coordinate{alpha[i], upper(i), diagonal[i]};
        },
        [&](std::int32_t k) { return y[members[static_cast<std::size_t>(k)]] * image(k); },
        [&](std::int32_t k, double change) {
            const SampleIndex i = members[static_cast<std::size_t>(k)];
            alpha[i] = std::min(alpha[i] + change, upper(i)); // the sum may round beyond the edge
            addRow(k, y[i] * change, image);
            moved += std::abs(change) * norms[i];
            return static_cast<std::int64_t>(2 * image.size());
        });
    book(outcome.updates, moved);
    return outcome;
}

Eigen::MatrixXd KernelSpace::productsAmong(const std::vector<std::int32_t>& positions) const {
    const std::vector<SampleIndex>& members = m_members.back();
    const auto count = static_cast<Eigen::Index>(positions.size());
    std::vector<SampleIndex> samples(positions.size());
    std::transform(positions.begin(), positions.end(), samples.begin(),
                   [&](std::int32_t p) { return members[static_cast<std::size_t>(p)]; });
    Eigen::MatrixXd products(count, count);
    for (Eigen::Index c = 0; c < count; ++c) {
        const SampleIndex j = samples[static_cast<std::size_t>(c)];
        const KernelRow row = m_problem.rows().row(j);
        for (Eigen::Index r = c; r < count; ++r) {
            const SampleIndex i = samples[static_cast<std::size_t>(r)];
            products(r, c) = m_problem.y()(i) * m_problem.y()(j) * row.values[i];
        }
    }
    return products;
}

void KernelSpace::shift(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& changes) {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd& image = m_levels.back().image;
    double moved = 0;
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const SampleIndex i = members[static_cast<std::size_t>(positions[k])];
        const double change = changes(static_cast<Eigen::Index>(k));
        m_alpha(i) = std::clamp(m_alpha(i) + change, 0.0, upper(i));
        addRow(positions[k], change * m_problem.y()(i), image);
        moved += std::abs(change) * m_problem.norms()(i);
    }
    book(static_cast<std::int64_t>(positions.size()), moved);
}

Eigen::VectorXd KernelSpace::margins() const {
    const std::vector<SampleIndex>& members = m_members.back();
    Eigen::VectorXd result = m_levels.back().image;
    for (std::size_t k = 0; k < members.size(); ++k) {
        result(static_cast<Eigen::Index>(k)) *= m_problem.y()(members[k]);
    }
    return result;
}

void KernelSpace::refresh(WorkPoll& poll) {
    Eigen::VectorXd& image = m_levels.front().image;
    image.setZero();
    double length = 0;
    std::int64_t terms = 0;
    for (SampleIndex j = 0; j < m_problem.size() && !poll.isStopped(); ++j) {
        if (m_alpha(j) == 0) {
            continue;
        }
        const KernelRow row = m_problem.rows().row(j);
        image += (m_problem.y()(j) * m_alpha(j)) * Eigen::Map<const Eigen::VectorXd>(row.values, image.size());
        length += m_alpha(j) * m_problem.norms()(j);
        ++terms;
        (void)poll.spend(2 * image.size());
    }
    m_drift = roundingFactor(static_cast<double>(terms + 2)) * length;
}

} // namespace lambdascope::svm
