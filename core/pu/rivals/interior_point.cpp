// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/rivals/interior_point.h"

#include "core/numeric/blocked_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

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

/// y = Ax by columns, asking `stopCheck` in between.
Eigen::VectorXd product(const Eigen::MatrixXd& a, const Eigen::VectorXd& x, StopCheck& stopCheck) {
    constexpr Eigen::Index kBlock = 256;
    Eigen::VectorXd y = Eigen::VectorXd::Zero(a.rows());
    for (Eigen::Index at = 0; at < a.cols() && !stopCheck.isStopped(); at += kBlock) {
        const Eigen::Index size = std::min(kBlock, a.cols() - at);
        y.noalias() += a.middleCols(at, size) * x.segment(at, size);
        (void)stopCheck.spend(4 * size * a.rows());
    }
    return y;
}

/// The iterates of Mehrotra's predictor and corrector on
///   min ½ sᵀKs − tᵀs + ε Σ|s − 1|,  Σs = m,  s = x₁ + x₂,  0 ≤ x ≤ 1:  −ε on the first half, ε on the second.
class Iterates {
  public:
    Iterates(const PuProblem& problem, double lambda, StopCheck& stopCheck);
    /// Whether complementarity and residuals are within `tolerance`; makes the residuals of this iterate.
    [[nodiscard]] bool isSolved(double tolerance);
    /// One step; false when rounding or the stop check allow none.
    [[nodiscard]] bool step();
    /// s with what lies on a bound put there.
    [[nodiscard]] Eigen::VectorXd rounded() const;

  private:
    [[nodiscard]] bool factorize();
    /// Steps of all variables towards the targets; that of the bias.
    double direction();

    StopCheck& m_stopCheck;
    Eigen::Index m_n;
    double m_epsilon;
    double m_mass;
    Eigen::MatrixXd m_gram;
    Eigen::MatrixXd m_factor; ///< lower triangle: Cholesky factor of K + (D₁⁻¹ + D₂⁻¹)⁻¹
    Eigen::VectorXd m_target;
    double m_scale = 1;
    Half m_halves[2];
    double m_bias = 0;
    Eigen::ArrayXd m_residual[2];
    Eigen::ArrayXd m_barrier[2];
    Eigen::VectorXd m_ones; ///< solution for a right side of ones
    double m_missing = 0;
    double m_complementarity = 0;
};

Iterates::Iterates(const PuProblem& problem, double lambda, StopCheck& stopCheck)
    : m_stopCheck(stopCheck), m_n(problem.unlabeled()), m_epsilon(problem.epsilon(lambda)), m_mass(problem.mass()),
      m_gram(m_n, m_n) {
    const SampleIndex p = problem.positives();
    std::vector<double> scratch;
    for (Eigen::Index u = 0; u < m_n && !stopCheck.isStopped(); ++u) {
        m_gram.col(u) = Eigen::Map<const Eigen::VectorXd>(
            problem.space().row(p + static_cast<SampleIndex>(u), scratch).values + p, m_n);
        (void)stopCheck.spend(8 * m_n + problem.space().rowWork());
    }
    m_target = problem.pull() * problem.space().attraction().tail(m_n);
    m_scale = std::max({m_epsilon, m_target.cwiseAbs().maxCoeff(), 1e-300});
    for (Half& half : m_halves) {
        half.x = Eigen::ArrayXd::Constant(m_n, std::clamp(0.5 * m_mass / static_cast<double>(m_n), 0.01, 0.99));
        half.lower = half.upper = Eigen::ArrayXd::Constant(m_n, m_scale);
    }
}

bool Iterates::isSolved(double tolerance) {
    const Eigen::VectorXd s = (m_halves[0].x + m_halves[1].x).matrix();
    const Eigen::VectorXd gradient = product(m_gram, s, m_stopCheck) - m_target;
    // Stationarity: (Ks − t) ∓ ε − b − lower + upper = 0; feasibility: Σs = m.
    for (int k = 0; k < 2; ++k) {
        const Half& half = m_halves[k];
        m_residual[k] = gradient.array() + (k == 0 ? -m_epsilon : m_epsilon) - m_bias - half.lower + half.upper;
    }
    m_missing = m_mass - s.sum();
    m_complementarity = m_halves[0].complementarity() + m_halves[1].complementarity();
    const double worst = std::max(m_residual[0].abs().maxCoeff(), m_residual[1].abs().maxCoeff());
    return !m_stopCheck.isStopped() &&
           m_complementarity <= tolerance * (m_epsilon * static_cast<double>(m_n) + std::abs(s.dot(gradient))) &&
           worst <= 1e-9 * m_scale && std::abs(m_missing) <= 1e-9 * (1 + m_mass);
}

bool Iterates::factorize() {
    m_barrier[0] = m_halves[0].barrier();
    m_barrier[1] = m_halves[1].barrier();
    m_factor.resize(m_n, m_n);
    for (Eigen::Index u = 0; u < m_n && !m_stopCheck.isStopped(); ++u) {
        m_factor.col(u).tail(m_n - u) = m_gram.col(u).tail(m_n - u);
        m_factor(u, u) += m_barrier[0](u) * m_barrier[1](u) / (m_barrier[0](u) + m_barrier[1](u));
        (void)m_stopCheck.spend(2 * m_n);
    }
    if (m_stopCheck.isStopped() || choleskyInPlace(m_factor, m_stopCheck) != CholeskyOutcome::Done) {
        return false;
    }
    m_ones = Eigen::VectorXd::Ones(m_n);
    solveByCholesky(m_factor, m_ones, m_stopCheck);
    return true;
}

double Iterates::direction() {
    // dₖ = (rₖ − K ds)/Dₖ with rₖ the right side; ds = d₁ + d₂ solves (K + (D₁⁻¹+D₂⁻¹)⁻¹) ds = …
    Eigen::ArrayXd right[2];
    for (int k = 0; k < 2; ++k) {
        const Half& half = m_halves[k];
        right[k] =
            -m_residual[k] + (half.targetLower / half.x - half.lower) - (half.targetUpper / (1 - half.x) - half.upper);
    }
    const Eigen::ArrayXd harmonic = m_barrier[0] * m_barrier[1] / (m_barrier[0] + m_barrier[1]);
    Eigen::VectorXd plain = (harmonic * (right[0] / m_barrier[0] + right[1] / m_barrier[1])).matrix();
    solveByCholesky(m_factor, plain, m_stopCheck);
    const double db = (m_missing - plain.sum()) / m_ones.sum();
    const Eigen::VectorXd ds = plain + db * m_ones;
    const Eigen::ArrayXd pulled = product(m_gram, ds, m_stopCheck).array();
    for (int k = 0; k < 2; ++k) {
        m_halves[k].dx = (right[k] + db - pulled) / m_barrier[k];
        m_halves[k].setMultiplierSteps();
    }
    return db;
}

bool Iterates::step() {
    if (!factorize()) {
        return false;
    }
    for (Half& half : m_halves) {
        half.targetLower = half.targetUpper = Eigen::ArrayXd::Zero(m_n);
    }
    (void)direction();
    const double primalGuess = std::min(longestPrimal(m_halves[0]), longestPrimal(m_halves[1]));
    const double dualGuess = std::min(longestDual(m_halves[0]), longestDual(m_halves[1]));
    const double guessed = m_halves[0].after(primalGuess, dualGuess) + m_halves[1].after(primalGuess, dualGuess);
    const double mu = m_complementarity / (4 * static_cast<double>(m_n));
    const double centring = std::pow(guessed / m_complementarity, 3) * mu;
    for (Half& half : m_halves) {
        half.targetLower = centring - half.dx * half.dLower;
        half.targetUpper = centring + half.dx * half.dUpper;
    }
    const double db = direction();
    if (m_stopCheck.isStopped() || !m_halves[0].dx.allFinite() || !m_halves[1].dx.allFinite() || !std::isfinite(db)) {
        return false; // as near as rounding allows
    }
    const double primal = std::min(longestPrimal(m_halves[0]), longestPrimal(m_halves[1]));
    const double dual = std::min(longestDual(m_halves[0]), longestDual(m_halves[1]));
    const double both = kBackOff * std::min(primal, dual); // a quadratic program couples them
    for (Half& half : m_halves) {
        half.step(both, both);
    }
    m_bias += both * db;
    return true;
}

Eigen::VectorXd Iterates::rounded() const {
    Eigen::VectorXd s(m_n);
    for (Eigen::Index u = 0; u < m_n; ++u) {
        double value = 0;
        for (const Half& half : m_halves) {
            const bool isLow = half.x(u) < half.lower(u) / m_scale;
            const bool isHigh = 1 - half.x(u) < half.upper(u) / m_scale;
            value += isLow ? 0.0 : isHigh ? 1.0 : std::clamp(half.x(u), 0.0, 1.0);
        }
        s(u) = std::clamp(quantized(value), 0.0, 2.0);
    }
    return s;
}

} // namespace

double interiorPointBytes(SampleIndex unlabeled) {
    return 2 * KernelRows::bytesPerRow(unlabeled) * static_cast<double>(unlabeled);
}

InteriorOutcome solveByInteriorPoint(const PuProblem& problem, double lambda, double tolerance, StopCheck& stopCheck) {
    InteriorOutcome outcome;
    outcome.bytes = interiorPointBytes(problem.unlabeled());
    Iterates iterates(problem, lambda, stopCheck);
    while (outcome.iterations < kMostIterations && !stopCheck.isStopped()) {
        outcome.hasConverged = iterates.isSolved(tolerance);
        if (outcome.hasConverged || stopCheck.isStopped() || !iterates.step()) {
            break;
        }
        ++outcome.iterations;
    }
    if (stopCheck.isStopped()) {
        return outcome;
    }
    // What lies on a bound up to the complementarity is put there, and the sum made exact.
    const SampleIndex p = problem.positives();
    Eigen::VectorXd rounded = Eigen::VectorXd::Zero(problem.size());
    rounded.tail(problem.unlabeled()) = iterates.rounded();
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), p);
    outcome.solved = pointAt(problem, rounded, stopCheck);
    spreadTo(ExactSum::of(problem.mass()), all, outcome.solved.scores.data(), problem.epsilon(lambda), rounded,
             [](SampleIndex, double) {});
    outcome.solved = pointAt(problem, std::move(rounded), stopCheck);
    completePoint(problem, lambda, outcome.solved);
    return outcome;
}

} // namespace lambdascope::pu
