// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/loss_totals.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// What margins off by e may add to Σ w ℓ_0, or take from it, beyond the e Σ α that the error of Σ w ℓ_s has: the
/// hinge falls by 1 per unit of the margin just below its edge, where α is still near 0, so e (w − α) each.
double hingeDoubt(const LossTotals& totals) {
    const double weight = totals.totalWeight();
    return (1 + 8 * kUnitRoundoff) * totals.marginError *
           (std::max(0.0, weight - totals.alphaSum.lower()) + 4 * kUnitRoundoff * weight);
}

} // namespace

void ScreenedPart::addLinearSum(const Eigen::MatrixXd& sum, double error) {
    if (linearSum.size() == 0) {
        linearSum.setZero(sum.rows(), sum.cols());
    }
    linearSum += sum;
    linearError += error + kUnitRoundoff * linearSum.norm();
}

LossTotals withScreened(LossTotals active, const ScreenedPart& screened, const MetricPoint& point) {
    if (active.weight) {
        // Items of the zero part have no slack; the error of the others' margins is bounded per weight.
        *active.weight += screened.linearWeight().upper();
    }
    active.triplets += screened.decided();
    if (screened.linear == 0) {
        return active;
    }
    const Bounded count = screened.linearWeight();
    const Bounded margins = innerProduct(point.matrix, point.matrixError(), screened.linearSum, screened.linearError);
    active.loss = active.loss + (exactly(1 - active.smoothing / 2) * count - margins);
    active.alphaSum = active.alphaSum + count;
    active.alphaSquares = active.alphaSquares + count;
    if (screened.weights) {
        active.loss = active.loss + screened.weights->shift;
        active.thresholdShift = active.thresholdShift + screened.weights->shift;
    }
    active.pull += screened.linearSum;
    active.pullError += screened.linearError + kUnitRoundoff * active.pull.norm();
    return active;
}

Bounded lossValue(const LossTotals& totals, double gamma) {
    if (gamma == totals.smoothing) {
        return totals.loss;
    }
    return totals.loss + exactly(totals.smoothing) * (totals.alphaSum - exactly(0.5) * totals.alphaSquares) +
           Bounded{0, hingeDoubt(totals)};
}

Bounded primalValue(const LossTotals& totals, const MetricPoint& point, double lambda, double gamma) {
    const Bounded norm = point.norm();
    return lossValue(totals, gamma) + exactly(lambda / 2) * (norm * norm);
}

Bounded dualValue(const LossTotals& totals, Bounded pullSquares, double lambda, double gamma) {
    // A change of pull by E changes ‖[pull]₊‖ by at most ‖E‖.
    Bounded squares = pullSquares;
    squares.error += (2 * std::sqrt(std::max(pullSquares.value, 0.0)) + totals.pullError) * totals.pullError;
    return totals.alphaSum + totals.thresholdShift - exactly(gamma / 2) * totals.alphaSquares - squares / (2 * lambda);
}

Bounded subgradientSlack(const LossTotals& totals, double gamma) {
    // Margins that are off by e make α off by e/s at most, and the slack of the smoothed loss is quadratic there: at
    // most e·min(1, e/s). The hinge's has a kink at its edge.
    const double e = totals.marginError;
    const double perTriplet = e * std::min(1.0, e / totals.smoothing);
    Bounded slack{0, totals.totalWeight() * perTriplet};
    if (gamma != totals.smoothing) {
        slack = slack + exactly(totals.smoothing) * (totals.alphaSum - totals.alphaSquares) +
                Bounded{0, hingeDoubt(totals)};
    }
    return slack;
}

} // namespace lambdascope::triplets
