// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/factor_solver.h"

#include "core/common/clocks.h"
#include "core/common/random_stream.h"
#include "core/numeric/psd_projection.h"
#include "core/ordinal/solver/bound_climb.h"
#include "core/ordinal/solver/points_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lambdascope::ordinal {

namespace {

/// Steps in a turn.
constexpr int kPrimalSteps = 20;
/// What a turn has to gain for another one: this share of the tolerance, and of the gap by steps of each kind.
constexpr double kSettledShare = 0.1;
constexpr double kPrimalShare = 1e-4;
constexpr double kBoundShare = 5e-3;
/// Widths of the smoothed hinge, over the margin.
constexpr double kFirstWidth = 0.1;
constexpr double kLastWidth = 1e-3;
constexpr double kWidthRatio = 0.1;
/// Of a top: relative fall over a turn at which it has settled, and the most turns.
constexpr double kTopTolerance = 1e-5;
constexpr int kMostTopTurns = 50;
/// Length of a column, over the longest one, below which it counts as vanished, and of the noise it gets then.
constexpr double kVanished = 1e-3;
constexpr double kNoise = 0.03;

/// The same L Lᵀ by orthogonal columns in rising order of length. Unchanged when stopped.
void orthogonalize(Points& l, StopCheck& stopCheck) {
    const EigenSystem axes = symmetricEigenSystem(l.transpose() * l, stopCheck);
    if (axes.succeeded) {
        l = l * axes.vectors;
    }
}

/// Gives columns that have vanished a little noise; `length` is that of a column where all have. False: there are none.
bool revive(Points& l, double length, RandomStream& random) {
    const double longest = l.colwise().norm().maxCoeff();
    const double noise = kNoise * (longest > 0 ? longest : length) / std::sqrt(static_cast<double>(l.rows()));
    bool isAny = false;
    for (Eigen::Index column = 0; column < l.cols(); ++column) {
        if (l.col(column).norm() > kVanished * longest) {
            continue;
        }
        isAny = true;
        for (Eigen::Index row = 0; row < l.rows(); ++row) {
            l(row, column) += noise * random.normal();
        }
    }
    return isAny;
}

/// One solve.
class FactorAttempt {
  public:
    FactorAttempt(const FactoredGram& problem, double lambda, const FactorPoint& start, std::int32_t pointIndex,
                  const FactorSettings& settings, std::uint64_t seed, RunContext& context)
        : m_problem(problem), m_lambda(lambda), m_pointIndex(pointIndex), m_settings(settings), m_context(context),
          m_stopCheck([&context] { return context.shouldStop(); }),
          m_random(seed, "factor of point " + std::to_string(pointIndex)), m_start(startFrom(start)),
          m_width(problem.gamma() > 0 ? problem.gamma() : kFirstWidth * problem.margin()),
          m_search(makeSearch(m_start)),
          m_climb(problem, lambda, start.alphas, polarFrom(start), start.curvature, m_stopCheck) {
        m_cpuStart = threadCpuSeconds();
        offerSlopes();
    }

    FactorOutcome run() {
        Termination end = Termination::IterationLimit;
        bool isMinimal = false;
        bool isClimbed = !m_settings.wantsBound;
        double dual = m_settings.wantsBound ? m_climb.bound().lower() : m_search.value(); // no gap to ask for
        while (m_iterations < m_settings.maxIterations) {
            if (!isMinimal) {
                isMinimal = !minimize(
                    std::max(kSettledShare * target(m_search.value()), kPrimalShare * (m_search.value() - dual)));
            }
            if (!isClimbed && m_climb.turn()) {
                const double reached = m_climb.bound().lower();
                const double least =
                    std::max(kSettledShare * target(m_search.value()), kBoundShare * (m_search.value() - reached));
                isClimbed = isMinimal && !(reached - dual > least);
                dual = reached;
            }
            if (m_stopCheck.ask()) {
                end = m_context.stopReason();
                break;
            }
            publish(dual);
            if (isMinimal && (isClimbed || isProven())) {
                end = m_settings.wantsBound && isProven() ? Termination::Converged : Termination::NotProven;
                break;
            }
        }
        return finish(end);
    }

  private:
    [[nodiscard]] double target(double primal) const {
        return m_settings.toleranceKind == triplets::ToleranceKind::Absolute
                   ? m_settings.tolerance
                   : m_settings.tolerance * std::max(1.0, std::abs(primal));
    }

    Points startFrom(const FactorPoint& start) {
        Points l = start.factor;
        (void)revive(l, std::sqrt(m_problem.margin()), m_random);
        return l;
    }

    /// That of the start, or noise of the size of K.
    Points polarFrom(const FactorPoint& start) {
        Points y = start.polar.size() > 0 ? start.polar : Points::Zero(start.factor.rows(), start.factor.cols());
        (void)revive(y, std::sqrt(m_lambda) * start.factor.norm(), m_random);
        return y;
    }

    Lbfgs makeSearch(const Points& from) {
        return searchFrom(from, [this](Eigen::Ref<const Points> l, Eigen::Ref<Points> gradient) {
            ++m_evaluations;
            return m_problem.primal(l, m_lambda, m_width, gradient, m_stopCheck);
        });
    }

    /// False when the value has settled: it falls by less than `least` in a turn.
    bool minimize(double least) {
        const double before = m_search.value();
        bool moves = true;
        for (int step = 0; step < kPrimalSteps && moves && m_iterations < m_settings.maxIterations; ++step) {
            moves = !m_stopCheck.isStopped() && m_search.iterate();
            m_iterations += moves ? 1 : 0;
        }
        if (m_stopCheck.isStopped() || !std::isfinite(m_search.value())) {
            return false;
        }
        if (moves && before - m_search.value() > least) {
            return true;
        }
        if (m_problem.gamma() == 0 && m_width > kLastWidth * m_problem.margin()) {
            m_width *= kWidthRatio;
            m_search = makeSearch(pointOf(m_search, m_start.cols()));
            return true;
        }
        const bool isLower = m_settledValue - m_search.value() > least;
        if (m_search.value() < m_settledValue) {
            m_settled = pointOf(m_search, m_start.cols());
            m_settledValue = m_search.value();
        }
        Points l = m_settled;
        orthogonalize(l, m_stopCheck);
        const bool goesOn = isLower && revive(l, 0, m_random);
        m_search = makeSearch(goesOn ? l : m_settled);
        if (goesOn) {
            return true;
        }
        offerSlopes();
        return false;
    }

    /// The α of L to the lower bound.
    void offerSlopes() {
        std::vector<double> z;
        std::vector<double> alphas;
        if (m_settings.wantsBound && m_problem.distances(pointOf(m_search, m_start.cols()), z, m_stopCheck)) {
            (void)m_problem.slopes(z, m_width, alphas);
            m_climb.offer(alphas);
        }
    }

    [[nodiscard]] bool isProven() {
        const FactoredGram::Value value = m_problem.value(pointOf(m_search, m_start.cols()), m_lambda, m_stopCheck);
        return (value.primal - m_climb.bound()).upper() <= target(value.primal.value);
    }

    void publish(double dual) {
        Iterated step;
        step.pointIndex = m_pointIndex;
        step.iteration = m_iterations;
        step.objective = m_search.value();
        step.optimality = {OptimalityKind::DualityGap, m_search.value() - dual};
        step.tolerance = target(m_search.value());
        step.activeItems = static_cast<std::int64_t>(m_problem.set().items().size());
        step.cpu = threadCpuSeconds() - m_cpuStart;
        m_context.publish(step);
    }

    FactorOutcome finish(Termination end) {
        FactorOutcome outcome;
        outcome.iterations = m_iterations;
        outcome.evaluations = m_evaluations;
        outcome.termination = end;
        outcome.point.factor = pointOf(m_search, m_start.cols());
        orthogonalize(outcome.point.factor, m_stopCheck);
        const FactoredGram::Value value = m_problem.value(outcome.point.factor, m_lambda, m_stopCheck);
        outcome.primal = value.primal;
        outcome.loss = value.loss;
        outcome.dual = m_settings.wantsBound ? m_climb.bound() : Bounded{-std::numeric_limits<double>::infinity(), 0};
        const Bounded gap = outcome.primal - outcome.dual;
        outcome.gap = std::max(gap.value, 0.0) + gap.error;
        outcome.point.alphas = m_climb.alphas();
        outcome.point.polar = m_climb.polar();
        outcome.point.curvature = m_climb.curvature();
        if (m_stopCheck.isStopped()) {
            outcome.termination = m_context.stopReason();
        } else if (!std::isfinite(outcome.primal.value)) {
            outcome.termination = Termination::NumericalTrouble;
        }
        return outcome;
    }

    const FactoredGram& m_problem;
    double m_lambda;
    std::int32_t m_pointIndex;
    const FactorSettings& m_settings;
    RunContext& m_context;
    StopCheck m_stopCheck;
    RandomStream m_random;
    Points m_start;
    double m_width; ///< of the smoothed loss that is minimized
    std::int64_t m_iterations = 0;
    std::int64_t m_evaluations = 0;
    Lbfgs m_search;
    Points m_settled; ///< the best point where the value settled
    double m_settledValue = std::numeric_limits<double>::infinity();
    BoundClimb m_climb;
    double m_cpuStart = 0;
};

} // namespace

FactorTop factorTop(const FactoredGram& problem, Eigen::Index rank, std::uint64_t seed, StopCheck& stopCheck) {
    std::vector<double> alphas;
    for (const PairedComparisons::Item& item : problem.set().items()) {
        alphas.push_back(item.weight);
    }
    std::vector<double> weights;
    problem.pairWeights(alphas, weights);
    double largest = 0;
    for (const double weight : weights) {
        largest = std::max(largest, std::abs(weight));
    }
    FactorTop top;
    top.factor = Points::Zero(problem.set().objects(), rank);
    const double whole = *std::max_element(alphas.begin(), alphas.end());
    if (largest <= roundingFactor(static_cast<double>(problem.set().largestShare()) + 4) * whole *
                       static_cast<double>(problem.set().largestShare())) {
        return top; // every pull has its counterpart
    }
    RandomStream random(seed, "top of the factor");
    for (Eigen::Index i = 0; i < top.factor.size(); ++i) {
        top.factor.data()[i] = std::sqrt(largest) * random.normal();
    }
    Lbfgs search = searchFrom(top.factor, [&](Eigen::Ref<const Points> l, Eigen::Ref<Points> gradient) {
        return problem.distanceToCone(l, weights, -1, gradient, stopCheck);
    });
    for (int turn = 0; turn < kMostTopTurns && !stopCheck.isStopped(); ++turn) {
        const double before = search.value();
        int step = 0;
        while (step < kPrimalSteps && !stopCheck.isStopped() && search.iterate()) {
            ++step;
        }
        if (step < kPrimalSteps || before - search.value() <= kTopTolerance * std::abs(search.value())) {
            break;
        }
    }
    top.factor = pointOf(search, rank);
    orthogonalize(top.factor, stopCheck);
    std::vector<double> z;
    if (!problem.distances(top.factor, z, stopCheck)) {
        return top;
    }
    for (const PairedComparisons::Item& item : problem.set().items()) {
        top.lambdaMax = std::max(top.lambdaMax, (z[item.far] - z[item.near]) / (problem.margin() - problem.gamma()));
    }
    return top;
}

FactorPoint topPoint(const FactoredGram& problem, const FactorTop& top, Eigen::Index rank, double lambda) {
    FactorPoint point;
    point.factor = top.factor.rightCols(rank) / std::sqrt(lambda);
    for (const PairedComparisons::Item& item : problem.set().items()) {
        point.alphas.push_back(item.weight);
    }
    return point;
}

FactorOutcome solveFactored(const FactoredGram& problem, double lambda, const FactorPoint& start,
                            std::int32_t pointIndex, const FactorSettings& settings, std::uint64_t seed,
                            RunContext& context) {
    return FactorAttempt(problem, lambda, start, pointIndex, settings, seed, context).run();
}

} // namespace lambdascope::ordinal
