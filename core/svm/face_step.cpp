// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/face_step.h"

#include "core/numeric/polled_cholesky.h"

#include <algorithm>

namespace lambdascope::svm {

namespace {

/// Operations of a sweep that take the time of one of a factorization.
constexpr double kSweepSlower = 3;
/// Added to the diagonal, as a share of its largest entry; times kMoreRidge as often as the factorization fails.
constexpr double kRidge = 1e-13;
constexpr double kMoreRidge = 100;
constexpr int kMostRidges = 4;
/// Rounds of one step: these, and more while factors are small.
constexpr Eigen::Index kFewRounds = 2;
constexpr Eigen::Index kManyRounds = 100000;

} // namespace

FaceStep::FaceStep(SampleSpace& space, const std::vector<std::int32_t>& visit) : m_space(space) {
    for (const std::int32_t k : visit) {
        const SampleIndex i = space.members()[static_cast<std::size_t>(k)];
        if (space.alpha()(i) > 0 && space.alpha()(i) < space.upper(i)) {
            m_free.push_back(k);
        }
    }
    std::sort(m_free.begin(), m_free.end());
}

double FaceStep::cost() const {
    const auto size = static_cast<double>(m_free.size());
    const auto width = static_cast<double>(m_space.members().size());
    return size * size * size / 3 / kSweepSlower + 4 * size * size + 2 * size * width;
}

double FaceStep::round(const std::vector<Eigen::Index>& open, Eigen::VectorXd& change, WorkPoll& poll) const {
    const Eigen::MatrixXd products = m_products(open, open);
    const Eigen::VectorXd pull = m_pull(open);
    const Eigen::VectorXd alpha = m_alpha(open);
    const Eigen::VectorXd upper = m_upper(open);
    Eigen::MatrixXd factor;
    double ridge = kRidge * products.diagonal().maxCoeff();
    CholeskyOutcome outcome = CholeskyOutcome::NotPositive;
    for (int attempt = 0; attempt < kMostRidges && outcome == CholeskyOutcome::NotPositive; ++attempt) {
        factor = products;
        factor.diagonal().array() += ridge;
        outcome = choleskyInPlace(factor, poll);
        ridge *= kMoreRidge;
    }
    if (outcome != CholeskyOutcome::Done) {
        return 0;
    }
    Eigen::VectorXd direction = pull;
    solveByCholesky(factor, direction);
    const auto gainOf = [&](const Eigen::VectorXd& step) {
        return step.dot(pull) - 0.5 * step.dot(products.selfadjointView<Eigen::Lower>() * step);
    };
    change = (alpha + direction).cwiseMax(0.0).cwiseMin(upper) - alpha;
    double gain = gainOf(change);
    double length = 1; // of the direction, up to the first bound
    Eigen::Index first = -1;
    for (Eigen::Index k = 0; k < direction.size(); ++k) {
        const double room = direction(k) > 0 ? upper(k) - alpha(k) : -alpha(k);
        if (direction(k) != 0 && room / direction(k) < length) {
            length = room / direction(k);
            first = k;
        }
    }
    if (first >= 0) {
        Eigen::VectorXd cut = ((alpha + length * direction).cwiseMax(0.0).cwiseMin(upper)) - alpha;
        cut(first) = (direction(first) > 0 ? upper(first) : 0.0) - alpha(first);
        if (const double other = gainOf(cut); other > gain) {
            change = std::move(cut);
            gain = other;
        }
    }
    return gain;
}

double FaceStep::take(WorkPoll& poll) {
    const auto size = static_cast<Eigen::Index>(m_free.size());
    const Eigen::VectorXd margins = m_space.margins();
    m_pull.resize(size);
    m_alpha.resize(size);
    m_upper.resize(size);
    std::vector<Eigen::Index> open(m_free.size());
    for (Eigen::Index k = 0; k < size; ++k) {
        const std::int32_t position = m_free[static_cast<std::size_t>(k)];
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(position)];
        m_pull(k) = 1 - margins(position);
        m_alpha(k) = m_space.alpha()(i);
        m_upper(k) = m_space.upper(i);
        open[static_cast<std::size_t>(k)] = k;
    }
    m_products = m_space.productsAmong(m_free);
    m_products.triangularView<Eigen::StrictlyUpper>() = m_products.transpose();
    const Eigen::VectorXd start = m_alpha;
    const Eigen::Index rounds = std::min(size, kFewRounds + kManyRounds / (size * size));
    double gained = 0;
    for (Eigen::Index r = 0; r < rounds && !open.empty(); ++r) {
        Eigen::VectorXd change;
        const double gain = round(open, change, poll);
        if (!(gain > 0)) {
            break;
        }
        gained += gain;
        m_pull -= m_products(Eigen::all, open) * change;
        const std::size_t before = open.size();
        for (std::size_t k = 0; k < before; ++k) {
            m_alpha(open[k]) += change(static_cast<Eigen::Index>(k));
        }
        std::erase_if(open, [&](Eigen::Index k) { return m_alpha(k) <= 0 || m_alpha(k) >= m_upper(k); });
        if (open.size() == before) {
            break; // the best point of the face
        }
    }
    if (gained > 0) {
        m_space.shift(m_free, m_alpha - start);
    }
    return gained;
}

} // namespace lambdascope::svm
