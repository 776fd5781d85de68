// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/polled_eigen.h"

#include "core/numeric/symmetric_products.h"

#include <Eigen/Householder>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace lambdascope {

namespace {

/// Up to here the whole decomposition takes a tenth of a second at most.
constexpr Eigen::Index kSmall = 800;

/// A rotation of columns i and i + 1.
struct Rotation {
    Eigen::Index i = 0;
    double c = 1;
    double s = 0;
};

class Tridiagonalization {
  public:
    Tridiagonalization(Eigen::MatrixXd matrix, WorkPoll& poll)
        : m_a(std::move(matrix)), m_n(m_a.rows()), m_factors(Eigen::VectorXd::Zero(m_n)), m_poll(poll) {}

    /// A = Q T Qᵀ with T's diagonal and what is below it; the reflections stay below the diagonal of A.
    bool reduce(Eigen::VectorXd& diagonal, Eigen::VectorXd& below) {
        Eigen::VectorXd w;
        for (Eigen::Index k = 0; k + 1 < m_n; ++k) {
            const Eigen::Index left = m_n - k - 1;
            if (m_poll.spend(4 * left * left)) {
                return false;
            }
            double factor = 0;
            double beta = 0;
            m_a.col(k).tail(left).makeHouseholderInPlace(factor, beta);
            below(k) = beta;
            m_factors(k) = factor;
            m_a(k + 1, k) = 1;
            const auto v = m_a.col(k).tail(left);
            auto rest = m_a.bottomRightCorner(left, left);
            // H A H = A − v wᵀ − w vᵀ, w = τ A v − ½ τ² (vᵀA v) v.
            const Eigen::VectorXd scaled = factor * v;
            multiplySymmetric(rest, scaled, w);
            w -= (0.5 * factor * w.dot(v)) * v;
            rest.selfadjointView<Eigen::Lower>().rankUpdate(v, w, -1);
        }
        diagonal = m_a.diagonal();
        return true;
    }

    /// Q = H₀ H₁ …, by blocks of reflections from the last to the first.
    bool accumulate(Eigen::MatrixXd& q) {
        constexpr Eigen::Index kBlock = 32;
        q.setIdentity(m_n, m_n);
        for (Eigen::Index at = (m_n - 2) / kBlock * kBlock; at >= 0; at -= kBlock) {
            const Eigen::Index size = std::min(kBlock, m_n - 1 - at);
            const Eigen::Index left = m_n - at - 1;
            Eigen::MatrixXd v = m_a.block(at + 1, at, left, size);
            v.triangularView<Eigen::StrictlyUpper>().setZero();
            // H₀ … = I − V T Vᵀ with T upper triangular.
            const Eigen::MatrixXd products = v.transpose() * v;
            Eigen::MatrixXd t = Eigen::MatrixXd::Zero(size, size);
            for (Eigen::Index j = 0; j < size; ++j) {
                const double factor = m_factors(at + j);
                t.col(j).head(j) = -factor * (t.topLeftCorner(j, j) * products.col(j).head(j));
                t(j, j) = factor;
            }
            for (Eigen::Index column = 0; column < left; column += kColumns) {
                const Eigen::Index width = std::min(kColumns, left - column);
                if (m_poll.spend(4 * left * size * width / 8)) {
                    return false;
                }
                auto part = q.block(at + 1, at + 1 + column, left, width);
                part.noalias() -= v * (t * (v.transpose() * part)).eval();
            }
        }
        return true;
    }

  private:
    static constexpr Eigen::Index kColumns = 256;

    Eigen::MatrixXd m_a;
    Eigen::Index m_n;
    Eigen::VectorXd m_factors;
    WorkPoll& m_poll;
};

/// Implicit QL steps on a tridiagonal matrix, whose rotations turn the columns of V, unless that is empty.
class QlIteration {
  public:
    QlIteration(Eigen::VectorXd& diagonal, Eigen::VectorXd& below, Eigen::MatrixXd& vectors, WorkPoll& poll)
        : m_d(diagonal), m_e(below), m_vectors(vectors), m_poll(poll),
          m_negligible(std::numeric_limits<double>::epsilon() *
                       std::max(diagonal.cwiseAbs().maxCoeff(), below.cwiseAbs().maxCoeff())) {}

    bool run() {
        const Eigen::Index n = m_d.size();
        Eigen::Index sweeps = 0;
        for (Eigen::Index l = 0; l < n; ++l) {
            for (Eigen::Index m = blockEnd(l); m != l; m = blockEnd(l)) {
                if (++sweeps > kMostSweeps * n || m_poll.spend(30 * (m - l))) {
                    return false;
                }
                turn(l, m);
                if (static_cast<Eigen::Index>(m_rotations.size()) >= kSaved * n && !flush()) {
                    return false;
                }
            }
        }
        return flush();
    }

  private:
    static constexpr Eigen::Index kMostSweeps = 30; ///< per eigenvalue on average; a single one may need over 60
    static constexpr Eigen::Index kSaved = 48;      ///< sweeps saved up, about
    static constexpr int kRows = 32;                ///< of V turned at once, a multiple of 8

    /// The end of the unreduced block that begins at l. What is rounding beside the whole matrix counts as nothing, as
    /// in all bounds that build on this. Beside its neighbours alone, the remains of a matrix of low rank or of falling
    /// eigenvalues take up to a third more steps.
    [[nodiscard]] Eigen::Index blockEnd(Eigen::Index l) const {
        Eigen::Index m = l;
        while (m + 1 < m_d.size() && std::abs(m_e(m)) > m_negligible) {
            ++m;
        }
        return m;
    }

    /// One step with Wilkinson's shift on the block l … m.
    void turn(Eigen::Index l, Eigen::Index m) {
        double g = (m_d(l + 1) - m_d(l)) / (2 * m_e(l));
        g = m_d(m) - m_d(l) + m_e(l) / (g + std::copysign(std::hypot(g, 1.0), g));
        double s = 1;
        double c = 1;
        double p = 0;
        for (Eigen::Index i = m - 1; i >= l; --i) {
            const double f = s * m_e(i);
            const double b = c * m_e(i);
            const double r = std::hypot(f, g);
            m_e(i + 1) = r;
            if (r == 0) { // the block has come apart
                m_d(i + 1) -= p;
                m_e(m) = 0;
                return;
            }
            s = f / r;
            c = g / r;
            g = m_d(i + 1) - p;
            const double t = (m_d(i) - g) * s + 2 * c * b;
            p = s * t;
            m_d(i + 1) = g + p;
            g = c * t - b;
            if (m_vectors.size() > 0) {
                m_rotations.push_back({i, c, s});
            }
        }
        m_d(l) -= p;
        m_e(l) = g;
        m_e(m) = 0;
    }

    /// Turns the columns of V by what was saved up, some rows at a time, which fit the cache.
    bool flush() {
        const Eigen::Index n = m_vectors.rows();
        Eigen::Matrix<double, kRows, Eigen::Dynamic> rows(kRows, m_vectors.cols());
        rows.setZero();
        for (Eigen::Index at = 0; at < n; at += kRows) {
            if (m_poll.spend(static_cast<std::int64_t>(m_rotations.size()) * kRows)) {
                return false;
            }
            const Eigen::Index count = std::min<Eigen::Index>(kRows, n - at);
            rows.topRows(count) = m_vectors.middleRows(at, count);
            turnColumns(rows);
            m_vectors.middleRows(at, count) = rows.topRows(count);
        }
        m_rotations.clear();
        return true;
    }

    void turnColumns(Eigen::Matrix<double, kRows, Eigen::Dynamic>& rows) const {
        // Rotations of a step follow each other from the right to the left; the column between two stays at hand.
        // In variables of the width of a register: the compiler does not find those in loops over memory.
        using Lane = double __attribute__((vector_size(64), aligned(8), may_alias));
        constexpr int kLanes = kRows / 8;
        Lane held[kLanes];
        const auto at = [&rows](Eigen::Index column) { return reinterpret_cast<Lane*>(rows.data() + kRows * column); };
        const auto keep = [&](Eigen::Index column) {
            for (int lane = 0; lane < kLanes; ++lane) {
                at(column)[lane] = held[lane];
            }
        };
        const auto take = [&](Eigen::Index column) {
            for (int lane = 0; lane < kLanes; ++lane) {
                held[lane] = at(column)[lane];
            }
        };
        take(0);
        Eigen::Index heldColumn = 0;
        for (const Rotation& rotation : m_rotations) {
            if (rotation.i + 1 != heldColumn) {
                keep(heldColumn);
                heldColumn = rotation.i + 1;
                take(heldColumn);
            }
            Lane* const left = at(rotation.i);
            Lane* const right = at(rotation.i + 1);
            for (int lane = 0; lane < kLanes; ++lane) {
                const Lane first = left[lane];
                right[lane] = rotation.s * first + rotation.c * held[lane];
                held[lane] = rotation.c * first - rotation.s * held[lane];
            }
            heldColumn = rotation.i;
        }
        keep(heldColumn);
    }

    Eigen::VectorXd& m_d;
    Eigen::VectorXd& m_e;
    Eigen::MatrixXd& m_vectors;
    WorkPoll& m_poll;
    std::vector<Rotation> m_rotations;
    const double m_negligible;
};

} // namespace

EigenSystem polledEigenSystem(const Eigen::MatrixXd& a, WorkPoll& poll, bool withVectors) {
    if (a.rows() > kSmall) {
        return tridiagonalEigenSystem(a, poll, withVectors);
    }
    const Eigen::Index n = a.rows();
    return poll.spend(n * n * n * (withVectors ? 9 : 2) / 4) ? EigenSystem{} : symmetricEigenSystem(a, withVectors);
}

EigenSystem tridiagonalEigenSystem(const Eigen::MatrixXd& a, WorkPoll& poll, bool withVectors) {
    const Eigen::Index n = a.rows();
    EigenSystem system;
    Eigen::MatrixXd lower = a.triangularView<Eigen::Lower>();
    if (n == 0 || !lower.allFinite()) {
        return system;
    }
    // Scaled to entries of at most 1, so that squares neither overflow nor vanish.
    const double largest = lower.cwiseAbs().maxCoeff();
    const double scale = largest > 0 ? largest : 1;
    lower /= scale;
    Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd below = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd vectors;
    Tridiagonalization form(std::move(lower), poll);
    if (poll.ask() || !form.reduce(diagonal, below) || (withVectors && !form.accumulate(vectors)) ||
        !QlIteration(diagonal, below, vectors, poll).run()) {
        return system;
    }
    poll.ask();
    std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) { return diagonal(i) < diagonal(j); });
    system.values.resize(n);
    system.vectors.resize(vectors.rows(), vectors.cols());
    for (Eigen::Index column = 0; column < n; ++column) {
        const Eigen::Index from = order[static_cast<std::size_t>(column)];
        system.values(column) = scale * diagonal(from);
        if (withVectors) {
            system.vectors.col(column) = vectors.col(from);
        }
    }
    system.succeeded = !poll.ask();
    return system;
}

PsdSplit polledSplitPsd(const Eigen::MatrixXd& a, WorkPoll& poll) {
    return polledSplitPsd(polledEigenSystem(a, poll), poll);
}

PsdSplit polledSplitPsd(const EigenSystem& system, WorkPoll& poll) {
    const Eigen::Index n = system.values.size();
    if (!system.succeeded || n <= kSmall) {
        return splitPsd(system);
    }
    PsdSplit split;
    const Eigen::Index rank = (system.values.array() > 0).count();
    const auto positive = system.values.tail(rank);
    split.factor = system.vectors.rightCols(rank) * positive.cwiseSqrt().asDiagonal();
    split.positive.setZero(n, n);
    poll.ask();
    constexpr Eigen::Index kColumns = 32;
    for (Eigen::Index at = 0; at < rank; at += kColumns) {
        const Eigen::Index width = std::min(kColumns, rank - at);
        if (poll.spend(n * n * width / 8)) {
            split.isFinite = false;
            return split;
        }
        split.positive.selfadjointView<Eigen::Lower>().rankUpdate(split.factor.middleCols(at, width));
    }
    split.positive.triangularView<Eigen::StrictlyUpper>() = split.positive.transpose();
    split.trace = positive.sum();
    split.error = eigenvalueError(system);
    split.positiveNorm = {positive.norm(), split.error};
    split.negativeNorm = {system.values.head(n - rank).norm(), split.error};
    return split;
}

} // namespace lambdascope
