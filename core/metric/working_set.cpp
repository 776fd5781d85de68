// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/working_set.h"

#include "core/common/clocks.h"

#include <cmath>
#include <numbers>

namespace lambdascope::metric {

namespace {

/// H as a row: its d entries, or its lower triangle with off-diagonal entries times √2, so that products are ⟨·, ·⟩.
Eigen::Index rowLength(const Eigen::MatrixXd& shape) {
    return isDiagonal(shape) ? shape.rows() : shape.rows() * (shape.rows() + 1) / 2;
}

Eigen::VectorXd toRow(const Eigen::MatrixXd& matrix) {
    if (isDiagonal(matrix)) {
        return matrix.col(0);
    }
    Eigen::VectorXd row(rowLength(matrix));
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        row[at++] = matrix(j, j);
        for (Eigen::Index i = j + 1; i < matrix.rows(); ++i) {
            row[at++] = std::numbers::sqrt2 * matrix(i, j);
        }
    }
    return row;
}

void fromRow(const Eigen::VectorXd& row, Eigen::MatrixXd& matrix) {
    if (isDiagonal(matrix)) {
        matrix.col(0) = row;
        return;
    }
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        matrix(j, j) = row[at++];
        for (Eigen::Index i = j + 1; i < matrix.rows(); ++i) {
            matrix(i, j) = row[at++] / std::numbers::sqrt2;
            matrix(j, i) = matrix(i, j);
        }
    }
}

/// Rows of H may take so many numbers.
constexpr std::int64_t kMostRowNumbers = 4'000'000;
/// Rows that are multiplied while they are in cache.
constexpr Eigen::Index kRowsAtOnce = 16;

} // namespace

WorkingSet::Outcome WorkingSet::collect(ReducedObjective& objective, const MetricPoint& point,
                                        const ReducedState& origin, double reach, std::size_t limit) {
    m_smoothing = objective.smoothing;
    {
        const CpuCharge charge(objective.ledger().evaluate);
        if (!objective.engine().collectNear(point, 1 - m_smoothing - reach, 1 + reach, limit, objective.poll(),
                                            m_near)) {
            return Outcome::Stopped;
        }
        if (m_near.size() > limit) {
            return Outcome::TooMany;
        }
        m_values.resize(static_cast<std::size_t>(m_triplets.pairs()));
        m_weights.resize(m_values.size());
        listPairs(m_near, m_pairs);
    }
    // With nothing fixed an evaluation gives the sums of the set itself.
    m_fixedPull.setZero(point.matrix.rows(), point.matrix.cols());
    m_fixedAlphas = 0;
    State own;
    if (!evaluate(point, objective, own)) {
        return Outcome::Stopped;
    }
    double alphas = 0;
    for (const double alpha : m_alphas) {
        alphas += alpha;
    }
    m_fixedPull = own.gradient - origin.gradient; // both are λM − Σ α H
    m_fixedAlphas = std::round(origin.totals.alphaSum.value - alphas);
    return Outcome::Collected;
}

void WorkingSet::listPairs(const std::vector<PairedTriplet>& triplets, std::vector<PairIndex>& pairs) {
    m_isUsed.assign(static_cast<std::size_t>(m_triplets.pairs()), false);
    for (const PairedTriplet& triplet : triplets) {
        m_isUsed[static_cast<std::size_t>(triplet.same)] = true;
        m_isUsed[static_cast<std::size_t>(triplet.other)] = true;
    }
    pairs.clear();
    for (PairIndex p = 0; p < m_triplets.pairs(); ++p) {
        if (m_isUsed[static_cast<std::size_t>(p)]) {
            pairs.push_back(p);
        }
    }
}

void WorkingSet::spread(const std::vector<PairIndex>& pairs, const std::vector<PairedTriplet>& triplets,
                        const std::vector<double>& weights) {
    for (const PairIndex p : pairs) {
        m_weights[static_cast<std::size_t>(p)] = 0;
    }
    for (std::size_t t = 0; t < triplets.size(); ++t) {
        m_weights[static_cast<std::size_t>(triplets[t].same)] -= weights[t];
        m_weights[static_cast<std::size_t>(triplets[t].other)] += weights[t];
    }
}

bool WorkingSet::evaluate(const MetricPoint& point, ReducedObjective& objective, State& state) {
    Eigen::MatrixXd pull;
    double loss = 0;
    double alphas = m_fixedAlphas;
    double squares = m_fixedAlphas;
    {
        const CpuCharge charge(objective.ledger().evaluate);
        if (!m_space.distances(point, &m_pairs, objective.poll(), m_values)) {
            return false;
        }
        m_alphas.resize(m_near.size());
        for (std::size_t t = 0; t < m_near.size(); ++t) {
            const double margin = m_values[static_cast<std::size_t>(m_near[t].other)] -
                                  m_values[static_cast<std::size_t>(m_near[t].same)];
            const double alpha = lossSlope(margin, m_smoothing);
            m_alphas[t] = alpha;
            loss += alpha * (1 - margin) - 0.5 * m_smoothing * alpha * alpha;
            alphas += alpha;
            squares += alpha * alpha;
        }
        spread(m_pairs, m_near, m_alphas);
        MatrixSum sum;
        if (!m_space.weightedSum(m_weights, 0, &m_pairs, objective.poll(), sum)) {
            return false;
        }
        objective.ledger().pairsVisited += static_cast<std::int64_t>(m_pairs.size());
        pull = sum.value + m_fixedPull;
    }
    loss += m_fixedAlphas * (1 - 0.5 * m_smoothing) - m_fixedPull.cwiseProduct(point.matrix).sum();
    state.value = loss + 0.5 * m_lambda * point.matrix.squaredNorm();
    state.gradient = m_lambda * point.matrix - pull;
    state.slack = m_smoothing * (alphas - squares);
    const CpuCharge charge(objective.ledger().eigen);
    ++objective.ledger().eigenDecompositions;
    const double dual = alphas - 0.5 * m_smoothing * squares - squaredNormInCone(pull).value / (2 * m_lambda);
    state.gap = state.value - dual;
    return true;
}

void WorkingSet::setCurvature() {
    m_curved.clear();
    for (std::size_t t = 0; t < m_near.size(); ++t) {
        if (m_alphas[t] > 0 && m_alphas[t] < 1) {
            m_curved.push_back(m_near[t]);
        }
    }
    m_curvedWeights.resize(m_curved.size());
    const std::int64_t length = rowLength(m_fixedPull);
    const auto count = static_cast<std::int64_t>(m_curved.size());
    const std::int64_t byPairs = static_cast<std::int64_t>(m_triplets.rows()) * m_fixedPull.size();
    if (count * length <= std::min(byPairs, kMostRowNumbers)) {
        setRows();
    } else {
        m_rows.resize(0, 0);
        listPairs(m_curved, m_curvedPairs);
    }
}

void WorkingSet::setRows() {
    const Eigen::Index d = m_triplets.features();
    const DenseRows& x = m_triplets.paddedRows();
    const auto difference = [&](PairIndex p) {
        return Eigen::VectorXd((x.row(m_triplets.first(p)) - x.row(m_triplets.second(p))).head(d).transpose());
    };
    m_rows.resize(static_cast<Eigen::Index>(m_curved.size()), rowLength(m_fixedPull));
    for (std::size_t t = 0; t < m_curved.size(); ++t) {
        const Eigen::VectorXd a = difference(m_curved[t].other);
        const Eigen::VectorXd b = difference(m_curved[t].same);
        auto row = m_rows.row(static_cast<Eigen::Index>(t));
        if (isDiagonal(m_fixedPull)) {
            row = (a.cwiseAbs2() - b.cwiseAbs2()).transpose();
            continue;
        }
        Eigen::Index at = 0;
        for (Eigen::Index j = 0; j < d; ++j) {
            const Eigen::Index below = d - j - 1;
            row[at] = a[j] * a[j] - b[j] * b[j];
            row.segment(at + 1, below) =
                (std::numbers::sqrt2 * (a[j] * a.tail(below) - b[j] * b.tail(below))).transpose();
            at += below + 1;
        }
    }
}

bool WorkingSet::curvature(const Eigen::MatrixXd& direction, ReducedObjective& objective, Eigen::MatrixXd& image) {
    const CpuCharge charge(objective.ledger().evaluate);
    if (m_curved.empty()) {
        image.setZero(direction.rows(), direction.cols());
        return true;
    }
    if (m_rows.rows() > 0) {
        const Eigen::VectorXd row = toRow(direction);
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(row.size());
        for (Eigen::Index begin = 0; begin < m_rows.rows(); begin += kRowsAtOnce) {
            const auto block = m_rows.middleRows(begin, std::min(kRowsAtOnce, m_rows.rows() - begin));
            m_products.noalias() = block * row;
            sum.noalias() += block.transpose() * m_products;
        }
        image.resize(direction.rows(), direction.cols());
        fromRow(sum / m_smoothing, image);
        return !objective.poll().spend(4 * m_rows.size());
    }
    if (!m_space.forms(direction, &m_curvedPairs, objective.poll(), m_values)) {
        return false;
    }
    for (std::size_t t = 0; t < m_curved.size(); ++t) {
        m_curvedWeights[t] = (m_values[static_cast<std::size_t>(m_curved[t].other)] -
                              m_values[static_cast<std::size_t>(m_curved[t].same)]) /
                             m_smoothing;
    }
    spread(m_curvedPairs, m_curved, m_curvedWeights);
    MatrixSum sum;
    if (!m_space.weightedSum(m_weights, 0, &m_curvedPairs, objective.poll(), sum)) {
        return false;
    }
    objective.ledger().pairsVisited += static_cast<std::int64_t>(m_curvedPairs.size());
    image = std::move(sum.value);
    return true;
}

} // namespace lambdascope::metric
