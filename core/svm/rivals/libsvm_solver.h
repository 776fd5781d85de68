// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/svm/rivals/libsvm_program.h"
#include "core/svm/solver/point_solver.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lambdascope::svm {

struct LibsvmAnswer;
struct LibsvmRequest;

/// What a problem does not say of itself.
struct LibsvmTask {
    TaskKind task = TaskKind::Classification;
    KernelFunction kernel;       ///< linear, RBF or polynomial
    double epsilon = 0;          ///< of regression
    Eigen::VectorXd targets;     ///< of regression, those that the problem is of
    double cacheMegabytes = 100; ///< of kernel rows
    bool shrinks = true;
};

/// The library LIBSVM [Chang and Lin 2011], by the program lambdascope-libsvm: C-SVC, ε-SVR and one-class SVM, each C
/// from nothing, in a process of its own, which a stop kills and a pause holds. It begins with the first point and ends
/// with this object.
///
/// The library keeps kernel values in single precision. What it finds is judged here: with its α (that of one class
/// times C, since LIBSVM's is α/C) in double precision, and the best b for it, primal, dual and gap are those of any
/// other solution, and rounding that keeps α off yᵀα = s is paid for in the gap. Judging is on nobody's account: CPU
/// time is that of the process.
class LibsvmSolver {
  public:
    /// The problem must have a free bias, and ω = 1 but for those of two classes; it must outlive this.
    LibsvmSolver(const SvmProblem& problem, LibsvmTask task, std::filesystem::path program = libsvmProgram());

    /// `tolerance` is the library's own ε: by how much the most violating pair of samples may violate the conditions of
    /// optimality. ConvergedLoosely where single precision has kept it from that. Errors: what became of the process
    /// (libsvmError), and InvalidData for α that are no numbers. O(n) for each support vector besides the library's
    /// own.
    Result<PointOutcome> solve(double c, double tolerance, RunContext& context);

    /// Most memory that the process has had up to now, in bytes.
    [[nodiscard]] std::uint64_t peakBytes() const { return m_process.peakBytes(); }

  private:
    /// Starts the process where it does not run, and asks; `cpu` is what the answer took.
    HelperProcess::Trouble ask(const LibsvmRequest& request, LibsvmAnswer& answer, double& cpu);
    /// Starts the process and tells it of the problem.
    HelperProcess::Trouble begin(LibsvmAnswer& answer);
    HelperProcess::Trouble sendRows();
    [[nodiscard]] bool mayWait();
    /// InvalidData where the answer is none.
    [[nodiscard]] Result<void> check(const LibsvmAnswer& answer, double c) const;
    /// Whether the gap is as small as the tolerance says.
    [[nodiscard]] bool keepsPromise(const PointOutcome& outcome, double tolerance) const;
    /// The library's coefficients as α of the samples.
    [[nodiscard]] Eigen::VectorXd alphaOf(const std::vector<double>& coefficients, double c) const;

    const SvmProblem& m_problem;
    LibsvmTask m_task;
    RunContext* m_context = nullptr; ///< of the point that is being solved
    HelperProcess m_process;
};

} // namespace lambdascope::svm
