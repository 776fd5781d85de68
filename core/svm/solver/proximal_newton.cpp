// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/proximal_newton.h"

#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/symmetric_products.h"
#include "core/svm/problem/work_units.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// δ Σ Uᵢ over the free samples, as a multiple of the gap. Such a step leaves about a tenth of it; wider steps leave
/// more, narrower ones take more iterations. From 40 to 160 the work is the same within a tenth (w8a).
constexpr double kWidthOfGap = 40;
/// Iterations of Newton in one step at most, and in a typical one.
constexpr int kMostIterationsOfStep = 40;
constexpr double kTypicalIterations = 5;
/// Share of what a step gains that it may leave.
constexpr double kLeftOfGain = 1e-3;
/// How far the slope along a direction shrinks before the length is right, and how often it is asked for.
constexpr double kSlopeShrunk = 0.1;
constexpr int kMostTrialLengths = 30;
/// An operation of BLAS among hundreds of features, in those of a sweep (w8a).
constexpr double kBlasOperation = 0.05;
/// What of an iteration does not grow with samples or features.
constexpr double kIteration = 5000;
/// Rows of dense features that are multiplied together.
constexpr Eigen::Index kRowsTogether = 256;

} // namespace

ProximalNewton::ProximalNewton(DualIterate& space, const std::vector<std::int32_t>& visit)
    : m_space(space), m_problem(space.problem()), m_visit(visit) {}

double ProximalNewton::cost() const {
    const auto d = static_cast<double>(m_problem.features().features());
    const double each = 2 * m_problem.features().meanEntries() + work_units::kVisit;
    return kTypicalIterations *
           (kIteration + each * static_cast<double>(m_visit.size()) + kBlasOperation * d * d * d / 3);
}

bool ProximalNewton::begin(double gap, StopCheck& stopCheck) {
    const auto size = std::ssize(m_visit);
    m_samples.resize(m_visit.size());
    m_start.resize(size);
    m_upper.resize(size);
    m_pull.resize(size);
    const auto perVisit = static_cast<std::int64_t>(2 * m_problem.features().meanEntries());
    double room = 0;
    for (Eigen::Index k = 0; k < size && !stopCheck.spend(perVisit); ++k) {
        const std::int32_t position = m_visit[static_cast<std::size_t>(k)];
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(position)];
        m_samples[static_cast<std::size_t>(k)] = i;
        m_start(k) = m_space.alpha()(i);
        m_upper(k) = m_space.upper(i);
        m_pull(k) = m_problem.thresholds()(i) - m_space.margin(position);
        room += m_start(k) > 0 && m_start(k) < m_upper(k) ? m_upper(k) : 0.0;
    }
    m_width = kWidthOfGap * gap / std::max(room, size > 0 ? m_upper.maxCoeff() : 0.0);
    m_alpha = m_start;
    m_isBetween.assign(m_visit.size(), false);
    m_way.setZero(m_problem.features().features());
    m_moved = m_way;
    m_operations = 2 * m_problem.features().meanEntries() * static_cast<double>(size);
    return !stopCheck.isStopped();
}

double ProximalNewton::best(Eigen::Index k, double pull) const {
    return std::clamp(m_start(k) + m_upper(k) * (pull / m_width), 0.0, m_upper(k));
}

void ProximalNewton::takeBest(StopCheck& stopCheck) {
    const auto perMove = static_cast<std::int64_t>(2 * m_problem.features().meanEntries());
    std::int64_t moved = 0;
    for (Eigen::Index k = 0; k < m_pull.size() && !stopCheck.isStopped(); ++k) {
        const double target = best(k, m_pull(k));
        if (target != m_alpha(k)) {
            const SampleIndex i = m_samples[static_cast<std::size_t>(k)];
            m_problem.addTo(i, m_problem.y()(i) * (target - m_alpha(k)), m_moved.data());
            m_alpha(k) = target;
            ++moved;
            (void)stopCheck.spend(perMove);
        }
    }
    m_operations += work_units::kVisit * static_cast<double>(m_pull.size()) +
                    2 * m_problem.features().meanEntries() * static_cast<double>(moved);
}

void ProximalNewton::addProducts(const std::vector<Eigen::Index>& places, double sign, StopCheck& stopCheck) {
    const FeatureRows& x = m_problem.features();
    const auto rowAt = [this](Eigen::Index k) { return m_problem.rowOf(m_samples[static_cast<std::size_t>(k)]); };
    if (x.dense() != nullptr) {
        const Eigen::Index d = x.features();
        FeatureRows::Dense rows;
        for (Eigen::Index at = 0; at < std::ssize(places) && !stopCheck.isStopped(); at += kRowsTogether) {
            rows.resize(std::min(kRowsTogether, std::ssize(places) - at), d);
            for (Eigen::Index r = 0; r < rows.rows(); ++r) {
                const Eigen::Index k = places[static_cast<std::size_t>(at + r)];
                rows.row(r) = std::sqrt(m_upper(k)) * x.dense()->row(rowAt(k));
            }
            addColumnProducts(rows, sign, m_products);
            m_operations += kBlasOperation * static_cast<double>(rows.size() * d);
            (void)stopCheck.spend(rows.size() * d);
        }
        return;
    }
    const FeatureRows::Sparse& sparse = *x.sparse();
    for (const Eigen::Index k : places) {
        const auto begin = sparse.outerIndexPtr()[rowAt(k)];
        const auto end = sparse.outerIndexPtr()[rowAt(k) + 1];
        for (auto a = begin; a < end; ++a) {
            const double factor = sign * m_upper(k) * sparse.valuePtr()[a];
            double* column = m_products.col(sparse.innerIndexPtr()[a]).data();
            for (auto b = a; b < end; ++b) { // entries of a row rise: the lower triangle
                column[sparse.innerIndexPtr()[b]] += factor * sparse.valuePtr()[b];
            }
        }
        const auto entries = std::int64_t{end - begin};
        m_operations += static_cast<double>(entries * entries);
        if (stopCheck.spend(entries * entries)) {
            return;
        }
    }
}

bool ProximalNewton::makeSystem(StopCheck& stopCheck) {
    std::vector<Eigen::Index> between, entered, left;
    for (Eigen::Index k = 0; k < m_alpha.size(); ++k) {
        const bool isBetween = m_alpha(k) > 0 && m_alpha(k) < m_upper(k);
        const bool was = m_isBetween[static_cast<std::size_t>(k)];
        m_isBetween[static_cast<std::size_t>(k)] = isBetween;
        if (isBetween) {
            between.push_back(k);
        }
        if (isBetween != was) {
            (isBetween ? entered : left).push_back(k);
        }
    }
    const Eigen::Index d = m_problem.features().features();
    if (m_products.size() == 0 || entered.size() + left.size() > between.size()) {
        m_products.setZero(d, d);
        addProducts(between, 1, stopCheck);
    } else {
        addProducts(entered, 1, stopCheck);
        addProducts(left, -1, stopCheck);
    }
    m_factor = m_products / m_width;
    m_factor.diagonal().array() += 1;
    const auto size = static_cast<double>(d);
    m_operations += kIteration + size * size + kBlasOperation * size * size * size / 3;
    return choleskyInPlace(m_factor, stopCheck) == CholeskyOutcome::Done;
}

double ProximalNewton::lengthAlong(const Eigen::VectorXd& direction, const Eigen::VectorXd& slopes) {
    // ½‖way‖² + Σ max over α of (α − ᾱ)(t − zᵀw) − ½δ(α − ᾱ)²/U is convex, and its slope piecewise linear.
    const double square = direction.squaredNorm();
    const double along = direction.dot(m_way);
    const auto slopeAt = [&](double length) {
        double slope = along + length * square;
        for (Eigen::Index k = 0; k < m_pull.size(); ++k) {
            slope -= (best(k, m_pull(k) - length * slopes(k)) - m_start(k)) * slopes(k);
        }
        m_operations += work_units::kVisit * static_cast<double>(m_pull.size());
        return slope;
    };
    const double flat = kSlopeShrunk * std::abs(along - direction.dot(m_moved));
    double low = 0, high = 1, length = 1;
    double atLow = along - direction.dot(m_moved), atHigh = slopeAt(1);
    bool wasHigh = false;
    // False position; an end that stays for a second time counts half [Dowell and Jarratt 1971].
    for (int trial = 0; trial < kMostTrialLengths && atHigh > flat; ++trial) {
        length = low + (high - low) * atLow / (atLow - atHigh);
        const double slope = slopeAt(length);
        if (std::abs(slope) <= flat) {
            break;
        }
        const bool isHigh = slope > 0;
        if (trial > 0 && isHigh == wasHigh) {
            (isHigh ? atLow : atHigh) *= 0.5;
        }
        (isHigh ? high : low) = length;
        (isHigh ? atHigh : atLow) = slope;
        wasHigh = isHigh;
    }
    return length;
}

double ProximalNewton::take(double gap, double goodEnough, StopCheck& stopCheck) {
    if (!begin(gap, stopCheck) || !(m_width > 0) || !std::isfinite(m_width)) {
        return 0;
    }
    const double perVisit = 2 * m_problem.features().meanEntries();
    const Eigen::VectorXd pull = m_pull;
    Eigen::VectorXd slopes(m_pull.size());
    for (int iteration = 0; iteration < kMostIterationsOfStep; ++iteration) {
        takeBest(stopCheck);
        Eigen::VectorXd direction = m_moved - m_way;
        const double gain = (m_alpha - m_start).dot(pull) - 0.5 * m_moved.squaredNorm();
        // Half its square is the gap of w and α(w), as far as this step goes.
        if (0.5 * direction.squaredNorm() <= kLeftOfGain * std::max(gain, goodEnough) || !makeSystem(stopCheck)) {
            break;
        }
        solveByCholesky(m_factor, direction);
        for (Eigen::Index k = 0; k < slopes.size() && !stopCheck.spend(static_cast<std::int64_t>(perVisit)); ++k) {
            const SampleIndex i = m_samples[static_cast<std::size_t>(k)];
            slopes(k) = m_problem.y()(i) * m_problem.dot(i, direction.data());
        }
        m_operations += perVisit * static_cast<double>(m_visit.size());
        if (stopCheck.isStopped()) {
            break;
        }
        const double length = lengthAlong(direction, slopes);
        m_way += length * direction;
        m_pull -= length * slopes;
    }
    const double uphill = (m_alpha - m_start).dot(pull);
    const double square = m_moved.squaredNorm();
    if (stopCheck.isStopped() || !(uphill > 0)) {
        return 0;
    }
    if (square > uphill) { // left half-way: the best point on the line there
        m_alpha = m_start + (uphill / square) * (m_alpha - m_start);
    }
    return m_space.move(m_visit, m_alpha, stopCheck);
}

} // namespace lambdascope::svm
