// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"
#include "core/run/known_lane.h"
#include "core/svm/path/held_out_test.h"
#include "core/svm/problem/sample_weights.h"
#include "core/svm/problem/svm_config.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/solver/point_solver.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope::svm {

class AccuratePoints;
class FoldPaths;

/// Everything that a preparation works out, in its order.
struct PreparedParts {
    std::shared_ptr<const Dataset> data;
    /// The rows with a constant feature, for a linear kernel with bias; else null. The problem looks at them.
    std::shared_ptr<const DenseRows> biasedDense;
    std::shared_ptr<const SparseRows> biasedSparse;
    std::shared_ptr<const KernelRows> rows; ///< null for the linear kernel
    double rowsCpu = 0;                     ///< seconds that making them took
    double kernelRidge = 0;                 ///< of a precomputed kernel, see kernelMatrixRidge
    std::unique_ptr<SvmProblem> problem;
    std::string positive;        ///< name of the positive class; empty for regression
    Eigen::VectorXd targets;     ///< of regression
    double targetMean = 0;       ///< taken off the targets, where a free bias gives it back
    SampleWeights sampleWeights; ///< from a file; without numbers when there is none
    SolvedSvm bottom;            ///< solution at cMin: in closed form, or that of PathStart
    double cMin = 0;             ///< of the path; infinite when every C has all samples at their bounds
    std::vector<double> schedule;
};

/// Kernel rows, C_min and the values of C of an experiment, shared by its lanes.
class PreparedSvm final : public PreparedProblem {
  public:
    PreparedSvm(const std::shared_ptr<const SvmConfig>& config, std::uint64_t seed, PreparedParts parts);
    ~PreparedSvm() override;

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override;
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t lane) const override;

    [[nodiscard]] const Dataset& data() const { return *m_parts.data; }
    [[nodiscard]] const SvmProblem& problem() const { return *m_parts.problem; }
    [[nodiscard]] const ProblemConfig& config() const { return m_config->problem; }
    [[nodiscard]] const PathConfig& path() const { return m_config->path; }
    [[nodiscard]] const Lane& lane(std::size_t number) const { return m_config->lanes[number]; }
    /// CPU seconds of the kernel rows that lanes did not have to make, where it would be unfair not to count them:
    /// beside a lane of a library that makes its own. Else 0.
    [[nodiscard]] double rowsCpu() const;
    /// What the oracle lane `lane` knows; null for other lanes.
    [[nodiscard]] std::unique_ptr<KnownLane> makeKnownLane(const Lane& lane) const;
    /// Where `lane` leaves its solutions for oracle lanes; null when none asks for them.
    [[nodiscard]] FinishedPoints* finishedPoints(const Lane& lane) const;
    /// The one C of a path of references.
    [[nodiscard]] double fixedC() const { return path().unit == CUnit::CMin ? path().c * m_parts.cMin : path().c; }
    /// Values of C.
    [[nodiscard]] const std::vector<double>& schedule() const { return m_parts.schedule; }
    /// What stands for C on the axis: ν = 1/(C Σω) of one class, which is what its users know, and C for ν; else C.
    [[nodiscard]] double onAxis(double c) const {
        return config().isNovelty() ? 1 / (c * m_parts.problem->weights().sum()) : c;
    }
    /// Of regression, one for each row; else none.
    [[nodiscard]] const Eigen::VectorXd& targets() const { return m_parts.targets; }
    /// Added to the free bias of a solution, it is that of f(x).
    [[nodiscard]] double targetMean() const { return m_parts.targetMean; }
    /// Name of the class with y = +1; empty for regression.
    [[nodiscard]] const std::string& positive() const { return m_parts.positive; }
    [[nodiscard]] const SolvedSvm& bottom() const { return m_parts.bottom; }
    [[nodiscard]] const HeldOutTest& heldOutTest() const { return m_heldOutTest; }
    /// Of all lanes, since they have the same optima; null without cross-validation.
    [[nodiscard]] FoldPaths* folds() const { return m_folds.get(); }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    /// n, d, C_min, …: the same for all lanes.
    [[nodiscard]] Json facts() const;

  private:
    PreparedParts m_parts;
    std::shared_ptr<const SvmConfig> m_config;
    std::uint64_t m_seed;
    HeldOutTest m_heldOutTest;
    std::shared_ptr<AccuratePoints> m_accurate; ///< of all lenses: lanes have the same optima
    std::unique_ptr<FoldPaths> m_folds;
    std::shared_ptr<FinishedPoints> m_finished; ///< of lanes whose sets an oracle lane knows
};

} // namespace lambdascope::svm
