// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/held_out_test.h"

#include "core/svm/decision_functions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace lambdascope::svm {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

Eigen::VectorXd HeldOutTest::values(const SolvedSvm& solved, WorkPoll& poll) const {
    const DecisionFunctions functions =
        m_problem.isLinear()
            ? DecisionFunctions(solved.weights, m_kernel.bias)
            : DecisionFunctions(m_kernel, m_problem.features(), solved.alpha.cwiseProduct(m_problem.y()));
    return functions.values(featureRowsOf(*m_heldOut), poll);
}

HeldOutTest::Measures HeldOutTest::measure(const SolvedSvm& solved, WorkPoll& poll) const {
    if (rows() == 0) {
        return {kNone, kNone};
    }
    const Eigen::VectorXd scores = values(solved, poll);
    if (poll.isStopped()) {
        return {kNone, kNone};
    }
    return {shareOfWrong(scores, m_y), areaUnderCurve(scores, m_y)};
}

double shareOfWrong(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    const auto isWrong = scores.array() * y.array() <= 0;
    return weights.size() > 0 ? isWrong.select(weights.array(), 0.0).sum() / weights.sum()
                              : static_cast<double>(isWrong.count()) / static_cast<double>(scores.size());
}

double areaUnderCurve(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    std::vector<Eigen::Index> order(static_cast<std::size_t>(scores.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return scores(a) < scores(b); });
    double pairs = 0, negatives = 0, positives = 0;
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        double tiedNegatives = 0, tiedPositives = 0;
        for (; to < order.size() && scores(order[to]) == scores(order[from]); ++to) {
            (y(order[to]) > 0 ? tiedPositives : tiedNegatives) += weights.size() > 0 ? weights(order[to]) : 1;
        }
        pairs += tiedPositives * (negatives + 0.5 * tiedNegatives);
        negatives += tiedNegatives;
        positives += tiedPositives;
        from = to;
    }
    return negatives > 0 && positives > 0 ? pairs / (negatives * positives) : kNone;
}

} // namespace lambdascope::svm
