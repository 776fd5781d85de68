// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/svm_samples.h"

#include <libsvm/svm.h>

#include <memory>
#include <vector>

namespace lambdascope::benchmarks {

/// Values of an SVM's primal and dual problem at one C.
struct Objectives {
    double primal = 0;
    double dual = 0;
};

/// How far objectives along a path are from optimal ones: the worst of them, relative to the optimum.
struct ObjectiveErrors {
    double primal = 0;
    double dual = 0;
};
[[nodiscard]] ObjectiveErrors worstErrors(const std::vector<Objectives>& found, const std::vector<Objectives>& optimal);

/// LIBSVM (RBF kernel, 1 GB of cache, shrinking), each problem from nothing. Its problem has a bias.
class LibsvmSolver {
  public:
    struct FreeModel {
        void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
    };
    using Model = std::unique_ptr<svm_model, FreeModel>;

    LibsvmSolver(const Samples& samples, double gamma);

    /// `violation`: the library's stopping tolerance, 1e-3 by default.
    [[nodiscard]] Model train(double c, double violation);
    /// Of what the model says, on all samples. O(n · support vectors · d).
    [[nodiscard]] Objectives objectivesOf(const svm_model& model, double c) const;

  private:
    std::vector<svm_node> m_nodes;
    std::vector<svm_node*> m_rows;
    std::vector<double> m_y;
    double m_gamma;
};

} // namespace lambdascope::benchmarks
