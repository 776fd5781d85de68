// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/cone_newton.h"

#include "core/common/clocks.h"
#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/psd_projection.h"
#include "core/numeric/symmetric_products.h"
#include "core/triplets/problem/counted_work.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lambdascope::triplets {

namespace {

/// Size of the sample that the preconditioner is made of, over the size of its system: at least, and at most; between
/// these the work on it is that of so many products with H.
constexpr double kSampleShare = 1.5;
constexpr double kLargeSampleShare = 40;
constexpr double kSampleProducts = 4;
/// Largest system that is factored; a larger one is taken by its diagonal.
constexpr Eigen::Index kLargestSystem = 2600;
/// Rows of the sample that are multiplied between two questions whether to stop.
constexpr Eigen::Index kTripletsPerBlock = 256;
/// Residual at which a system is solved, relative; products that takes at most. A preconditioner of an earlier step is
/// made anew after as many as that is worth.
constexpr double kResidual = 0.02;
constexpr std::int64_t kMostProducts = 40;
/// Share of all entries that have a triplet between the edges, where that is not known: of segment, pendigits and
/// phishing 5 to 9 % at the solutions.
constexpr double kShareBetween = 0.1;
/// Products in a step at a guess.
constexpr double kExpectedProducts = 2;
/// Trial lengths of a step, each half the last.
constexpr int kMostHalvings = 8;
/// Eigenvalues of M that count as zero, over the largest one.
constexpr double kNull = 1e-10;
/// Rounding that values may differ by, relative.
constexpr double kRoom = 1e-14;

/// Entries (i, j), i ≤ j, of a symmetric matrix, those off the diagonal times √2: the dot product stays.
Eigen::VectorXd packed(const Eigen::MatrixXd& a) {
    const Eigen::Index d = a.rows();
    Eigen::VectorXd x(d * (d + 1) / 2);
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j < d; ++j) {
        x.segment(at, j + 1) = std::numbers::sqrt2 * a.col(j).head(j + 1);
        x[at + j] = a(j, j);
        at += j + 1;
    }
    return x;
}

Eigen::MatrixXd unpacked(const Eigen::VectorXd& x, Eigen::Index d) {
    Eigen::MatrixXd a(d, d);
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j < d; ++j) {
        a.col(j).head(j + 1) = x.segment(at, j + 1) / std::numbers::sqrt2;
        a(j, j) = x[at + j];
        a.row(j).head(j) = a.col(j).head(j).transpose();
        at += j + 1;
    }
    return a;
}

double dot(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return a.cwiseProduct(b).sum();
}

} // namespace

ConeNewton::ConeNewton(ReducedObjective& objective, const TripletSet& triplets, double lambda, std::int64_t& between,
                       ThreadTeam& team)
    : m_objective(objective), m_triplets(triplets), m_lambda(lambda), m_between(between),
      m_allLists(ListSize::ofAll(triplets)), m_team(team), m_curvature(triplets, team) {}

Eigen::Index ConeNewton::packedSize() const {
    const Eigen::Index d = m_triplets.features();
    return d * (d + 1) / 2;
}

ListSize ConeNewton::listSize() const {
    ListSize size = m_allLists;
    if (m_objective.screened.decided() > 0) {
        size.entries = std::llround(static_cast<double>(size.entries) * m_objective.shareLeft());
    }
    return size;
}

ListSize ConeNewton::sizeBetween() const {
    ListSize size = listSize();
    const auto guess = static_cast<std::int64_t>(kShareBetween * static_cast<double>(m_allLists.entries));
    size.entries = std::min(size.entries, m_between > 0 ? m_between : guess);
    size.anchors = std::min(size.anchors, size.entries);
    return size;
}

double ConeNewton::workOfStep(double perVisit) const {
    return workOfLaterStep(perVisit) + (m_basis.size() == 0 ? workOfPreconditioner() : 0);
}

double ConeNewton::workOfLaterStep(double perVisit) const {
    const ListSize lists = listSize();
    const std::int64_t d = m_triplets.features();
    return perVisit + m_curvature.workOfSet(lists) + 3 * work::ofEigen(d) +
           kExpectedProducts * (m_curvature.workOfProduct(sizeBetween()) + 9 * work::ofProduct(d, d, d));
}

std::int64_t ConeNewton::sampleSize() const {
    const auto size = static_cast<double>(packedSize());
    const double perTriplet = work::ofSquare(1000, packedSize()) / 1000 + work::ofSystemRows(1000, packedSize()) / 1000;
    const double products = kSampleProducts * m_curvature.workOfProduct(sizeBetween());
    return static_cast<std::int64_t>(std::clamp(products / perTriplet, kSampleShare * size, kLargeSampleShare * size));
}

double ConeNewton::workOfPreconditioner() const {
    const Eigen::Index size = packedSize();
    const Eigen::Index d = m_triplets.features();
    const std::int64_t sample = sampleSize();
    const double rows = work::ofProduct(m_triplets.rows(), d, d) + work::ofSystemRows(sample, size);
    return rows + (size > kLargestSystem ? work::ofNumbers(sample * size)
                                         : work::ofSquare(sample, size) + work::ofFactor(size));
}

void ConeNewton::spend(double work) {
    count(work);
    (void)m_objective.stopCheck().spend(static_cast<std::int64_t>(work)); // about an operation a nanosecond
}

/// One more evaluation over so many entries.
void ConeNewton::countVisit(double work, std::int64_t entries) {
    CpuLedger& ledger = m_objective.ledger();
    ledger.work += work;
    ledger.sums += work;
    ++ledger.evaluations;
    ++ledger.innerEvaluations;
    ledger.pairsVisited += entries;
}

/// Z with [Z]₊ = M: what Σ α H/λ has below zero where M is zero goes with M.
bool ConeNewton::setOrigin(const MetricPoint& point, const ReducedState& state) {
    if (m_isKnown) {
        return true;
    }
    const Eigen::Index d = point.matrix.rows();
    count(2 * work::ofEigen(d));
    const EigenSystem system = symmetricEigenSystem(point.matrix, m_objective.stopCheck());
    if (!system.succeeded) {
        return false;
    }
    // Eigenvalues rise. A factor may have columns whose eigenvalues are rounding.
    const Eigen::Index nullity = (system.values.array() <= kNull * system.values[d - 1]).count();
    m_z = point.matrix;
    if (nullity > 0) {
        const Eigen::MatrixXd null = system.vectors.leftCols(nullity);
        const Eigen::MatrixXd pulled = null.transpose() * (point.matrix - state.gradient / m_lambda) * null;
        const PsdSplit split = splitPsd(pulled, m_objective.stopCheck());
        if (!split.isFinite) {
            return false;
        }
        m_z += null * (pulled - split.positive) * null.transpose();
        m_z = (0.5 * (m_z + m_z.transpose())).eval();
    }
    return m_cone.compute(m_z, 1, m_objective.stopCheck());
}

/// λ I + R Ĥ R in the basis at hand, Ĥ over a sample of the triplets.
bool ConeNewton::setPreconditioner() {
    const Eigen::Index size = packedSize();
    const Eigen::Index d = m_triplets.features();
    const std::vector<Triplet> sample = m_curvature.sample(sampleSize());
    m_basis = m_cone.vectors();
    m_isFresh = true;
    count(work::ofProduct(m_triplets.rows(), d, d) + work::ofSystemRows(std::ssize(sample), size));
    const DenseRows image = m_triplets.paddedRows().leftCols(d) * m_basis;
    const double weight = static_cast<double>(m_curvature.triplets()) /
                          (static_cast<double>(std::max<std::size_t>(sample.size(), 1)) * m_curvature.smoothing());
    Eigen::MatrixXd scales = std::sqrt(2 * weight) * m_cone.roots().matrix();
    scales.diagonal() /= std::numbers::sqrt2;
    const bool isFactored = size <= kLargestSystem;
    m_factor = isFactored ? Eigen::MatrixXd(m_lambda * Eigen::MatrixXd::Identity(size, size))
                          : Eigen::MatrixXd::Constant(size, 1, m_lambda);
    DenseRows rows;
    for (std::size_t begin = 0; begin < sample.size(); begin += kTripletsPerBlock) {
        const std::size_t end = std::min(sample.size(), begin + kTripletsPerBlock);
        rows.resize(static_cast<Eigen::Index>(end - begin), size);
        for (std::size_t t = begin; t < end; ++t) {
            const Eigen::RowVectorXd a = image.row(sample[t].anchor) - image.row(sample[t].other);
            const Eigen::RowVectorXd b = image.row(sample[t].anchor) - image.row(sample[t].same);
            auto row = rows.row(static_cast<Eigen::Index>(t - begin));
            Eigen::Index at = 0;
            for (Eigen::Index j = 0; j < d; ++j) {
                row.segment(at, j + 1) = (a[j] * a.head(j + 1) - b[j] * b.head(j + 1)).array() *
                                         scales.col(j).head(j + 1).transpose().array();
                at += j + 1;
            }
        }
        if (isFactored) {
            addColumnProducts(rows, 1, m_factor, &m_team);
            spend(work::ofSquare(rows.rows(), size));
        } else {
            m_factor.col(0) += rows.array().square().colwise().sum().matrix().transpose();
            spend(work::ofNumbers(rows.size()));
        }
        if (m_objective.stopCheck().isStopped()) {
            return false;
        }
    }
    if (isFactored) {
        count(work::ofFactor(size));
        return choleskyInPlace(m_factor, m_objective.stopCheck(), &m_team) == CholeskyOutcome::Done;
    }
    return true;
}

Eigen::MatrixXd ConeNewton::precondition(const Eigen::MatrixXd& residual) {
    const Eigen::Index d = residual.rows();
    count(5 * work::ofProduct(d, d, d) + work::ofNumbers(m_factor.size()));
    // The system may have been made in the basis of an earlier step.
    const Eigen::MatrixXd turn = m_basis.transpose() * m_cone.vectors();
    Eigen::VectorXd x = packed(turn * residual * turn.transpose());
    if (m_factor.cols() == 1) {
        x.array() /= m_factor.col(0).array();
    } else {
        solveByCholesky(m_factor, x);
    }
    return turn.transpose() * unpacked(x, residual.rows()) * turn;
}

/// H R applied to a matrix, all in the basis U.
bool ConeNewton::multiply(const Eigen::MatrixXd& direction, Eigen::MatrixXd& image) {
    const Eigen::MatrixXd& u = m_cone.vectors();
    const Eigen::MatrixXd inner = m_cone.roots() * direction.array();
    Eigen::MatrixXd v = u * inner * u.transpose();
    v = (0.5 * (v + v.transpose())).eval();
    Eigen::MatrixXd product;
    if (!m_curvature.multiply(v, m_objective.stopCheck(), product)) {
        return false;
    }
    image = u.transpose() * product * u;
    const ListSize between = m_curvature.between();
    countVisit(m_curvature.workOfProduct(between), between.entries);
    count(4 * work::ofProduct(u.rows(), u.rows(), u.rows()));
    ++m_lastProducts;
    return true;
}

/// Conjugate gradients on (λ I + R H R) y = right; image = H R y.
bool ConeNewton::solve(const Eigen::MatrixXd& right, Eigen::MatrixXd& solution, Eigen::MatrixXd& image) {
    solution.setZero(right.rows(), right.cols());
    image.setZero(right.rows(), right.cols());
    Eigen::MatrixXd residual = right;
    Eigen::MatrixXd ready = precondition(residual);
    Eigen::MatrixXd direction = ready;
    Eigen::MatrixXd part;
    double measure = dot(residual, ready);
    const double enough = kResidual * right.norm();
    const double perProduct = m_curvature.workOfProduct(m_curvature.between());
    m_lastProducts = 0;
    while (m_lastProducts < kMostProducts && residual.norm() > enough && measure > 0) {
        if (!m_isFresh && static_cast<double>(m_lastProducts) * perProduct >= workOfPreconditioner()) {
            if (!setPreconditioner()) {
                return false;
            }
            ready = precondition(residual);
            direction = ready;
            measure = dot(residual, ready);
        }
        if (!multiply(direction, part)) {
            return false;
        }
        const Eigen::MatrixXd product = m_lambda * direction + (m_cone.roots() * part.array()).matrix();
        const double curvature = dot(direction, product);
        if (!(curvature > 0) || !std::isfinite(curvature)) {
            break; // rounding has the last word
        }
        const double length = measure / curvature;
        solution += length * direction;
        image += length * part;
        residual -= length * product;
        ready = precondition(residual);
        const double next = dot(residual, ready);
        direction = ready + (next / measure) * direction;
        measure = next;
    }
    return true;
}

StepOutcome ConeNewton::search(const Eigen::MatrixXd& change, const ReducedState& state, MetricPoint& found,
                               ReducedState& foundState) {
    ConeProjection trial;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings) {
        const Eigen::MatrixXd z = m_z + std::ldexp(1.0, -halvings) * change;
        count(work::ofEigen(z.rows()));
        if (!trial.compute(z, 1, m_objective.stopCheck())) {
            return m_objective.stopCheck().isStopped() ? StepOutcome::Stopped : StepOutcome::Stalled;
        }
        if (!m_objective.evaluate(trial.point(), foundState)) {
            return StepOutcome::Stopped;
        }
        if (std::isfinite(foundState.value) && foundState.value <= state.value + kRoom * std::abs(state.value)) {
            found = trial.point();
            m_z = z;
            std::swap(m_cone, trial);
            m_isKnown = true;
            return StepOutcome::Advanced;
        }
    }
    return StepOutcome::Stalled;
}

StepOutcome ConeNewton::step(const MetricPoint& point, const ReducedState& state, MetricPoint& found,
                             ReducedState& foundState) {
    Eigen::MatrixXd change;
    {
        const CpuCharge charge(m_objective.ledger().evaluate);
        StopCheck& stopCheck = m_objective.stopCheck();
        const ProductLists* lists = m_objective.engine().productLists();
        if (!setOrigin(point, state)) {
            return stopCheck.isStopped() ? StepOutcome::Stopped : StepOutcome::Stalled;
        }
        if (!m_curvature.set(*lists, point, m_objective.smoothing, stopCheck)) {
            return StepOutcome::Stopped;
        }
        countVisit(m_curvature.workOfSet(ListSize::of(*lists)), lists->entries());
        m_between = m_curvature.between().entries;
        m_isFresh = false;
        if (m_basis.size() == 0 && !setPreconditioner()) {
            m_basis.resize(0, 0);
            return stopCheck.isStopped() ? StepOutcome::Stopped : StepOutcome::Stalled;
        }
        // F = Z − Σ α H/λ = Z − M + ∇f/λ.
        const Eigen::MatrixXd& u = m_cone.vectors();
        const Eigen::MatrixXd error = m_z - point.matrix + state.gradient / m_lambda;
        const Eigen::MatrixXd turned = u.transpose() * error * u;
        Eigen::MatrixXd solution;
        Eigen::MatrixXd image;
        if (!solve(-m_lambda * (m_cone.roots() * turned.array()).matrix(), solution, image)) {
            m_basis.resize(0, 0);
            return stopCheck.isStopped() ? StepOutcome::Stopped : StepOutcome::Stalled;
        }
        // ΔZ = −F − H R y/λ; where R is not zero y/R is the same, and does not amplify the residual by H/λ.
        const Eigen::ArrayXXd& roots = m_cone.roots();
        const Eigen::ArrayXXd divided = solution.array() / (roots > 0).select(roots, 1.0);
        const Eigen::MatrixXd way = (roots > 0).select(divided, -(turned + image / m_lambda).array());
        change = u * way * u.transpose();
        change = (0.5 * (change + change.transpose())).eval();
    }
    m_isKnown = false;
    return change.allFinite() ? search(change, state, found, foundState) : StepOutcome::Stalled;
}

} // namespace lambdascope::triplets
