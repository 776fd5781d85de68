// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/path_extrapolation.h"
#include "core/pu/engines/pu_values.h"
#include "core/run/value_bounds.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lambdascope::pu {

/// What a path has taken so far.
struct PathWork {
    std::int64_t steps = 0; ///< of the last point; 0: nothing is known of a point like it
    double operations = 0;
    double inVain = 0; ///< of them, in looks that decided nothing

    void transfer(auto& archive) { archive(steps, operations, inVain); }
};

/// A feasible point at one λ with what follows from it, in the units of PuProblem: start of the next λ.
struct SolvedPu {
    double lambda = 0;
    double prior = 0;
    Eigen::VectorXd s;       ///< of all samples; 0 for the positives
    Eigen::VectorXd scores;  ///< a = z − b of all samples, positives too
    double drift = 0;        ///< rounding that changes on the way have left in the scores, per ‖φ‖
    double error = 0;        ///< of the scores altogether, per ‖φ‖
    Eigen::VectorXd weights; ///< ω of the linear kernel; else empty
    ExactSum mass;           ///< Σs
    BiasRange biases;        ///< optimal ones
    double bias = 0;
    double gap = 0;         ///< upper bound, primal − dual
    double violation = 0;   ///< largest of [P, (13)]
    double squaredNorm = 0; ///< ‖ω‖²
    double primal = 0;      ///< in the units of [P, (5)]
    double dual = 0;
    std::vector<Decision> decisions; ///< what it proves of the unlabeled samples; empty: nobody has asked
    PathWork work;                   ///< of the path up to here
    PathExtrapolation trend;         ///< since the solution before

    [[nodiscard]] double bytes() const {
        return static_cast<double>(sizeof(double)) * static_cast<double>(s.size() + scores.size() + weights.size()) +
               static_cast<double>(decisions.size()) + trend.bytes();
    }

    void transfer(auto& archive) {
        auto& [l, pi, sigma, z, moved, doubt, w, sum, optimal, b, distance, worst, square, above, below, known, taken,
               since] = *this;
        archive(l, pi, sigma, z, moved, doubt, w, sum, optimal, b, distance, worst, square, above, below, known, taken,
                since);
    }
};

/// What a completed point proves of the optimal value, in the units of [P, (5)]; nothing for one without s.
[[nodiscard]] ValueBounds boundsOf(const PuProblem& problem, const SolvedPu& solved);

/// What a stretch of work came to.
struct EngineRun {
    double violation = 0; ///< over the samples still visited
    std::int64_t steps = 0;
    bool hasStalled = false; ///< rounding leaves no progress
};

/// Moves s towards the optimum for one ε, over the members: the unlabeled samples that screening has left.
class PuEngine {
  public:
    explicit PuEngine(const PuProblem& problem);
    virtual ~PuEngine() = default;
    PuEngine(const PuEngine&) = delete;
    PuEngine& operator=(const PuEngine&) = delete;

    /// Takes over a point, whatever its λ, with all unlabeled samples as members.
    virtual void load(double epsilon, const SolvedPu& start);
    /// Works until the violation over the members is at most `target`, or about `steps` steps are done.
    virtual EngineRun run(std::int64_t steps, double target, StopCheck& stopCheck) = 0;
    /// Brings the scores of all members up to date.
    virtual void update(StopCheck& stopCheck) = 0;
    /// Brings all scores up to date and makes all unlabeled samples members again.
    virtual void updateAll(StopCheck& stopCheck) = 0;
    /// Makes all scores anew from s, so that only fresh rounding is in them.
    virtual void refresh(StopCheck& stopCheck) = 0;
    /// Fixes s of members by decisions aligned with members(), whose scores are up to date. Changes what the solver
    /// holds of s: the sum is kept by moving the members that stay.
    virtual void fix(std::span<const Decision> decisions, StopCheck& stopCheck) = 0;
    /// Samples visited now: members without those that shrinking has put aside.
    [[nodiscard]] virtual std::int64_t visited() const { return static_cast<std::int64_t>(m_members.size()); }
    /// ω of the linear kernel; else empty.
    [[nodiscard]] virtual Eigen::VectorXd weights() const { return {}; }
    [[nodiscard]] virtual double bytes() const;
    /// Kernel values read to keep scores up to date, since the last load().
    [[nodiscard]] std::int64_t kernelValues() const { return m_kernelValues; }
    /// Floating-point operations, roughly, since the last load().
    [[nodiscard]] double operations() const { return m_operations; }

    [[nodiscard]] std::span<const SampleIndex> members() const { return m_members; }
    [[nodiscard]] const Eigen::VectorXd& s() const { return m_s; }
    [[nodiscard]] const Eigen::VectorXd& scores() const { return m_scores; }
    /// The dual value, in the units of PuProblem; what fix() changes is only counted in with the next updateAll().
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] double drift() const { return m_drift; }
    [[nodiscard]] double error() const { return m_problem.kernelValueError() + m_drift; }
    /// The members as they stand; their scores have to be up to date.
    [[nodiscard]] PuView view() const;

  protected:
    /// A sample and what its s changed by.
    using Change = PuSpace::Weighted;
    /// Sets s of members by decisions, takes them out of the list and lets the others keep the sum; all changes of s.
    std::vector<Change> applyDecisions(std::span<const Decision> decisions);

    const PuProblem& m_problem;
    double m_epsilon = 0;
    Eigen::VectorXd m_s;
    Eigen::VectorXd m_scores;
    std::vector<SampleIndex> m_members;
    double m_drift = 0;
    double m_norm = 0;  ///< upper bound of ‖ω‖
    double m_value = 0; ///< dual value
    std::int64_t m_kernelValues = 0;
    double m_operations = 0;
};

/// Σ of s over samples, exactly.
[[nodiscard]] ExactSum sumOf(const Eigen::VectorXd& s, std::span<const SampleIndex> samples);

/// Moves s of `samples` by `amount` altogether, within [0, 2]: each piece between two kinks in the order of the slope
/// of the dual value. Calls moved(sample, change) for each. O(n + moves · log n).
void spreadAmount(double amount, std::span<const SampleIndex> samples, const double* scores, double epsilon,
                  Eigen::VectorXd& s, const std::function<void(SampleIndex, double)>& moved);

/// The same until s of `samples` sum up to `sum`, exactly.
void spreadTo(const ExactSum& sum, std::span<const SampleIndex> samples, const double* scores, double epsilon,
              Eigen::VectorXd& s, const std::function<void(SampleIndex, double)>& moved);

/// The closed-form feasible start σ = c₁p/n: s = m/n for all, scores not yet made. O(n).
[[nodiscard]] Eigen::VectorXd uniformStart(const PuProblem& problem);
/// s = 2 for the unlabeled samples of the largest hᵤ, 0 for the others: closed form too. O(n log n).
[[nodiscard]] Eigen::VectorXd rankedStart(const PuProblem& problem, const Eigen::VectorXd& ranks);

/// −½‖ω‖² + ε Σ min(s, 2−s), from scores of all samples. O(n).
[[nodiscard]] double dualValue(const PuProblem& problem, double epsilon, const Eigen::VectorXd& s,
                               const Eigen::VectorXd& scores);

/// A point made from s alone: scores from nothing.
[[nodiscard]] SolvedPu pointAt(const PuProblem& problem, Eigen::VectorXd s, StopCheck& stopCheck);
/// Scores t − Ks of all samples, and their rounding (drift) per ‖φ‖; ω for the linear kernel.
void makeScores(const PuProblem& problem, SolvedPu& point, StopCheck& stopCheck);
/// The optimal biases, and the gap at the middle one.
struct KnownGap {
    BiasRange biases;
    double gap = 0;
};
/// Fills in mass, bias, gap, norm and values from s and scores, at λ, bias and gap being looked for only where they are
/// not `known`; `near`: see optimalBias().
void completePoint(const PuProblem& problem, double lambda, SolvedPu& point, const BiasRange* near = nullptr,
                   const KnownGap* known = nullptr);
/// The same point for another prior: s is raised or lowered where that costs least.
[[nodiscard]] SolvedPu movedTo(const PuProblem& problem, const SolvedPu& start, double lambda, StopCheck& stopCheck);

[[nodiscard]] std::unique_ptr<PuEngine> makeEngine(const PuProblem& problem, bool shrinks);

} // namespace lambdascope::pu
