// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/held_out_test.h"

#include "core/numeric/ranking_measures.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/problem/decision_functions.h"

#include <limits>
#include <utility>

namespace lambdascope::svm {

namespace {

std::vector<double> measureNumbers(const Eigen::VectorXd& answers, const Eigen::VectorXd& targets,
                                   const Eigen::VectorXd& weights) {
    const Eigen::VectorXd w = weights.size() > 0 ? weights : Eigen::VectorXd::Ones(targets.size());
    const Eigen::ArrayXd off = (targets - answers).array();
    const double all = w.sum();
    const double mean = w.dot(targets) / all;
    const double spread = w.dot((targets.array() - mean).square().matrix());
    const double square = w.dot(off.square().matrix());
    const double share = spread > 0 ? 1 - square / spread : std::numeric_limits<double>::quiet_NaN();
    return {square / all, w.dot(off.abs().matrix()) / all, share};
}

double shareOfWrong(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    const auto isWrong = scores.array() * y.array() <= 0;
    return weights.size() > 0 ? isWrong.select(weights.array(), 0.0).sum() / weights.sum()
                              : static_cast<double>(isWrong.count()) / static_cast<double>(scores.size());
}

} // namespace

const std::vector<AnswerMeasure>& answerMeasures(TaskKind task) {
    static const std::vector<AnswerMeasure> ofClasses = {
        {{"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false},
         {"cv_error", "Error by cross-validation", "", ColumnRole::CrossError, false}},
        {{"auc", "AUC on held-out rows", "", ColumnRole::HeldOutMeasure, false},
         {"cv_auc", "AUC by cross-validation", "", ColumnRole::CrossMeasure, false}}};
    static const std::vector<AnswerMeasure> ofNumbers = {
        {{"test_mse", "Mean squared error on held-out rows", "", ColumnRole::OtherMeasure, false},
         {"cv_mse", "Mean squared error by cross-validation", "", ColumnRole::OtherMeasure, false}},
        {{"test_mae", "Mean absolute error on held-out rows", "", ColumnRole::OtherMeasure, false},
         {"cv_mae", "Mean absolute error by cross-validation", "", ColumnRole::OtherMeasure, false}},
        {{"r2", "R² on held-out rows", "", ColumnRole::HeldOutMeasure, false},
         {"cv_r2", "R² by cross-validation", "", ColumnRole::CrossMeasure, false}}};
    static const std::vector<AnswerMeasure> ofNovelty = {
        {{"test_outside", "Share of held-out rows outside", "", ColumnRole::OtherMeasure, false},
         {"cv_outside", "Share outside by cross-validation", "", ColumnRole::OtherMeasure, false}}};
    return task == TaskKind::Regression ? ofNumbers : task == TaskKind::Novelty ? ofNovelty : ofClasses;
}

std::vector<double> measureAnswers(TaskKind task, const Eigen::VectorXd& answers, const Eigen::VectorXd& truth,
                                   const Eigen::VectorXd& weights) {
    if (task == TaskKind::Regression) {
        return measureNumbers(answers, truth, weights);
    }
    if (task == TaskKind::Novelty) {
        return {shareOfWrong(answers, Eigen::VectorXd::Ones(answers.size()), weights)};
    }
    return {shareOfWrong(answers, truth, weights), areaUnderCurve(answers, truth, weights)};
}

std::vector<double> unknownMeasures(TaskKind task) {
    return std::vector<double>(answerMeasures(task).size(), std::numeric_limits<double>::quiet_NaN());
}

HeldOutTest::HeldOutTest(const SvmProblem& problem, const Dataset& training, const KernelFunction& kernel,
                         RowTruth truth)
    : m_problem(problem), m_heldOut(kernel.kind == KernelKind::Precomputed ? nullptr : training.heldOut()),
      m_kernel(kernel), m_truth(std::move(truth)) {}

Eigen::VectorXd HeldOutTest::values(const SolvedSvm& solved, StopCheck& stopCheck) const {
    const DecisionFunctions functions =
        m_problem.isLinear()
            ? DecisionFunctions(solved.weights, m_kernel.bias)
            : DecisionFunctions(m_kernel, m_problem.features(), m_problem.rowCoefficients(solved.alpha));
    return functions.values(featureRowsOf(*m_heldOut), stopCheck).array() + (solved.bias + m_truth.mean);
}

std::vector<double> HeldOutTest::measure(const SolvedSvm& solved, StopCheck& stopCheck) const {
    if (rows() == 0) {
        return unknownMeasures(m_truth.task);
    }
    const Eigen::VectorXd answers = values(solved, stopCheck);
    return stopCheck.isStopped() ? unknownMeasures(m_truth.task)
                                 : measureAnswers(m_truth.task, answers, m_truth.values);
}

} // namespace lambdascope::svm
