// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/held_out_test.h"

#include "core/numeric/ranking_measures.h"
#include "core/svm/problem/decision_functions.h"

#include <limits>

namespace lambdascope::svm {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

HeldOutTest::HeldOutTest(const SvmProblem& problem, const Dataset& training, const KernelFunction& kernel,
                         const std::string& positive)
    : m_problem(problem), m_heldOut(kernel.kind == KernelKind::Precomputed ? nullptr : training.heldOut()),
      m_kernel(kernel) {
    if (m_heldOut == nullptr) {
        return;
    }
    m_y.resize(m_heldOut->rows());
    for (Eigen::Index i = 0; i < m_y.size(); ++i) {
        const auto label = static_cast<std::size_t>(m_heldOut->labels()[static_cast<std::size_t>(i)]);
        m_y(i) = m_heldOut->classNames()[label] == positive ? 1 : -1;
    }
}

Eigen::VectorXd HeldOutTest::values(const SolvedSvm& solved, StopCheck& stopCheck) const {
    const DecisionFunctions functions =
        m_problem.isLinear()
            ? DecisionFunctions(solved.weights, m_kernel.bias)
            : DecisionFunctions(m_kernel, m_problem.features(), solved.alpha.cwiseProduct(m_problem.y()));
    return functions.values(featureRowsOf(*m_heldOut), stopCheck).array() + solved.bias;
}

HeldOutTest::Measures HeldOutTest::measure(const SolvedSvm& solved, StopCheck& stopCheck) const {
    if (rows() == 0) {
        return {kUnknown, kUnknown};
    }
    const Eigen::VectorXd scores = values(solved, stopCheck);
    if (stopCheck.isStopped()) {
        return {kUnknown, kUnknown};
    }
    return {shareOfWrong(scores, m_y), areaUnderCurve(scores, m_y)};
}

double shareOfWrong(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    const auto isWrong = scores.array() * y.array() <= 0;
    return weights.size() > 0 ? isWrong.select(weights.array(), 0.0).sum() / weights.sum()
                              : static_cast<double>(isWrong.count()) / static_cast<double>(scores.size());
}

} // namespace lambdascope::svm
