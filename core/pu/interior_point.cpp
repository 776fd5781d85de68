// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/interior_point.h"

#include "core/numeric/polled_cholesky.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

constexpr int kMostIterations = 100;
constexpr double kBackOff = 0.995;

/// One half of s: x in [0, 1] with multipliers of both bounds.
struct Half {
    Eigen::ArrayXd x, lower, upper; ///< lower: of x ≥ 0, upper: of x ≤ 1
    Eigen::ArrayXd dx, dLower, dUpper;
    [[nodiscard]] Eigen::ArrayXd barrier() const { return lower / x + upper / (1 - x); }
    [[nodiscard]] double complementarity() const { return (x * lower).sum() + ((1 - x) * upper).sum(); }
    [[nodiscard]] double after(double primal, double dual) const {
        return ((x + primal * dx) * (lower + dual * dLower)).sum() +
               ((1 - x - primal * dx) * (upper + dual * dUpper)).sum();
    }
    /// Residual terms of the complementarity that the right side takes.
    Eigen::ArrayXd targetLower, targetUpper;
    void setMultiplierSteps() {
        dLower = (targetLower - lower * dx) / x - lower;
        dUpper = (targetUpper + upper * dx) / (1 - x) - upper;
    }
    void step(double primal, double dual) {
        x += primal * dx;
        lower += dual * dLower;
        upper += dual * dUpper;
    }
};

double longest(const Eigen::ArrayXd& value, const Eigen::ArrayXd& change) {
    double length = 1;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        if (change(i) < 0) {
            length = std::min(length, -value(i) / change(i));
        }
    }
    return length;
}

double longestPrimal(const Half& half) {
    return std::min(longest(half.x, half.dx), longest(1 - half.x, -half.dx));
}
double longestDual(const Half& half) {
    return std::min(longest(half.lower, half.dLower), longest(half.upper, half.dUpper));
}

} // namespace

double interiorPointBytes(SampleIndex unlabeled) {
    return 2 * KernelRows::bytesPerRow(unlabeled) * static_cast<double>(unlabeled);
}

InteriorOutcome solveByInteriorPoint(const PuProblem& problem, double lambda, double tolerance, WorkPoll& poll) {
    InteriorOutcome outcome;
    const auto n = static_cast<Eigen::Index>(problem.unlabeled());
    const SampleIndex p = problem.positives();
    const double epsilon = problem.epsilon(lambda);
    const double mass = problem.mass();
    outcome.bytes = interiorPointBytes(problem.unlabeled());
    Eigen::MatrixXd gram(n, n);
    std::vector<double> scratch;
    for (Eigen::Index u = 0; u < n; ++u) {
        gram.col(u) = Eigen::Map<const Eigen::VectorXd>(
            problem.space().row(p + static_cast<SampleIndex>(u), scratch).values + p, n);
        if (poll.spend(8 * n)) {
            return outcome;
        }
    }
    const Eigen::VectorXd target = problem.pull() * problem.space().attraction().tail(n);
    Half halves[2];
    const double scale = std::max({epsilon, target.cwiseAbs().maxCoeff(), 1e-300});
    for (Half& half : halves) {
        half.x = Eigen::ArrayXd::Constant(n, std::clamp(0.5 * mass / static_cast<double>(n), 0.01, 0.99));
        half.lower = half.upper = Eigen::ArrayXd::Constant(n, scale);
    }
    double bias = 0;
    Eigen::VectorXd s(n);
    for (int iteration = 0; iteration < kMostIterations && !poll.isStopped(); ++iteration) {
        s = (halves[0].x + halves[1].x).matrix();
        const Eigen::VectorXd gradient = gram * s - target;
        // Stationarity: (Ks − t) ∓ ε − b − lower + upper = 0; feasibility: Σs = m.
        Eigen::ArrayXd residual[2];
        for (int k = 0; k < 2; ++k) {
            residual[k] = gradient.array() + (k == 0 ? -epsilon : epsilon) - bias - halves[k].lower + halves[k].upper;
        }
        const double missing = mass - s.sum();
        const double complementarity = halves[0].complementarity() + halves[1].complementarity();
        const double mu = complementarity / (4 * static_cast<double>(n));
        const double worst = std::max(residual[0].abs().maxCoeff(), residual[1].abs().maxCoeff());
        outcome.iterations = iteration;
        if (complementarity <= tolerance * (epsilon * static_cast<double>(n) + std::abs(s.dot(gradient))) &&
            worst <= 1e-9 * scale && std::abs(missing) <= 1e-9 * (1 + mass)) {
            outcome.hasConverged = true;
            break;
        }
        const Eigen::ArrayXd first = halves[0].barrier();
        const Eigen::ArrayXd second = halves[1].barrier();
        Eigen::MatrixXd matrix = gram;
        matrix.diagonal().array() += first * second / (first + second);
        if (choleskyInPlace(matrix, poll) != CholeskyOutcome::Done) {
            break;
        }
        Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
        solveByCholesky(matrix, ones);
        const auto direction = [&] {
            // dₖ = (rₖ − K ds)/Dₖ with rₖ the right side; ds = d₁ + d₂ solves (K + (D₁⁻¹+D₂⁻¹)⁻¹) ds = …
            Eigen::ArrayXd right[2];
            for (int k = 0; k < 2; ++k) {
                const Half& half = halves[k];
                right[k] = -residual[k] + (half.targetLower / half.x - half.lower) -
                           (half.targetUpper / (1 - half.x) - half.upper);
            }
            const Eigen::ArrayXd harmonic = first * second / (first + second);
            Eigen::VectorXd plain = (harmonic * (right[0] / first + right[1] / second)).matrix();
            solveByCholesky(matrix, plain);
            const double db = (missing - plain.sum()) / ones.sum();
            const Eigen::VectorXd ds = plain + db * ones;
            const Eigen::ArrayXd pulled = (gram * ds).array();
            halves[0].dx = (right[0] + db - pulled) / first;
            halves[1].dx = (right[1] + db - pulled) / second;
            for (Half& half : halves) {
                half.setMultiplierSteps();
            }
            return db;
        };
        for (Half& half : halves) {
            half.targetLower = half.targetUpper = Eigen::ArrayXd::Zero(n);
        }
        (void)direction();
        const double primalGuess = std::min(longestPrimal(halves[0]), longestPrimal(halves[1]));
        const double dualGuess = std::min(longestDual(halves[0]), longestDual(halves[1]));
        const double guessed = halves[0].after(primalGuess, dualGuess) + halves[1].after(primalGuess, dualGuess);
        const double centring = std::pow(guessed / complementarity, 3) * mu;
        for (Half& half : halves) {
            half.targetLower = centring - half.dx * half.dLower;
            half.targetUpper = centring + half.dx * half.dUpper;
        }
        const double db = direction();
        if (!halves[0].dx.allFinite() || !halves[1].dx.allFinite() || !std::isfinite(db)) {
            break; // as near as rounding allows
        }
        const double primal = kBackOff * std::min(longestPrimal(halves[0]), longestPrimal(halves[1]));
        const double dual = kBackOff * std::min(longestDual(halves[0]), longestDual(halves[1]));
        const double both = std::min(primal, dual); // a quadratic program couples them
        for (Half& half : halves) {
            half.step(both, both);
        }
        bias += both * db;
    }
    // What lies on a bound up to the complementarity is put there, and the sum made exact.
    Eigen::VectorXd rounded = Eigen::VectorXd::Zero(problem.size());
    for (Eigen::Index u = 0; u < n; ++u) {
        double value = 0;
        for (const Half& half : halves) {
            const bool isLow = half.x(u) < half.lower(u) / scale;
            const bool isHigh = 1 - half.x(u) < half.upper(u) / scale;
            value += isLow ? 0.0 : isHigh ? 1.0 : std::clamp(half.x(u), 0.0, 1.0);
        }
        rounded(p + u) = std::clamp(quantized(value), 0.0, 2.0);
    }
    std::vector<SampleIndex> all(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < all.size(); ++k) {
        all[k] = p + static_cast<SampleIndex>(k);
    }
    outcome.solved = pointAt(problem, rounded, poll);
    spreadTo(ExactSum::of(mass), all, outcome.solved.scores.data(), epsilon, rounded, [](SampleIndex, double) {});
    outcome.solved = pointAt(problem, std::move(rounded), poll);
    completePoint(problem, lambda, outcome.solved);
    return outcome;
}

} // namespace lambdascope::pu
