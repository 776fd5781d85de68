// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/libsvm_solver.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::benchmarks {

ObjectiveErrors worstErrors(const std::vector<Objectives>& found, const std::vector<Objectives>& optimal) {
    ObjectiveErrors worst;
    for (std::size_t k = 0; k < found.size(); ++k) {
        const double optimum = optimal[k].dual;
        worst.primal = std::max(worst.primal, (found[k].primal - optimum) / optimum);
        worst.dual = std::max(worst.dual, (optimum - found[k].dual) / optimum);
    }
    return worst;
}

LibsvmSolver::LibsvmSolver(const Samples& samples, double gamma)
    : m_y(samples.y.data(), samples.y.data() + samples.y.size()), m_gamma(gamma) {
    const DenseRows x = samples.data->toDense();
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        for (Eigen::Index f = 0; f < x.cols(); ++f) {
            m_nodes.push_back({static_cast<int>(f) + 1, x(i, f)});
        }
        m_nodes.push_back({-1, 0});
    }
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        m_rows.push_back(m_nodes.data() + i * (x.cols() + 1));
    }
    svm_set_print_string_function([](const char*) {});
}

LibsvmSolver::Model LibsvmSolver::train(double c, double violation) {
    svm_problem problem{static_cast<int>(m_rows.size()), m_y.data(), m_rows.data()};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = m_gamma;
    parameter.cache_size = 1000;
    parameter.eps = violation;
    parameter.C = c;
    parameter.shrinking = 1;
    return Model(svm_train(&problem, &parameter));
}

Objectives LibsvmSolver::objectivesOf(const svm_model& model, double c) const {
    const double sign = model.label[0] == 1 ? 1 : -1; // of the decision value, by the order of the labels
    std::vector<double> decisions(m_rows.size());
    double loss = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        svm_predict_values(&model, m_rows[i], &decisions[i]);
        decisions[i] *= sign;
        loss += std::max(0.0, 1 - m_y[i] * decisions[i]);
    }
    double sum = 0;     // Σα
    double squares = 0; // αᵀQα
    for (int k = 0; k < model.l; ++k) {
        const auto i = static_cast<std::size_t>(model.sv_indices[k] - 1);
        const double alpha = std::abs(model.sv_coef[0][k]);
        sum += alpha;
        squares += alpha * m_y[i] * (decisions[i] + sign * model.rho[0]);
    }
    return {0.5 * squares + c * loss, sum - 0.5 * squares};
}

} // namespace lambdascope::benchmarks
