// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_cg.h"

#include "core/data/gather_rows.h"
#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/symmetric_products.h"

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

/// Of rounded values: iterations of one solution at most, and how far what is left of the pull shrinks, in the norm of
/// the preconditioner. Each time that it has shrunk by kStage, the box is looked at.
constexpr int kMostRounded = 100;
constexpr double kRoundedShrunk = 1e-4;
constexpr double kStage = 0.1;
/// Samples that leave the box, as a share of all, after which it does not pay to go on.
constexpr double kFewOutside = 0.0005;
/// Work in operations of a sweep: of a value in all iterations of a step together, about what the sweeps before are
/// worth to it, and of one that has to be fetched first.
constexpr double kPerValue = 5;
constexpr double kPerFetched = 4;
/// Columns that are multiplied together.
constexpr Eigen::Index kScaledTogether = 512;

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

double FreeSetKernelCg::cost(const std::vector<SampleIndex>& samples, double) const {
    const auto size = static_cast<double>(samples.size());
    const auto fresh = static_cast<double>(m_products.missing(samples));
    return kPerValue * size * size + kPerFetched * fresh * size;
}

bool FreeSetKernelCg::prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) {
    if (!m_products.hold(samples, stopCheck)) {
        return false;
    }
    m_places.resize(samples.size());
    std::transform(samples.begin(), samples.end(), m_places.begin(),
                   [this](SampleIndex i) { return m_products.placeOf(i); });
    m_y = m_problem.y()(samples);
    return !stopCheck.isStopped();
}

void FreeSetKernelCg::multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(m_products.size());
    all(m_places) = m_y.cwiseProduct(change);
    all = m_products.multiply(all);
    image = m_y.cwiseProduct(all(m_places));
}

bool FreeSetKernelCg::restrictTo(const std::vector<Eigen::Index>& places, StopCheck& stopCheck) {
    const Eigen::Index rank = m_products.rank();
    const auto size = std::ssize(places);
    m_inverseRoots = m_products.rest()(places).cwiseSqrt().cwiseInverse();
    m_scaled.resize(rank, size);
    m_capacitance = Eigen::MatrixXd::Identity(rank, rank);
    if (rank == 0) {
        return true;
    }
    Eigen::MatrixXd block;
    for (Eigen::Index at = 0; at < size && !stopCheck.isStopped(); at += kScaledTogether) {
        const Eigen::Index count = std::min(kScaledTogether, size - at);
        for (Eigen::Index c = at; c < at + count; ++c) {
            m_scaled.col(c) =
                static_cast<float>(m_inverseRoots(c)) * m_products.factor().col(places[static_cast<std::size_t>(c)]);
        }
        block = m_scaled.middleCols(at, count).cast<double>();
        addRowProducts(ColumnBlock(block), 1, m_capacitance);
        (void)stopCheck.spend(rank * rank * count);
    }
    return choleskyInPlace(m_capacitance, stopCheck) == CholeskyOutcome::Done;
}

Eigen::VectorXd FreeSetKernelCg::precondition(const Eigen::VectorXd& rest) const {
    Eigen::VectorXd scaled = m_inverseRoots.cwiseProduct(rest);
    if (m_scaled.rows() > 0) {
        const Eigen::VectorXf single = scaled.cast<float>();
        Eigen::VectorXd within = (m_scaled * single).cast<double>();
        solveByCholesky(m_capacitance, within);
        const Eigen::VectorXf back = within.cast<float>();
        scaled -= (m_scaled.transpose() * back).cast<double>();
    }
    return m_inverseRoots.cwiseProduct(scaled);
}

bool FreeSetKernelCg::solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                            StopCheck& stopCheck) {
    return run(open, false, b, image, stopCheck);
}

bool FreeSetKernelCg::solveBalanced(const std::vector<Eigen::Index>& open, const Eigen::VectorXd&, double,
                                    Eigen::VectorXd& b, Eigen::VectorXd& image, StopCheck& stopCheck) {
    return run(open, true, b, image, stopCheck);
}

bool FreeSetKernelCg::mayEnd(const std::vector<Eigen::Index>& open, const Eigen::VectorXd& x,
                             const Eigen::VectorXd& rest) {
    if (m_box.below.size() != m_y.size()) {
        return false; // nobody has given one
    }
    const Eigen::VectorXd below = m_box.below(open);
    const Eigen::VectorXd above = m_box.above(open);
    if (rest.cwiseAbs().dot(above - below) <= m_box.enough) {
        return true;
    }
    const auto outside = static_cast<double>((x.array() < below.array() || x.array() > above.array()).count());
    m_isHalfWay = outside > kFewOutside * static_cast<double>(x.size());
    return m_isHalfWay;
}

bool FreeSetKernelCg::run(const std::vector<Eigen::Index>& open, bool isBalanced, Eigen::VectorXd& b,
                          Eigen::VectorXd& image, StopCheck& stopCheck) {
    std::vector<Eigen::Index> places(open.size());
    std::transform(open.begin(), open.end(), places.begin(),
                   [this](Eigen::Index k) { return m_places[static_cast<std::size_t>(k)]; });
    m_isHalfWay = false;
    if (!restrictTo(places, stopCheck)) {
        return false;
    }
    const Eigen::VectorXd y = m_y(open);
    Eigen::VectorXd rest = y.cwiseProduct(b); // along coefficients yx of the samples themselves
    const Eigen::VectorXd along = isBalanced ? precondition(Eigen::VectorXd::Ones(rest.size())) : Eigen::VectorXd();
    const auto preconditioned = [&] {
        Eigen::VectorXd scaled = precondition(rest);
        if (isBalanced) { // the multiplier is taken off the pull as well, so that nothing large cancels
            const double multiplier = scaled.sum() / along.sum();
            scaled -= multiplier * along;
            scaled.array() -= scaled.mean();
            rest.array() -= multiplier;
        }
        return scaled;
    };
    Eigen::VectorXd scaled = preconditioned();
    Eigen::VectorXd direction = scaled;
    Eigen::VectorXd solution = Eigen::VectorXd::Zero(rest.size());
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(m_products.size());
    Eigen::VectorXd covered = Eigen::VectorXd::Zero(m_products.size()); // K times the solution
    double square = rest.dot(scaled);
    const double target = kRoundedShrunk * kRoundedShrunk * square;
    double nextStage = kStage * kStage * square;
    int iteration = 0;
    for (; iteration < kMostRounded && square > target && !stopCheck.isStopped(); ++iteration) {
        if (square <= nextStage) {
            nextStage *= kStage * kStage;
            if (mayEnd(open, y.cwiseProduct(solution), rest)) {
                break;
            }
        }
        spread(places) = direction;
        const Eigen::VectorXd product = m_products.multiply(spread);
        const Eigen::VectorXd own = product(places);
        const double curvature = direction.dot(own);
        if (!(curvature > 0)) {
            break; // rounding
        }
        const double step = square / curvature;
        solution += step * direction;
        covered += step * product;
        rest -= step * own;
        scaled = preconditioned();
        const double next = rest.dot(scaled);
        direction = scaled + (next / square) * direction;
        square = next;
        (void)stopCheck.spend(2 * m_products.size() * m_products.size());
    }
    b = y.cwiseProduct(solution);
    image = m_y.cwiseProduct(covered(m_places));
    return iteration > 0 && b.allFinite() && !stopCheck.isStopped();
}

} // namespace lambdascope::svm
