// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/factored_gram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::ordinal {

namespace {

constexpr double kStopped = std::numeric_limits<double>::infinity();
constexpr std::size_t kPairsPerStopCheck = 4096;
constexpr Eigen::Index kRowsPerStopCheck = 4096;
/// Pays for second-order terms of rounding, and for that of the bounds themselves.
constexpr double kRoom = 1 + 1e-6;

double pairDistance(const double* a, const double* b, Eigen::Index p) {
    return (Eigen::Map<const Eigen::ArrayXd>(a, p) - Eigen::Map<const Eigen::ArrayXd>(b, p)).square().sum();
}

/// LᵀL.
Eigen::MatrixXd innerProducts(Eigen::Ref<const Points> l, StopCheck& stopCheck) {
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(l.cols(), l.cols());
    for (Eigen::Index row = 0; row < l.rows() && !stopCheck.isStopped(); row += kRowsPerStopCheck) {
        const Eigen::Index count = std::min(kRowsPerStopCheck, l.rows() - row);
        products.noalias() += l.middleRows(row, count).transpose() * l.middleRows(row, count);
        stopCheck.spend(2 * count * l.cols() * l.cols());
    }
    return products;
}

/// gradient ← factor · L · products.
void setProduct(Eigen::Ref<const Points> l, const Eigen::MatrixXd& products, double factor, Eigen::Ref<Points> gradient,
                StopCheck& stopCheck) {
    for (Eigen::Index row = 0; row < l.rows() && !stopCheck.isStopped(); row += kRowsPerStopCheck) {
        const Eigen::Index count = std::min(kRowsPerStopCheck, l.rows() - row);
        gradient.middleRows(row, count).noalias() = factor * (l.middleRows(row, count) * products);
        stopCheck.spend(2 * count * l.cols() * l.cols());
    }
}

/// gradient += factor · K · L.
void addLaplacian(const std::vector<PairedComparisons::Pair>& pairs, const std::vector<double>& weights, double factor,
                  Eigen::Ref<const Points> l, Eigen::Ref<Points> gradient, StopCheck& stopCheck) {
    const Eigen::Index p = l.cols();
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        if (at % kPairsPerStopCheck == 0 && stopCheck.spend(6 * p * static_cast<Eigen::Index>(kPairsPerStopCheck))) {
            return;
        }
        if (weights[at] == 0) {
            continue;
        }
        const double* a = l.data() + pairs[at].a * p;
        const double* b = l.data() + pairs[at].b * p;
        double* toA = gradient.data() + pairs[at].a * p;
        double* toB = gradient.data() + pairs[at].b * p;
        for (Eigen::Index d = 0; d < p; ++d) {
            const double step = factor * weights[at] * (a[d] - b[d]);
            toA[d] += step;
            toB[d] -= step;
        }
    }
}

} // namespace

bool FactoredGram::distances(Eigen::Ref<const Points> l, std::vector<double>& values, StopCheck& stopCheck) const {
    const auto& pairs = m_items.pairs();
    const Eigen::Index p = l.cols();
    values.resize(pairs.size());
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        if (at % kPairsPerStopCheck == 0 && stopCheck.spend(4 * p * static_cast<Eigen::Index>(kPairsPerStopCheck))) {
            return false;
        }
        values[at] = pairDistance(l.data() + pairs[at].a * p, l.data() + pairs[at].b * p, p);
    }
    return true;
}

void FactoredGram::pairWeights(const std::vector<double>& alphas, std::vector<double>& weights) const {
    weights.assign(m_items.pairs().size(), 0);
    for (std::size_t c = 0; c < alphas.size(); ++c) {
        weights[m_items.items()[c].far] += alphas[c];
        weights[m_items.items()[c].near] -= alphas[c];
    }
}

double FactoredGram::slopes(const std::vector<double>& z, double smoothing, std::vector<double>& alphas) const {
    alphas.resize(m_items.items().size());
    double loss = 0;
    for (std::size_t c = 0; c < alphas.size(); ++c) {
        const PairedComparisons::Item& item = m_items.items()[c];
        const double below = m_margin - (z[item.far] - z[item.near]);
        const double share = std::clamp(below / smoothing, 0.0, 1.0);
        alphas[c] = item.weight * share;
        loss += share > 0 ? alphas[c] * (below - 0.5 * smoothing * share) : 0;
    }
    return loss;
}

double FactoredGram::primal(Eigen::Ref<const Points> l, double lambda, double smoothing, Eigen::Ref<Points> gradient,
                            StopCheck& stopCheck) const {
    std::vector<double> z;
    std::vector<double> alphas;
    std::vector<double> weights;
    if (!distances(l, z, stopCheck)) {
        return kStopped;
    }
    const double loss = slopes(z, smoothing, alphas);
    pairWeights(alphas, weights);
    const Eigen::MatrixXd products = innerProducts(l, stopCheck);
    setProduct(l, products, 2 * lambda, gradient, stopCheck);
    addLaplacian(m_items.pairs(), weights, -2, l, gradient, stopCheck);
    return stopCheck.isStopped() ? kStopped : loss + lambda / 2 * products.squaredNorm();
}

double FactoredGram::distanceToCone(Eigen::Ref<const Points> y, const std::vector<double>& weights, double sign,
                                    Eigen::Ref<Points> gradient, StopCheck& stopCheck) const {
    // Half the gradient is (sign · K + Y Yᵀ) Y.
    gradient.setZero();
    addLaplacian(m_items.pairs(), weights, sign, y, gradient, stopCheck);
    const double product = y.cwiseProduct(gradient).sum(); // sign · ⟨KY, Y⟩
    const Eigen::MatrixXd products = innerProducts(y, stopCheck);
    Points rest(y.rows(), y.cols());
    setProduct(y, products, 1, rest, stopCheck);
    gradient = 2 * (gradient + rest);
    return stopCheck.isStopped() ? kStopped : product + 0.5 * products.squaredNorm();
}

FactoredGram::Value FactoredGram::value(const Points& l, double lambda, StopCheck& stopCheck) const {
    std::vector<double> z;
    if (!distances(l, z, stopCheck)) {
        return {{kStopped, 0}, kStopped};
    }
    const auto p = static_cast<double>(l.cols());
    const double share = roundingFactor(p + 8); // of z, whose terms are squares, and of what is made of it
    CompensatedSum loss;
    double doubt = 0; // ℓ falls by at most 1 per unit of its margin
    for (const PairedComparisons::Item& item : m_items.items()) {
        const double below = m_margin - (z[item.far] - z[item.near]);
        const double error = share * (z[item.far] + z[item.near] + m_margin) + kUnderflow;
        if (below > 0) {
            const double slope = m_gamma > 0 ? std::min(below / m_gamma, 1.0) : 1;
            loss.add(item.weight * slope * (below - 0.5 * m_gamma * slope));
        }
        doubt += below > -error ? item.weight * error * (1 + 4 * kUnitRoundoff) : 0;
    }
    const auto count = static_cast<double>(m_items.items().size());
    const Bounded losses{loss.value(), kRoom * doubt + roundingFactor(8) * loss.value() + kUnderflow * count};
    // ‖fl(LᵀL) − LᵀL‖_F ≤ γ_n ‖L‖_F².
    const Eigen::MatrixXd products = innerProducts(l, stopCheck);
    const double norm = products.norm();
    const double trace = products.trace();
    const auto n = static_cast<double>(l.rows());
    const Bounded size{norm, kRoom * (roundingFactor(n + 2) * trace + roundingFactor(p * p + 2) * norm)};
    return {losses + exactly(lambda / 2) * (size * size), losses.value};
}

bool FactoredGram::setPolar(const Points& y, Polar& polar, StopCheck& stopCheck) const {
    if (!distances(y, polar.values, stopCheck)) {
        return false;
    }
    const Eigen::MatrixXd products = innerProducts(y, stopCheck);
    polar.squares = products.squaredNorm();
    polar.trace = products.trace();
    polar.columns = static_cast<double>(y.cols());
    return !stopCheck.isStopped();
}

double FactoredGram::dual(const std::vector<double>& alphas, const Polar& polar, double lambda,
                          std::vector<double>* gradient) const {
    const auto& pairs = m_items.pairs();
    const auto& items = m_items.items();
    std::vector<double> weights;
    pairWeights(alphas, weights);
    std::vector<double> degrees(static_cast<std::size_t>(m_items.objects()), 0);
    double squares = polar.squares;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        degrees[static_cast<std::size_t>(pairs[p].a)] += weights[p];
        degrees[static_cast<std::size_t>(pairs[p].b)] += weights[p];
        squares += 2 * weights[p] * (weights[p] + polar.values[p]);
    }
    for (const double degree : degrees) {
        squares += degree * degree;
    }
    double value = -squares / (2 * lambda);
    for (std::size_t c = 0; c < items.size(); ++c) {
        value += alphas[c] * (m_margin - 0.5 * m_gamma * alphas[c] / items[c].weight);
    }
    if (gradient != nullptr) {
        std::vector<double>& v = weights;
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            v[p] = degrees[static_cast<std::size_t>(pairs[p].a)] + degrees[static_cast<std::size_t>(pairs[p].b)] +
                   2 * weights[p] + polar.values[p];
        }
        gradient->resize(items.size());
        for (std::size_t c = 0; c < items.size(); ++c) {
            (*gradient)[c] =
                m_margin - m_gamma * alphas[c] / items[c].weight - (v[items[c].far] - v[items[c].near]) / lambda;
        }
    }
    return value;
}

Bounded FactoredGram::boundedDual(const std::vector<double>& alphas, const Polar& polar, double lambda) const {
    const auto& pairs = m_items.pairs();
    const auto& items = m_items.items();
    std::vector<double> weights;
    pairWeights(alphas, weights);
    std::vector<double> absolute(pairs.size(), 0); // Σ α per pair
    CompensatedSum alphaSum;
    CompensatedSum alphaSquares;
    for (std::size_t c = 0; c < items.size(); ++c) {
        absolute[items[c].far] += alphas[c];
        absolute[items[c].near] += alphas[c];
        alphaSum.add(alphas[c]);
        alphaSquares.add(alphas[c] * alphas[c] / items[c].weight);
    }
    const auto n = static_cast<std::size_t>(m_items.objects());
    std::vector<double> degrees(n, 0);
    std::vector<double> largest(n, 0); // what the degrees could sum up to
    CompensatedSum squares;
    double sizes = 0;    // ‖|K|‖² where no weights cancel
    double products = 0; // the most that ⟨K, YYᵀ⟩ could be
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        for (const ObjectIndex object : {pairs[p].a, pairs[p].b}) {
            degrees[static_cast<std::size_t>(object)] += weights[p];
            largest[static_cast<std::size_t>(object)] += absolute[p];
        }
        squares.add(2 * weights[p] * weights[p]);
        squares.add(2 * weights[p] * polar.values[p]);
        sizes += 2 * absolute[p] * absolute[p];
        products += 2 * absolute[p] * polar.values[p];
    }
    for (std::size_t object = 0; object < n; ++object) {
        squares.add(degrees[object] * degrees[object]);
        sizes += largest[object] * largest[object];
    }
    squares.add(polar.squares);
    // Of the matrix with the weights k_p as rounded the square is exact up to these: degrees are sums of as many
    // numbers as pairs meet in an object, ‖y_a − y_b‖² of as many as Y has columns, YᵀY of as many as it has rows, and
    // ‖YᵀY‖ ≤ ‖Y‖². The weights themselves are sums of as many α as items meet in a pair.
    const auto degree = static_cast<double>(m_items.largestDegree());
    const double ofSquares =
        roundingFactor(2 * degree + 16) * sizes + roundingFactor(polar.columns + 16) * products +
        roundingFactor(2 * static_cast<double>(n) + polar.columns * polar.columns + 16) * polar.trace * polar.trace;
    const double ofWeights = roundingFactor(static_cast<double>(m_items.largestShare()) + 4) * std::sqrt(sizes);
    const Bounded square{std::max(squares.value(), 0.0), kRoom * ofSquares + kUnderflow};
    Bounded norm = squareRoot(square);
    norm.error += kRoom * ofWeights;
    const Bounded sum{alphaSum.value(), roundingFactor(4) * alphaSum.value()};
    const Bounded ofLoss{alphaSquares.value(), roundingFactor(8) * alphaSquares.value() + kUnderflow};
    return exactly(m_margin) * sum - exactly(m_gamma / 2) * ofLoss - norm * norm / (2 * lambda);
}

} // namespace lambdascope::ordinal
