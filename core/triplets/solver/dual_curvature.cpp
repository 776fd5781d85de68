// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/dual_curvature.h"

#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/symmetric_products.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace lambdascope::triplets {

namespace {

/// Numbers that B may hold: 256 MB.
constexpr std::int64_t kMostNumbers = 32'000'000;
/// Rows of a Cholesky factor, beyond which steps of projected gradient are the better use of time.
constexpr std::int64_t kLargestFactor = 2200;
/// Rows or columns of B that are multiplied between two questions whether to stop.
constexpr Eigen::Index kDepthPerBlock = 256;

/// Systems solved for one step at most, and how often in a row the errors may grow before one is mended at a time.
constexpr int kRounds = 20;
constexpr int kExchangePatience = 3;

} // namespace

bool DualCurvature::holds(std::int64_t triplets, std::int64_t freedom) {
    return triplets * freedom <= kMostNumbers && std::min(triplets, freedom) <= kLargestFactor;
}

double DualCurvature::workOf(const PairTable& table, std::int64_t free, std::int64_t rank, std::int64_t freedom) {
    if (!holds(free, freedom) && table.isIdentity()) {
        return CurvatureProducts::workOfSolution(table.features(), rank);
    }
    const std::int64_t size = std::min(free, freedom);
    return work::ofSystemRows(free, freedom) + 3 * work::ofNumbers(free * freedom) +
           work::ofSquare(std::max(free, freedom), size) + work::ofFactor(size);
}

DualCurvature::Outcome DualCurvature::set(const WorkingSet& set, const ConeProjection& cone,
                                          std::span<const std::size_t> free, StopCheck& stopCheck) {
    const auto m = static_cast<std::int64_t>(free.size());
    const std::int64_t n = cone.freedom();
    m_isByProducts = !holds(m, n) && set.table().isIdentity();
    if (m_isByProducts) {
        m_products.set(set, cone, free);
        return Outcome::Done;
    }
    if (!holds(m, n)) {
        return Outcome::TooLarge;
    }
    m_smoothing = set.smoothing();
    m_byColumns = n < m;
    setRows(set, cone, free);
    const auto size = static_cast<Eigen::Index>(std::min(m, n));
    m_normal = m_smoothing * Eigen::MatrixXd::Identity(size, size);
    return addProducts(m_rows, 1, m_normal, stopCheck) ? Outcome::Done : Outcome::Stopped;
}

/// Adds sign · B Bᵀ or BᵀB of these rows of B, in blocks, so that a stop is heard.
bool DualCurvature::addProducts(const RowBlock& rows, double sign, Eigen::MatrixXd& normal, StopCheck& stopCheck) {
    const Eigen::Index size = normal.rows();
    const Eigen::Index depth = m_byColumns ? rows.rows() : rows.cols();
    for (Eigen::Index begin = 0; begin < depth; begin += kDepthPerBlock) {
        const Eigen::Index count = std::min(kDepthPerBlock, depth - begin);
        if (m_byColumns) {
            addColumnProducts(rows.middleRows(begin, count), sign, normal, &m_team);
        } else {
            addRowProducts(RowBlock(rows.middleCols(begin, count)), sign, normal, &m_team);
        }
        if (spend(work::ofSquare(count, size), stopCheck)) {
            return false;
        }
    }
    return true;
}

bool DualCurvature::spend(double work, StopCheck& stopCheck) {
    m_work += work;
    return stopCheck.spend(static_cast<std::int64_t>(work)); // about an operation a nanosecond
}

void DualCurvature::setRows(const WorkingSet& set, const ConeProjection& cone, std::span<const std::size_t> free) {
    const PairTable& table = set.table();
    const Eigen::Index d = table.features();
    m_rows.resize(static_cast<Eigen::Index>(free.size()), cone.freedom());
    m_work += work::ofSystemRows(m_rows.rows(), m_rows.cols());
    if (!cone.isOfColumn()) {
        m_work += table.isIdentity() ? 0 : work::ofProduct(table.rows(), d, d);
        m_image = table.timesRows(cone.vectors());
        m_scales = (std::sqrt(2 / set.lambda()) * cone.roots()).matrix();
        m_scales.diagonal() /= std::numbers::sqrt2;
    }
    const DenseRows& image = cone.isOfColumn() ? table.paddedRows() : m_image;
    const auto difference = [&](PairIndex p) {
        const RowPair rows = table.rowsOf(p);
        return (image.row(rows.a) - image.row(rows.b)).head(d).transpose();
    };
    for (std::size_t t = 0; t < free.size(); ++t) {
        const PairedTriplet& triplet = set.near()[free[t]];
        m_a = difference(triplet.other);
        m_b = difference(triplet.same);
        const double root = std::sqrt(set.weight(free[t]));
        auto row = m_rows.row(static_cast<Eigen::Index>(t));
        Eigen::Index at = 0;
        if (cone.isOfColumn()) {
            for (Eigen::Index k = 0; k < d; ++k) {
                if (cone.roots()(k, 0) > 0) {
                    row[at++] = root * (m_a[k] * m_a[k] - m_b[k] * m_b[k]) / std::sqrt(set.lambda());
                }
            }
            continue;
        }
        for (Eigen::Index j = d - cone.rank(); j < d; ++j) { // eigenvalues rise: the positive ones are the last
            row.segment(at, j + 1) = root * ((m_a[j] * m_a.head(j + 1) - m_b[j] * m_b.head(j + 1)).array() *
                                             m_scales.col(j).head(j + 1).array())
                                                .transpose();
            at += j + 1;
        }
    }
}

/// (s I + B Bᵀ) x.
Eigen::VectorXd DualCurvature::product(const Eigen::VectorXd& x) {
    m_work += work::ofNumbers(m_byColumns ? 2 * m_rows.size() : m_normal.size());
    if (m_byColumns) {
        return m_smoothing * x + m_rows * (m_rows.transpose() * x);
    }
    Eigen::VectorXd product(x.size());
    multiplySymmetric(m_normal, x, product);
    return product;
}

/// x over `free`, the others being held: (s I + B Bᵀ)_FF x_F = (ascent − B Bᵀ x_held)_F.
bool DualCurvature::solveFree(const Eigen::VectorXd& ascent, const std::vector<Eigen::Index>& free,
                              StopCheck& stopCheck, Eigen::VectorXd& x) {
    x(free).setZero();
    Eigen::VectorXd left = ascent(free);
    if (!x.isZero(0)) {
        left -= product(x)(free);
    }
    m_factor = m_byColumns ? m_normal : m_normal(free, free); // positions rise: the lower triangle stays below
    m_work += work::ofFactor(m_factor.rows()) + work::ofNumbers(m_factor.size());
    switch (choleskyInPlace(m_factor, stopCheck, &m_team)) {
    case CholeskyOutcome::Stopped: return false;
    case CholeskyOutcome::NotPositive: x.setConstant(std::numeric_limits<double>::quiet_NaN()); return true;
    case CholeskyOutcome::Done: break;
    }
    if (m_byColumns) { // (s I + B Bᵀ)⁻¹ = (I − B (s I + BᵀB)⁻¹ Bᵀ)/s
        Eigen::VectorXd padded = Eigen::VectorXd::Zero(x.size());
        padded(free) = left;
        m_work += work::ofNumbers(2 * m_rows.size());
        Eigen::VectorXd image = m_rows.transpose() * padded;
        solveByCholesky(m_factor, image);
        padded = m_rows * image;
        left = (left - padded(free)) / m_smoothing;
    } else {
        solveByCholesky(m_factor, left);
    }
    x(free) = left;
    return true;
}

/// Block principal pivoting: solve for what is free, hold what left the box, free what pulls away from its edge, all
/// at once as long as that makes the list of such errors shorter now and then, else the last one only.
bool DualCurvature::solve(const Eigen::VectorXd& ascent, const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                          StopCheck& stopCheck, Eigen::VectorXd& step) {
    if (m_isByProducts) {
        return m_products.solve(ascent, low, high, stopCheck, step);
    }
    const Eigen::Index m = ascent.size();
    std::vector<bool> isHeld(static_cast<std::size_t>(m), false);
    std::vector<Eigen::Index> free;
    std::vector<Eigen::Index> wrong;
    std::size_t fewest = isHeld.size() + 1;
    int patience = kExchangePatience;
    step = Eigen::VectorXd::Zero(m);
    for (int round = 0; round < kRounds; ++round) {
        free.clear();
        for (Eigen::Index t = 0; t < m; ++t) {
            if (!isHeld[static_cast<std::size_t>(t)]) {
                free.push_back(t);
            }
        }
        if (!solveFree(ascent, free, stopCheck, step)) {
            return false;
        }
        if (!step.allFinite()) {
            return true; // not solvable in floating point: the caller sees it
        }
        const Eigen::VectorXd rest = ascent - product(step);
        wrong.clear();
        for (Eigen::Index t = 0; t < m; ++t) {
            const bool isOut = step[t] < low[t] || step[t] > high[t];
            const bool pullsIn = isHeld[static_cast<std::size_t>(t)] && (step[t] == low[t] ? rest[t] > 0 : rest[t] < 0);
            if (isOut || pullsIn) {
                wrong.push_back(t);
            }
        }
        if (wrong.empty()) {
            break;
        }
        if (wrong.size() < fewest) {
            fewest = wrong.size();
            patience = kExchangePatience;
        } else if (--patience < 0) {
            wrong.erase(wrong.begin(), wrong.end() - 1);
        }
        if (!exchange(wrong, low, high, isHeld, stopCheck, step)) {
            return false;
        }
    }
    step = step.cwiseMax(low).cwiseMin(high);
    return true;
}

/// Holds what is free of `wrong`, and frees what is held.
bool DualCurvature::exchange(const std::vector<Eigen::Index>& wrong, const Eigen::VectorXd& low,
                             const Eigen::VectorXd& high, std::vector<bool>& isHeld, StopCheck& stopCheck,
                             Eigen::VectorXd& step) {
    std::vector<Eigen::Index> freed;
    std::vector<Eigen::Index> held;
    for (const Eigen::Index t : wrong) {
        const bool wasHeld = isHeld[static_cast<std::size_t>(t)];
        (wasHeld ? freed : held).push_back(t);
        isHeld[static_cast<std::size_t>(t)] = !wasHeld;
        step[t] = wasHeld ? 0 : std::clamp(step[t], low[t], high[t]);
    }
    return !m_byColumns || (addProducts(m_rows(freed, Eigen::all), 1, m_normal, stopCheck) &&
                            addProducts(m_rows(held, Eigen::all), -1, m_normal, stopCheck));
}

} // namespace lambdascope::triplets
