// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/conjugate_face.h"

namespace lambdascope::svm {

namespace {

/// Iterations of one solve at most, and how far the residual shrinks before it is left alone: steps end at bounds
/// before more digits count.
constexpr int kMostIterations = 10;
constexpr double kShrunk = 0.1;
/// Curvature, of what it would be among orthogonal samples, that may be rounding.
constexpr double kFlat = 1e-10;
/// Sweeps do more with an operation: they find the face as well.
constexpr double kDearer = 2;

} // namespace

double ConjugateFace::cost(const std::vector<SampleIndex>& samples, double) const {
    const FeatureRows& x = m_problem.features();
    const double perSample = x.dense() != nullptr
                                 ? static_cast<double>(x.features())
                                 : static_cast<double>(x.sparse()->nonZeros()) / static_cast<double>(x.rows());
    return kDearer * kMostIterations * 4 * perSample * static_cast<double>(samples.size());
}

bool ConjugateFace::prepare(const std::vector<SampleIndex>& samples, WorkPoll& poll) {
    const FeatureRows& x = m_problem.features();
    const auto size = static_cast<Eigen::Index>(samples.size());
    m_diagonal = m_problem.diagonal()(samples);
    if (x.dense() != nullptr) {
        m_dense.resize(size, x.features());
        for (Eigen::Index k = 0; k < size; ++k) {
            const SampleIndex i = samples[static_cast<std::size_t>(k)];
            m_dense.row(k) = m_problem.y()(i) * x.dense()->row(i);
        }
        return !poll.spend(size * x.features());
    }
    const FeatureRows::Sparse& all = *x.sparse();
    m_sparse.resize(size, x.features());
    std::int64_t total = 0;
    for (const SampleIndex i : samples) {
        total += all.outerIndexPtr()[i + 1] - all.outerIndexPtr()[i];
    }
    m_sparse.reserve(total);
    for (Eigen::Index k = 0; k < size; ++k) {
        const SampleIndex i = samples[static_cast<std::size_t>(k)];
        m_sparse.startVec(k);
        for (FeatureRows::Sparse::InnerIterator entry(all, i); entry; ++entry) {
            m_sparse.insertBack(k, entry.col()) = m_problem.y()(i) * entry.value();
        }
    }
    m_sparse.finalize();
    return !poll.spend(2 * total);
}

std::int64_t ConjugateFace::operationsPerProduct() const {
    return 4 * (m_dense.size() > 0 ? m_dense.size() : m_sparse.nonZeros());
}

void ConjugateFace::collect(const Eigen::VectorXd& change) {
    if (m_dense.size() > 0) {
        m_w.noalias() = m_dense.transpose() * change;
        return;
    }
    m_w.setZero(m_sparse.cols());
    const FeatureRows z(m_sparse);
    for (Eigen::Index k = 0; k < change.size(); ++k) {
        if (change(k) != 0) {
            z.addTo(k, change(k), m_w.data());
        }
    }
}

void ConjugateFace::multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) {
    collect(change);
    if (m_dense.size() > 0) {
        image.noalias() = m_dense * m_w;
        return;
    }
    const FeatureRows z(m_sparse);
    image.resize(change.size());
    for (Eigen::Index k = 0; k < change.size(); ++k) {
        image(k) = z.dot(k, m_w.data());
    }
}

bool ConjugateFace::solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                          WorkPoll& poll) {
    const Eigen::Index size = m_diagonal.size();
    // Vectors over all free samples, zero outside of `open`.
    Eigen::VectorXd inverse = Eigen::VectorXd::Zero(size);
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(size);
    for (std::size_t k = 0; k < open.size(); ++k) {
        inverse(open[k]) = m_diagonal(open[k]) > 0 ? 1 / m_diagonal(open[k]) : 0;
        rest(open[k]) = b(static_cast<Eigen::Index>(k));
    }
    Eigen::VectorXd solution = Eigen::VectorXd::Zero(size);
    Eigen::VectorXd scaled = inverse.cwiseProduct(rest);
    Eigen::VectorXd direction = scaled;
    Eigen::VectorXd product;
    Eigen::VectorXd covered = Eigen::VectorXd::Zero(size); // Q times the solution
    double square = rest.dot(scaled);
    const double target = kShrunk * kShrunk * square;
    int iteration = 0;
    for (; iteration < kMostIterations && square > target && !poll.isStopped(); ++iteration) {
        multiply(direction, product);
        const double curvature = direction.dot(product);
        if (!(curvature > kFlat * direction.dot(m_diagonal.cwiseProduct(direction)))) {
            break; // fewer features than samples: there is no best point this way
        }
        const double step = square / curvature;
        solution += step * direction;
        covered += step * product;
        rest -= step * product;
        scaled = inverse.cwiseProduct(rest);
        const double next = rest.dot(scaled);
        direction = scaled + (next / square) * direction;
        square = next;
        (void)poll.spend(operationsPerProduct());
    }
    b = solution(open);
    image = std::move(covered);
    return iteration > 0 && b.allFinite() && !poll.isStopped();
}

} // namespace lambdascope::svm
