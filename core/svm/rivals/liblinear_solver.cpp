// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/rivals/liblinear_solver.h"

#include "core/common/clocks.h"

#include <linear.h>

#include <cassert>
#include <cstdlib>
#include <limits>
#include <vector>

namespace lambdascope::svm {

struct LiblinearSolver::Data {
    std::vector<feature_node> nodes;
    std::vector<feature_node*> rows;
    std::vector<double> labels;
    double positiveWeight = 1;
    double negativeWeight = 1;
};

LiblinearSolver::LiblinearSolver(const SvmProblem& problem) : m_problem(problem), m_data(std::make_unique<Data>()) {
    assert(problem.isLinear());
    const FeatureRows& x = problem.features();
    std::vector<std::size_t> starts;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        starts.push_back(m_data->nodes.size());
        if (x.dense() != nullptr) {
            for (Eigen::Index f = 0; f < x.features(); ++f) {
                if ((*x.dense())(i, f) != 0) {
                    m_data->nodes.push_back({static_cast<int>(f) + 1, (*x.dense())(i, f)});
                }
            }
        } else {
            for (FeatureRows::Sparse::InnerIterator it(*x.sparse(), i); it; ++it) {
                m_data->nodes.push_back({static_cast<int>(it.col()) + 1, it.value()});
            }
        }
        m_data->nodes.push_back({-1, 0});
        m_data->labels.push_back(problem.y()(i));
        (problem.y()(i) > 0 ? m_data->positiveWeight : m_data->negativeWeight) = problem.weights()(i);
    }
    for (const std::size_t start : starts) {
        m_data->rows.push_back(m_data->nodes.data() + start);
    }
}

LiblinearSolver::~LiblinearSolver() = default;

PointOutcome LiblinearSolver::solve(double c, double tolerance, RunContext& context) {
    const double cpuStart = threadCpuSeconds();
    set_print_string_function([](const char*) {});
    std::srand(static_cast<unsigned>(context.seed())); // the library draws its order from rand()
    ::problem data{};
    data.l = m_problem.size();
    data.n = static_cast<int>(m_problem.features().features());
    data.y = m_data->labels.data();
    data.x = m_data->rows.data();
    data.bias = -1;
    int classes[] = {1, -1};
    double weights[] = {m_data->positiveWeight, m_data->negativeWeight};
    ::parameter settings{};
    settings.solver_type = L2R_L1LOSS_SVC_DUAL;
    settings.eps = tolerance;
    settings.C = c;
    settings.nr_weight = 2;
    settings.weight_label = classes;
    settings.weight = weights;
    ::model* model = train(&data, &settings);

    PointOutcome outcome;
    SolvedSvm& solved = outcome.solved;
    solved.c = c;
    // The library's w belongs to the class it met first.
    const double sign = model->label[0] > 0 ? 1 : -1;
    solved.weights = sign * Eigen::Map<const Eigen::VectorXd>(model->w, data.n);
    free_and_destroy_model(&model);
    outcome.cpuSolve = threadCpuSeconds() - cpuStart;
    outcome.ledger.other = outcome.cpuSolve;

    solved.margins.resize(m_problem.size());
    double hinges = 0;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double margin = m_problem.y()(i) * m_problem.features().dot(i, solved.weights.data());
        solved.margins(i) = margin;
        hinges += m_problem.weights()(i) * std::max(0.0, 1 - margin);
        outcome.setCounts.zero += margin > 1 + tolerance ? 1 : 0;
        outcome.setCounts.full += margin < 1 - tolerance ? 1 : 0;
    }
    solved.hingeSum = exactly(hinges);
    solved.squaredNorm = exactly(solved.weights.squaredNorm());
    solved.gap = std::numeric_limits<double>::quiet_NaN();
    outcome.primal = exactly(0.5 * solved.squaredNorm.value + c * hinges);
    outcome.dual = exactly(solved.gap);
    if (context.shouldStop()) {
        outcome.termination = context.stopReason();
    }
    return outcome;
}

} // namespace lambdascope::svm
