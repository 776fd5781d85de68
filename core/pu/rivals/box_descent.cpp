// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/rivals/box_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::pu {

namespace {

/// Equal samples have no curvature between them: their step ends at a bound. In units of k(x, x).
constexpr double kLeastPairCurvature = 1e-12;

/// Samples whose slopes differ most; −1 where none can move that way.
struct Extremes {
    SampleIndex raise = -1;
    SampleIndex lower = -1;
    double highest = -std::numeric_limits<double>::infinity();
    double lowest = std::numeric_limits<double>::infinity();
};

class BoxDescent {
  public:
    explicit BoxDescent(BoxProblem& problem)
        : m_problem(problem), m_diagonal(problem.space.diagonal()),
          m_count(static_cast<SampleIndex>(problem.alpha.size())) {}

    [[nodiscard]] Extremes extremes() const {
        Extremes found;
        for (SampleIndex u = 0; u < m_count; ++u) {
            const double slope = m_problem.slope(u);
            if (m_problem.alpha(u) < m_problem.high(u) && slope > found.highest) {
                found.highest = slope;
                found.raise = u;
            }
            if (m_problem.alpha(u) > m_problem.low(u) && slope < found.lowest) {
                found.lowest = slope;
                found.lower = u;
            }
        }
        return found;
    }

    /// Raises the sample of highest slope and lowers the one that the problem asks for; false when no gain is a number.
    bool step(const Extremes& extremes) {
        const SampleIndex raise = extremes.raise;
        const KernelRow up = m_problem.space.row(raise, m_upScratch);
        const SampleIndex lower =
            m_problem.lowered == LoweredSample::Steepest ? extremes.lower : largestGain(raise, up.values);
        if (lower < 0) {
            return false;
        }
        const KernelRow down = m_problem.space.row(lower, m_downScratch);
        double& raised = m_problem.alpha(raise);
        double& lowered = m_problem.alpha(lower);
        const double room = m_problem.high(raise) - raised;
        const double rest = lowered - m_problem.low(lower);
        const double length = std::min(
            {(m_problem.slope(raise) - m_problem.slope(lower)) / curvature(raise, lower, up.values), room, rest});
        raised = length == room ? m_problem.high(raise) : raised + length;
        lowered = length == rest ? m_problem.low(lower) : lowered - length;
        const Eigen::Index all = m_problem.slope.size();
        m_problem.slope -= length * (Eigen::Map<const Eigen::VectorXd>(up.values, all) -
                                     Eigen::Map<const Eigen::VectorXd>(down.values, all));
        return true;
    }

    [[nodiscard]] std::int64_t operationsPerStep() const {
        return 6 * std::int64_t{m_count} + 4 * m_problem.slope.size() + 2 * m_problem.space.rowWork();
    }

  private:
    [[nodiscard]] double curvature(SampleIndex raise, SampleIndex lower, const double* row) const {
        return std::max(m_diagonal(raise) + m_diagonal(lower) - 2 * row[lower],
                        kLeastPairCurvature * m_diagonal(raise) + 1e-300);
    }

    [[nodiscard]] SampleIndex largestGain(SampleIndex raise, const double* row) const {
        SampleIndex found = -1;
        double best = 0;
        for (SampleIndex u = 0; u < m_count; ++u) {
            const double difference = m_problem.slope(raise) - m_problem.slope(u);
            if (m_problem.alpha(u) > m_problem.low(u) && difference > 0) {
                const double gain = difference * difference / curvature(raise, u, row);
                if (gain > best) {
                    best = gain;
                    found = u;
                }
            }
        }
        return found;
    }

    BoxProblem& m_problem;
    const Eigen::VectorXd& m_diagonal;
    SampleIndex m_count;
    std::vector<double> m_upScratch, m_downScratch;
};

} // namespace

BoxOutcome solveBox(BoxProblem problem, const BoxTolerance& tolerance, std::int64_t mostSteps, StopCheck& stopCheck) {
    BoxOutcome outcome;
    BoxDescent descent(problem);
    while (outcome.steps < mostSteps && !stopCheck.isStopped()) {
        const Extremes extremes = descent.extremes();
        outcome.highest = extremes.highest;
        outcome.lowest = extremes.lowest;
        const double equal = std::max(tolerance.absolute, tolerance.relative * std::abs(extremes.lowest));
        if (extremes.raise < 0 || extremes.lower < 0 || extremes.highest - extremes.lowest <= equal) {
            outcome.hasConverged = true;
            break;
        }
        if (!descent.step(extremes)) {
            break;
        }
        ++outcome.steps;
        (void)stopCheck.spend(descent.operationsPerStep());
    }
    outcome.alpha = std::move(problem.alpha);
    outcome.slope = std::move(problem.slope);
    return outcome;
}

} // namespace lambdascope::pu
