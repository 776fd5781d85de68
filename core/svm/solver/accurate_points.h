// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/double_double.h"
#include "core/svm/solver/point_solver.h"

#include <Eigen/Core>

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace lambdascope::svm {

class FreeSetSystem;

/// Takes rounding out of a solution whose gap it holds up. t − f is found in double-double arithmetic where the gap
/// depends on it; then α of the free samples is refined by Newton steps with these residuals
/// (iterative refinement [Higham 2002, §12.1]), whose own changes of f are so small that double arithmetic will do for
/// them. What comes out is feasible and its gap a proven upper bound, as that of any solution. A free bias is one more
/// unknown of these steps, and yᵀα = 0 one more equation.
class SolutionRefinement {
  public:
    /// `factor` is that of the last solution of the same problem.
    SolutionRefinement(const SvmProblem& problem, FreeSetFactor& factor, StopCheck& stopCheck)
        : m_problem(problem), m_factor(factor), m_stopCheck(stopCheck) {}

    /// Lowers the gap of the outcome's solution to `target`, or as far as it goes. The outcome stays as it is when that
    /// does not help, when features are too large or small for double-double products, or when `stopCheck` asks to
    /// stop.
    void refine(PointOutcome& outcome, double target);

  private:
    struct State {
        Eigen::VectorXd alpha;
        Eigen::VectorXd alphaLow;  ///< α = alpha + alphaLow
        Eigen::VectorXd shortfall; ///< t − f
        Eigen::VectorXd error;     ///< of it
        Eigen::VectorXd weights;   ///< w of a linear kernel
        DoubleDouble bias;         ///< the free one
        double marginError = 0;    ///< of f of all samples, per ‖z‖
        double gapValue = 0;
        double gap = 0;  ///< upper bound
        int changes = 0; ///< steps since t − f was measured
    };

    void begin(const SolvedSvm& solved);
    /// t − f in double-double arithmetic, where the gap depends on it; false when features do not allow that.
    bool measure();
    /// What the steps since the last measurement have left of rounding is most of the gap.
    [[nodiscard]] bool isWorn() const { return m_state.changes > 0 && m_state.gapValue <= 0.5 * m_state.gap; }
    /// Takes t − f over for a sample.
    void takeMargin(SampleIndex i, DoubleDouble margin, double error);
    void sumGap();
    /// Samples that may move, ascending: those between their bounds or on the wrong side of the margin.
    [[nodiscard]] std::vector<SampleIndex> movable() const;
    /// The change of α of `samples` that brings t − f of all of them to 0 but of those that it would take beyond their
    /// bounds, which stop there. (Cut off afterwards, the step of one of two twins would leave the other's alone.)
    /// `system` is prepared for `samples`. `shift` becomes the change of a free bias. False when it cannot be solved.
    bool solveWithinBounds(FreeSetSystem& system, const std::vector<SampleIndex>& samples, Eigen::VectorXd& solution,
                           double& shift);
    /// Takes the free bias out of `part`, the solution of `open` without it: what `held`, the others, leave of yᵀα = 0
    /// tells the bias.
    bool balance(FreeSetSystem& system, const std::vector<SampleIndex>& samples, const std::vector<Eigen::Index>& open,
                 double held, Eigen::VectorXd& part, double& shift);
    /// yᵀα.
    [[nodiscard]] double imbalance() const;
    /// A Newton step over them. False when nothing moves.
    bool step();
    /// Adds `change` to α, which stays between its bounds; what it changed by.
    double move(SampleIndex i, double change);
    [[nodiscard]] double upper(SampleIndex i) const { return m_c * m_problem.weights()(i); } ///< Cωᵢ
    void finish(PointOutcome& outcome) const;

    const SvmProblem& m_problem;
    FreeSetFactor& m_factor;
    StopCheck& m_stopCheck;
    double m_c = 0;
    State m_state;
};

/// Solutions of much higher accuracy than a run's, for audits: relative gap 1e-10, found without any screening and
/// refined in double-double arithmetic where rounding holds the gap up. Solved once per C and shared by the lanes of an
/// experiment. Thread-safe; solving is serial.
class AccuratePoints {
  public:
    static constexpr double kPromisedGap = 1e-10; ///< relative

    explicit AccuratePoints(const SvmProblem& problem);

    /// The solution at `c`, found from `start`; null when stopped.
    std::shared_ptr<const PointOutcome> at(double c, const SolvedSvm& start, std::stop_token stop);

  private:
    std::mutex m_mutex;
    const SvmProblem& m_problem;
    PointSolver m_solver;
    FreeSetFactor m_factor; ///< of refinements
    std::map<double, std::shared_ptr<const PointOutcome>> m_known;
};

} // namespace lambdascope::svm
