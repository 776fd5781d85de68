// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/free_bias_proof.h"

#include "core/common/number_text.h"
#include "core/svm/inspect/free_bias_slice.h"
#include "core/svm/problem/feature_vector_products.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

constexpr double kShareError = 2e-19;        ///< of shares in extended precision, relative; of decimals, much less
constexpr double kLastPlace = 1e-30;         ///< of these decimals
constexpr double kKernelError = 4 * 0x1p-80; ///< of kernel values in the checker
constexpr double kProofPad = 8 * kUnitRoundoff;
/// So near to 1, ν is 1: rounding of C_min makes no more of it.
constexpr double kWholeShare = 8 * kUnitRoundoff;

double upperOf(const SvmProblem& problem, const SolvedSvm& solved, SampleIndex i) {
    return solved.c * problem.weights()(i); // as the solver has it
}

/// Σω to about as many digits as shares have.
long double weightSum(const SvmProblem& problem) {
    long double sum = 0;
    for (const double weight : problem.weights()) {
        sum += weight;
    }
    return sum;
}

/// C as the checker has it: of one class s/νΣω.
long double statedC(const SvmProblem& problem, double c) {
    return problem.balance() == 0 ? c : problem.balance() / (statedNu(problem, c) * weightSum(problem));
}

/// Shares of one class have the mean ν. Where rounding has taken more from all of them than a single one can take, as
/// it has where ν is 1, each gets a part of its room up to 1.
void fillRoom(const SvmProblem& problem, double nu, std::vector<long double>& shares) {
    long double room = 0;
    long double largest = 0;
    long double wanted = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double own = problem.weights()(i) * (1 - shares[static_cast<std::size_t>(i)]);
        room += own;
        largest = std::max(largest, own);
        wanted += problem.weights()(i) * (1 - static_cast<long double>(nu));
    }
    if (room - wanted > largest / 2) {
        for (long double& share : shares) {
            share += (room - wanted) / room * (1 - share);
        }
    }
}

/// (yᵀα − s)/C, where s/C = νΣω.
double shareImbalance(const SvmProblem& problem, std::span<const long double> shares, double nu) {
    CompensatedSum sum;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double term = problem.weights()(i) *
                                 (problem.y()(i) * shares[static_cast<std::size_t>(i)] - static_cast<long double>(nu));
        const auto high = static_cast<double>(term);
        sum.add(high);
        sum.add(static_cast<double>(term - high));
    }
    return sum.value();
}

/// The sample that stays farthest from both its bounds when it takes the imbalance.
SampleIndex balancingSample(const SvmProblem& problem, std::span<const long double> shares, double imbalance) {
    SampleIndex best = 0;
    long double most = -1;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double weight = problem.weights()(i);
        const long double after =
            weight > 0 ? shares[static_cast<std::size_t>(i)] - problem.y()(i) * imbalance / weight : -1;
        const long double room = std::min(after, 1 - after) * weight;
        if (weight > 0 && room > most) {
            most = room;
            best = i;
        }
    }
    return best;
}

/// What a threshold may differ by from target − ε − shift or shift − target − ε, each rounded twice: the target less
/// the shift is half the difference of those of both sides.
double thresholdError(const SvmProblem& problem, SampleIndex i) {
    if (!problem.sharesRows()) {
        return 0;
    }
    const SampleIndex other = i < problem.rowCount() ? i + problem.rowCount() : i - problem.rowCount();
    const Eigen::VectorXd& t = problem.thresholds();
    return 2 * kUnitRoundoff * (std::abs(t(i)) + std::abs(t(other))) * (1 + kProofPad);
}

/// By how much numbers of the checker may differ from those at hand: α became decimals, and C of one class is 1/νΣω
/// without rounding.
struct StatedErrors {
    std::vector<double> alpha; ///< by sample
    double upper = 0;          ///< of Cω, relative
    double perLength = 0;      ///< of scores, per ‖z‖
    double each = 0;           ///< of scores, for kernel values, which the checker encloses
    double balancing = 0;      ///< by so much may the α that balances the others be another
};

StatedErrors statedErrors(const SvmProblem& problem, const PointOutcome& point, std::span<const long double> shares,
                          SampleIndex balance, double imbalance) {
    const SolvedSvm& solved = point.solved;
    const long double c = statedC(problem, solved.c);
    const double terms = problem.balance() == 0 ? 2 : static_cast<double>(problem.size()) + 4; // of Σω
    StatedErrors errors;
    errors.upper = static_cast<double>(std::abs(c / solved.c - 1)) + (problem.balance() == 0 ? 0 : terms * kShareError);
    double all = 0;
    double lengths = 0; // times ‖z‖
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double low = point.alphaLow.size() > 0 ? point.alphaLow(i) : 0.0;
        const long double stated = c * problem.weights()(i) * shares[static_cast<std::size_t>(i)];
        const double upper = upperOf(problem, solved, i);
        const double error = static_cast<double>(std::abs(stated - (solved.alpha(i) + low))) * (1 + kProofPad) +
                             terms * kShareError * solved.alpha(i) + kLastPlace * upper;
        errors.alpha.push_back(error);
        all += error + (problem.balance() == 0 ? 0 : kShareError * upper);
        lengths += error * problem.norms()(i);
    }
    errors.balancing = (solved.c * std::abs(imbalance) + all) * (1 + kProofPad);
    errors.perLength = (lengths + errors.balancing * problem.norms()(balance)) * (1 + kProofPad);
    errors.each = kKernelError * solved.alpha.sum() * (1 + kProofPad);
    return errors;
}

/// An upper bound of what the checker finds for r², with the best bias: the gap of the solution, and what is another
/// there. A term of the gap moves by Cω times what its margin does at most, and not at all where the sample is at its
/// right bound beyond doubt.
double certifiedGap(const SvmProblem& problem, const SolvedSvm& solved, SampleIndex balance,
                    const StatedErrors& errors) {
    const auto distanceOf = [&](SampleIndex i) { return solved.marginOf(i, problem.y()(i)) - problem.thresholds()(i); };
    double gap = solved.gap + errors.balancing * std::abs(distanceOf(balance));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double upper = upperOf(problem, solved, i);
        const double alpha = solved.alpha(i);
        const double distance = distanceOf(i);
        const double moved = 2 * (errors.perLength * problem.norms()(i) + errors.each + thresholdError(problem, i));
        const double doubt = kProofPad * (std::abs(problem.thresholds()(i)) + std::abs(solved.bias)) + moved +
                             solved.marginError * problem.norms()(i);
        const bool isClear = (alpha == 0 && distance > doubt) || (alpha == upper && -distance > doubt);
        gap += isClear ? 0 : upper * moved;
        gap += (errors.alpha[static_cast<std::size_t>(i)] + errors.upper * upper) * (doubt + std::abs(distance));
    }
    return gap * (1 + roundingFactor(static_cast<double>(problem.size()) + 8));
}

/// Whether the slope of Σ ωᵢ max(0, tᵢ − yᵢ(sᵢ + b)) + νΣω b is at most 0 left of `b` with scores at their upper ends,
/// or at least 0 right of it with all at their lower ends, in spite of all rounding.
bool isSlopeProven(std::span<const BiasSample> samples, double nu, double b, bool isLeft) {
    CheckedSum slope;
    for (const BiasSample& sample : samples) {
        const double z = (isLeft ? sample.high : sample.low) + b;
        const double t = sample.threshold;
        if (sample.y > 0 && (isLeft ? z <= t : z < t)) {
            slope.add(-sample.weight);
        } else if (sample.y < 0 && (isLeft ? z > -t : z >= -t)) {
            slope.add(sample.weight);
        }
        const double cost = nu * sample.weight;
        slope.add(cost);
        slope.add(std::fma(nu, sample.weight, -cost));
    }
    return isLeft ? slope.value() + slope.error() <= 0 : slope.value() - slope.error() >= 0;
}

BiasBracket widened(double low, double high, double scale) {
    return {low - kProofPad * (scale + std::abs(low)), high + kProofPad * (scale + std::abs(high))};
}

/// Beyond all kinks the slope has the sign that it is to have: an end that is infinite may as well be anywhere there.
BiasBracket finite(BiasBracket bracket, std::span<const BiasSample> samples) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const BiasSample& sample : samples) {
        low = std::min(low, sample.y * sample.threshold - sample.high);
        high = std::max(high, sample.y * sample.threshold - sample.low);
    }
    bracket.low = std::isfinite(bracket.low) ? bracket.low : low - 1 - std::abs(low);
    bracket.high = std::isfinite(bracket.high) ? bracket.high : high + 1 + std::abs(high);
    return bracket;
}

BiasBracket narrowestBracket(std::span<const BiasSample> samples, double nu, double scale) {
    CheckedSum pull;
    for (const BiasSample& sample : samples) {
        const double cost = nu * sample.weight;
        pull.add(-cost);
        pull.add(-std::fma(nu, sample.weight, -cost));
    }
    std::vector<BiasSample> lower(samples.begin(), samples.end());
    for (BiasSample& sample : lower) {
        sample.high = sample.low;
    }
    const double low = bestBiases(samples, pull).high; // of scores at their upper ends
    const double high = bestBiases(lower, pull).low;
    const double middle = BiasBracket{high, low}.middle();
    const BiasBracket bracket = low <= high ? widened(low, high, scale) : widened(middle, middle, scale);
    const bool isProven = std::isfinite(bracket.low) && std::isfinite(bracket.high) &&
                          isSlopeProven(samples, nu, bracket.low, true) &&
                          isSlopeProven(samples, nu, bracket.high, false);
    return isProven ? bracket : finite(bracketBias(samples, pull), samples);
}

} // namespace

double statedNu(const SvmProblem& problem, double c) {
    if (problem.balance() == 0) {
        return 0;
    }
    const double nu = problem.balance() / (c * problem.weights().sum());
    return nu > 1 - kWholeShare ? 1 : nu;
}

std::vector<long double> sharesOf(const SvmProblem& problem, const PointOutcome& point) {
    const SolvedSvm& solved = point.solved;
    const long double c = statedC(problem, solved.c);
    std::vector<long double> shares;
    shares.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double low = point.alphaLow.size() > 0 ? point.alphaLow(i) : 0.0;
        const long double share = (solved.alpha(i) + low) / (c * problem.weights()(i));
        const bool isFull = solved.alpha(i) == upperOf(problem, solved, i) && low == 0;
        shares.push_back(isFull ? 1 : std::clamp(share, 0.0L, 1.0L));
    }
    if (problem.balance() != 0) {
        fillRoom(problem, statedNu(problem, solved.c), shares);
    }
    return shares;
}

FreeBiasProof proveBias(const SvmProblem& problem, const PointOutcome& point, std::span<const long double> shares) {
    const SolvedSvm& solved = point.solved;
    const double nu = statedNu(problem, solved.c);
    FreeBiasProof proof;
    const double imbalance = shareImbalance(problem, shares, nu);
    proof.balance = balancingSample(problem, shares, imbalance);
    const StatedErrors errors = statedErrors(problem, point, shares, proof.balance, imbalance);
    proof.radius = 2 * std::sqrt(certifiedGap(problem, solved, proof.balance, errors)) * (1 + kProofPad);
    std::vector<BiasSample> samples;
    samples.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double score = problem.y()(i) * solved.margins(i);
        const double threshold = problem.thresholds()(i);
        const double ball = proof.radius * problem.reaches()[static_cast<std::size_t>(i)];
        const double doubt = (errors.perLength + solved.marginError) * problem.norms()(i) + errors.each;
        const double reach = (ball + doubt) * (1 + kProofPad) + thresholdError(problem, i) +
                             kProofPad * (std::abs(score) + std::abs(threshold));
        samples.push_back({problem.y()(i), score - reach, score + reach, problem.weights()(i), threshold});
    }
    proof.bracket = narrowestBracket(samples, nu, problem.largestThreshold());
    return proof;
}

FreeBiasSlicer::FreeBiasSlicer(const SvmProblem& problem, const std::vector<BoundKind>& bounds,
                               const SolvedSvm& optimum)
    : m_problem(problem), m_bounds(bounds), m_optimum(optimum) {
    FeatureVectorProducts origin(problem);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.origin()(i) != 0) {
            origin.add(i, problem.y()(i) * problem.origin()(i));
        }
    }
    m_origin = origin.products();
    m_slice.xLabel = problem.balance() == 0 ? "towards the centre of BT1" : "towards the solution before, lengthened";
    m_slice.yLabel = problem.sharesRows() ? "f amid the rows, less the mean target" : "decision value amid the samples";
}

FreeBiasSlicer::Centre FreeBiasSlicer::centreOf(const Eigen::VectorXd& alpha, double factor, double squaredNorm) const {
    return {factor * alpha.dot(m_optimum.margins), factor * alpha.dot(m_first), factor * alpha.dot(m_origin),
            factor * factor * squaredNorm};
}

void FreeBiasSlicer::add(BoundKind kind, const Centre& centre, double squaredRadius, const BiasBracket& bias,
                         const ScreeningCheck& check) {
    const double optimum = m_optimum.squaredNorm.value;
    const double off = std::max(centre.square - 2 * centre.withOptimum + optimum, 0.0); // ‖m − w*‖²
    const Centre& first = m_firstCentre;
    const double length = std::sqrt(std::max(first.square - 2 * first.withOptimum + optimum, 0.0));
    const double along = centre.withFirst - centre.withOptimum - first.withOptimum + optimum;
    const double x = length > 0 ? std::clamp(along / length, -std::sqrt(off), std::sqrt(off)) : 0;
    const double half = std::sqrt(std::max(squaredRadius - off + x * x, 0.0));
    const double low = bias.low + centre.withOrigin;
    const double high = bias.high + centre.withOrigin;
    const double radius = std::sqrt(std::max(squaredRadius, 0.0));
    BallSlice::Part part;
    part.name = boundName(kind);
    part.isUsed = std::any_of(m_bounds.begin(), m_bounds.end(), [kind](BoundKind used) {
        return used == kind || (used == BoundKind::Intersection && kind == BoundKind::BallOne);
    });
    part.text = "ball of w: radius " + shortText(radius) + "\nbracket: " + shortText(low) + " to " + shortText(high);
    part.isBracketed = true;
    part.check = check.check;
    part.iteration = check.sweep;
    if (half > 0 && std::isfinite(low) && std::isfinite(high) && low < high) {
        part.outline = {{x - half, low}, {x + half, low}, {x + half, high}, {x - half, high}};
        m_lastValue = BiasBracket{low, high}.middle();
    }
    m_slice.parts.push_back(std::move(part));
}

void FreeBiasSlicer::take(const ScreeningCheck& check) {
    const ScreeningReference& from = check.reference;
    const auto path = makeBall(BoundKind::BallOne, from);
    if (m_first.size() == 0) { // the first check is that of the path
        if (!path || from.path->alpha.size() == 0) {
            return;
        }
        m_first = path->a * from.path->margins;
        m_firstCentre = centreOf(from.path->alpha, path->a, from.path->squaredNorm.value);
    }
    if (path && from.pathBias && from.path->alpha.size() > 0) {
        add(BoundKind::BallOne, centreOf(from.path->alpha, path->a, from.path->squaredNorm.value), path->squaredRadius,
            *from.pathBias, check);
    }
    if (const auto ball = makeBall(BoundKind::Gap, from); ball && from.alpha != nullptr && from.currentBias) {
        add(BoundKind::Gap, centreOf(*from.alpha, 1, from.squaredNorm), ball->squaredRadius, *from.currentBias, check);
    }
}

BallSlice FreeBiasSlicer::finished() {
    const double origin = m_optimum.alpha.dot(m_origin); // w*ᵀo
    const BiasBracket best = bestBiases(m_problem, m_optimum.c, m_optimum.margins);
    m_slice.optimumY = std::clamp(m_lastValue, best.low + origin, std::max(best.low, best.high) + origin);
    return std::move(m_slice);
}

} // namespace lambdascope::svm
