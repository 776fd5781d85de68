// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_cg.h"

#include "core/data/gather_rows.h"

#include <algorithm>

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

double FreeSetCg::cost(const std::vector<SampleIndex>& samples, double) const {
    return kDearer * kMostIterations * 4 * m_problem.features().meanEntries() * static_cast<double>(samples.size());
}

bool FreeSetCg::prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) {
    const FeatureRows& x = m_problem.features();
    m_diagonal = m_problem.diagonal()(samples);
    m_y = m_problem.y()(samples);
    std::vector<SampleIndex> rows(samples.size());
    std::transform(samples.begin(), samples.end(), rows.begin(), [this](SampleIndex i) { return m_problem.rowOf(i); });
    if (x.dense() != nullptr) {
        m_dense = gatherRows(*x.dense(), rows);
    } else {
        m_sparse = gatherRows(*x.sparse(), rows);
    }
    return !stopCheck.spend(operationsPerProduct() / 2);
}

std::int64_t FreeSetCg::operationsPerProduct() const {
    return 4 * (m_dense.size() > 0 ? m_dense.size() : m_sparse.nonZeros());
}

void FreeSetCg::multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) {
    m_signed = m_y.cwiseProduct(change);
    if (m_dense.size() > 0) {
        m_w.noalias() = m_dense.transpose() * m_signed;
        image.noalias() = m_dense * m_w;
    } else {
        m_w.setZero(m_sparse.cols());
        const FeatureRows x(m_sparse);
        for (Eigen::Index k = 0; k < m_signed.size(); ++k) {
            if (m_signed(k) != 0) {
                x.addTo(k, m_signed(k), m_w.data());
            }
        }
        image.resize(change.size());
        for (Eigen::Index k = 0; k < change.size(); ++k) {
            image(k) = x.dot(k, m_w.data());
        }
    }
    image.array() *= m_y.array();
}

bool FreeSetCg::solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                      StopCheck& stopCheck) {
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
    for (; iteration < kMostIterations && square > target && !stopCheck.isStopped(); ++iteration) {
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
        (void)stopCheck.spend(operationsPerProduct());
    }
    b = solution(open);
    image = std::move(covered);
    return iteration > 0 && b.allFinite() && !stopCheck.isStopped();
}

} // namespace lambdascope::svm
