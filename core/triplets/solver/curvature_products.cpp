// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/curvature_products.h"

#include "core/numeric/symmetric_products.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// Iterations of conjugate gradients in all, the share of the first residual that ends them, and how often what left
/// the box is held and the rest solved anew.
constexpr int kMostIterations = 60;
constexpr double kResidualShare = 0.2;
constexpr int kRounds = 2;
/// The same of the preconditioner's system.
constexpr int kMostOfMean = 200;
constexpr double kMeanShare = 0.1;
/// Iterations that a solution takes at a guess.
constexpr double kExpectedIterations = 12;
/// So many pairs cost less one by one than a product of matrices: over n².
constexpr double kSparse = 1.0 / 64;
/// Columns of a product of matrices that a thread makes at a time.
constexpr Eigen::Index kPanel = 128;

double ofMatrices(double objects, double rank) {
    constexpr double kFlop = 0.028; // of large products, in nanoseconds (counted_work.cpp has those of small ones)
    return 2 * kFlop * objects * objects * rank;
}

} // namespace

double CurvatureProducts::workOfSolution(std::int64_t objects, std::int64_t rank) {
    return std::round(kExpectedIterations * 4 *
                      ofMatrices(static_cast<double>(objects), static_cast<double>(std::max<std::int64_t>(rank, 1))));
}

void CurvatureProducts::set(const WorkingSet& set, const ConeProjection& cone, std::span<const std::size_t> free) {
    const PairTable& table = set.table();
    const Eigen::Index n = table.features();
    const Eigen::Index r = cone.rank();
    m_smoothing = set.smoothing();
    m_vectors = cone.vectors();
    m_mean = cone.roots().square().mean() / set.lambda();
    m_scales = cone.roots().rightCols(r).square().matrix() / set.lambda();
    m_scales.bottomRows(r) *= 0.5;
    std::vector<std::size_t> place(static_cast<std::size_t>(table.pairs()), 0); // from 1; 0 for none
    m_rows.clear();
    const auto placeOf = [&](PairIndex p) {
        std::size_t& known = place[static_cast<std::size_t>(p)];
        if (known == 0) {
            m_rows.push_back(table.rowsOf(p));
            known = m_rows.size();
        }
        return known - 1;
    };
    m_far.resize(free.size());
    m_near.resize(free.size());
    m_roots.resize(static_cast<Eigen::Index>(free.size()));
    for (std::size_t t = 0; t < free.size(); ++t) {
        const PairedTriplet& triplet = set.near()[free[t]];
        m_far[t] = placeOf(triplet.other);
        m_near[t] = placeOf(triplet.same);
        m_roots[static_cast<Eigen::Index>(t)] = std::sqrt(set.weight(free[t]));
    }
    m_values.resize(m_rows.size());
    m_image.resize(n, r);
    m_middle.resize(n, r);
    m_work += work::ofNumbers(n * r) + work::ofListed(std::ssize(m_far));
}

bool CurvatureProducts::isSparse() const {
    const auto n = static_cast<double>(m_vectors.rows());
    return static_cast<double>(m_rows.size()) < kSparse * n * n;
}

/// Weights of pairs: the sums of ± √w x over their triplets.
void CurvatureProducts::setPairValues(const Eigen::VectorXd& x) {
    std::fill(m_values.begin(), m_values.end(), 0.0);
    for (std::size_t t = 0; t < m_far.size(); ++t) {
        const double weight = m_roots[static_cast<Eigen::Index>(t)] * x[static_cast<Eigen::Index>(t)];
        m_values[m_far[t]] += weight;
        m_values[m_near[t]] -= weight;
    }
}

/// D of the weights at hand, where it is wanted.
void CurvatureProducts::setSums() {
    if (isSparse()) {
        return;
    }
    m_sum.setZero(m_vectors.rows(), m_vectors.rows());
    for (std::size_t p = 0; p < m_rows.size(); ++p) {
        const auto [a, b] = m_rows[p];
        m_sum(a, a) += m_values[p];
        m_sum(b, b) += m_values[p];
        m_sum(a, b) -= m_values[p];
        m_sum(b, a) -= m_values[p];
    }
}

/// make(begin, count) for panels of so many columns, `work` in all.
template <class Make>
bool CurvatureProducts::inPanels(Eigen::Index columns, double work, StopCheck& stopCheck, const Make& make) {
    m_work += std::round(work);
    const Eigen::Index panels = (columns + kPanel - 1) / kPanel;
    const auto body = [&](std::int64_t panel, std::size_t) {
        make(panel * kPanel, std::min(kPanel, columns - panel * kPanel));
    };
    const auto each = static_cast<std::int64_t>(work / static_cast<double>(std::max<Eigen::Index>(panels, 1)));
    return m_team.forEachBlock(panels, body, [&] { return stopCheck.spend(each); }) && !stopCheck.isStopped();
}

/// Z of the weights at hand, and Z U₊ᵀ where it is wanted.
bool CurvatureProducts::project(StopCheck& stopCheck) {
    const Eigen::Index n = m_vectors.rows();
    const Eigen::Index r = m_image.cols();
    const auto positive = m_vectors.rightCols(r);
    const double work = ofMatrices(static_cast<double>(n), static_cast<double>(r));
    if (isSparse()) { // by columns, each of which stays where it is while all pairs pass
        const double ofPairs = 0.5 * static_cast<double>(m_rows.size()) * static_cast<double>(r);
        const bool done = inPanels(r, ofPairs, stopCheck, [&](Eigen::Index begin, Eigen::Index count) {
            for (Eigen::Index c = begin; c < begin + count; ++c) {
                const double* u = positive.col(c).data();
                double* to = m_image.col(c).data();
                std::fill_n(to, n, 0.0);
                for (std::size_t p = 0; p < m_rows.size(); ++p) {
                    const auto [a, b] = m_rows[p];
                    const double term = m_values[p] * (u[a] - u[b]);
                    to[a] += term;
                    to[b] -= term;
                }
            }
        });
        if (!done) {
            return false;
        }
    } else if (!inPanels(r, work, stopCheck, [&](Eigen::Index begin, Eigen::Index count) {
                   setProduct(m_sum, Transposed::No, positive.middleCols(begin, count), Transposed::No,
                              m_image.middleCols(begin, count));
               })) {
        return false;
    }
    if (!inPanels(r, work, stopCheck, [&](Eigen::Index begin, Eigen::Index count) {
            setProduct(m_vectors, Transposed::Yes, m_image.middleCols(begin, count), Transposed::No,
                       m_middle.middleCols(begin, count));
            m_middle.middleCols(begin, count).array() *= m_scales.middleCols(begin, count).array();
        })) {
        return false;
    }
    if (!inPanels(r, work, stopCheck, [&](Eigen::Index begin, Eigen::Index count) {
            setProduct(m_vectors, Transposed::No, m_middle.middleCols(begin, count), Transposed::No,
                       m_image.middleCols(begin, count));
        })) {
        return false;
    }
    return isSparse() || inPanels(n, work, stopCheck, [&](Eigen::Index begin, Eigen::Index count) {
               setProduct(m_image, Transposed::No, positive.middleRows(begin, count), Transposed::Yes,
                          m_sum.middleCols(begin, count));
           });
}

/// δᵀ(Z U₊ᵀ + U₊ Zᵀ)δ of each pair.
void CurvatureProducts::takeForms() {
    if (!isSparse()) {
        for (std::size_t p = 0; p < m_rows.size(); ++p) {
            const auto [a, b] = m_rows[p];
            m_values[p] = 2 * (m_sum(a, a) + m_sum(b, b) - m_sum(a, b) - m_sum(b, a));
        }
        return;
    }
    std::fill(m_values.begin(), m_values.end(), 0.0);
    for (Eigen::Index c = 0; c < m_image.cols(); ++c) {
        const double* z = m_image.col(c).data();
        const double* u = m_vectors.col(m_vectors.cols() - m_image.cols() + c).data();
        for (std::size_t p = 0; p < m_rows.size(); ++p) {
            const auto [a, b] = m_rows[p];
            m_values[p] += 2 * (z[a] - z[b]) * (u[a] - u[b]);
        }
    }
    m_work += std::round(0.5 * static_cast<double>(m_rows.size()) * static_cast<double>(m_image.cols()));
}

bool CurvatureProducts::multiply(const Eigen::VectorXd& x, StopCheck& stopCheck, Eigen::VectorXd& image) {
    ++m_products;
    setPairValues(x);
    setSums();
    if (!project(stopCheck)) {
        return false;
    }
    takeForms();
    image.resize(x.size());
    for (std::size_t t = 0; t < m_far.size(); ++t) {
        const auto at = static_cast<Eigen::Index>(t);
        image[at] = m_smoothing * x[at] + m_roots[at] * (m_values[m_far[t]] - m_values[m_near[t]]);
    }
    return true;
}

void CurvatureProducts::multiplyByMean(const Eigen::VectorXd& x, Eigen::VectorXd& image) {
    setPairValues(x);
    m_sums.assign(static_cast<std::size_t>(m_vectors.rows()), 0.0);
    for (std::size_t p = 0; p < m_rows.size(); ++p) {
        m_sums[static_cast<std::size_t>(m_rows[p].a)] += m_values[p];
        m_sums[static_cast<std::size_t>(m_rows[p].b)] += m_values[p];
    }
    for (std::size_t p = 0; p < m_rows.size(); ++p) { // δᵀDδ = D_aa + D_bb − 2 D_ab, and D_ab = −(the pair's weight)
        const auto [a, b] = m_rows[p];
        m_values[p] = m_sums[static_cast<std::size_t>(a)] + m_sums[static_cast<std::size_t>(b)] + 2 * m_values[p];
    }
    image.resize(x.size());
    for (std::size_t t = 0; t < m_far.size(); ++t) {
        const auto at = static_cast<Eigen::Index>(t);
        image[at] = m_smoothing * x[at] + m_mean * m_roots[at] * (m_values[m_far[t]] - m_values[m_near[t]]);
    }
}

/// About the solution of the system with the mean of Ω over what is free, `residual` being 0 elsewhere.
bool CurvatureProducts::precondition(const Eigen::ArrayXd& isFree, const Eigen::VectorXd& residual,
                                     StopCheck& stopCheck, Eigen::VectorXd& solution) {
    solution = Eigen::VectorXd::Zero(residual.size());
    Eigen::VectorXd rest = residual;
    Eigen::VectorXd direction = residual;
    Eigen::VectorXd image;
    double squares = rest.squaredNorm();
    const double enough = kMeanShare * kMeanShare * squares;
    const double work = 2 * work::ofListed(rest.size()) + work::ofNumbers(6 * rest.size());
    for (int iteration = 0; iteration < kMostOfMean && squares > enough; ++iteration) {
        multiplyByMean(direction, image);
        m_work += work;
        const double share = squares / direction.dot(image);
        if (stopCheck.spend(static_cast<std::int64_t>(work)) || !std::isfinite(share)) {
            break;
        }
        solution += share * direction;
        rest -= share * (image.array() * isFree).matrix();
        const double next = rest.squaredNorm();
        direction = rest + next / squares * direction;
        squares = next;
    }
    return !stopCheck.isStopped();
}

/// Conjugate gradients over what is free, from x on; `rest` is ascent − (s I + B Bᵀ) x, and stays so. The
/// preconditioner is not the same at each iteration, so that directions are made conjugate to the last one by what the
/// residual changed [Golub and Ye 1999].
bool CurvatureProducts::solveFree(const Eigen::ArrayXd& isFree, StopCheck& stopCheck, Eigen::VectorXd& x,
                                  Eigen::VectorXd& rest) {
    Eigen::VectorXd residual = rest.array() * isFree;
    Eigen::VectorXd better;
    if (!precondition(isFree, residual, stopCheck, better)) {
        return false;
    }
    Eigen::VectorXd direction = better;
    Eigen::VectorXd image;
    double product = residual.dot(better);
    const double enough = kResidualShare * kResidualShare * residual.squaredNorm();
    for (int iteration = 0; iteration < kMostIterations && residual.squaredNorm() > enough; ++iteration) {
        if (!multiply(direction, stopCheck, image)) {
            return false;
        }
        const double share = product / direction.dot(image);
        if (!std::isfinite(share)) {
            return true;
        }
        x += share * direction;
        rest -= share * image;
        const Eigen::VectorXd before = residual;
        residual = rest.array() * isFree;
        if (!precondition(isFree, residual, stopCheck, better)) {
            return false;
        }
        direction = better + better.dot(residual - before) / product * direction;
        product = residual.dot(better);
    }
    return true;
}

bool CurvatureProducts::solve(const Eigen::VectorXd& ascent, const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                              StopCheck& stopCheck, Eigen::VectorXd& step) {
    step = Eigen::VectorXd::Zero(ascent.size());
    Eigen::VectorXd rest = ascent;
    Eigen::ArrayXd isFree = Eigen::ArrayXd::Ones(ascent.size());
    for (int round = 0; round < kRounds; ++round) {
        if (!solveFree(isFree, stopCheck, step, rest)) {
            return false;
        }
        const Eigen::VectorXd inside = step.cwiseMax(low).cwiseMin(high);
        const Eigen::VectorXd cut = inside - step;
        if (cut.isZero(0) || round + 1 == kRounds) {
            break;
        }
        isFree = (cut.array() != 0).select(0.0, isFree);
        Eigen::VectorXd image;
        if (!multiply(cut, stopCheck, image)) {
            return false;
        }
        step = inside;
        rest -= image;
    }
    step = step.cwiseMax(low).cwiseMin(high);
    return true;
}

} // namespace lambdascope::triplets
