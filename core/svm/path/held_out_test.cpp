// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/held_out_test.h"

#include "core/common/random_stream.h"
#include "core/numeric/ranking_measures.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/path/fold_paths.h"
#include "core/svm/problem/decision_functions.h"
#include "core/svm/solver/path_start.h"

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

std::vector<std::int32_t> dealtFolds(const Eigen::VectorXd& y, std::int32_t k, std::uint64_t seed) {
    std::vector<std::int32_t> folds(static_cast<std::size_t>(y.size()));
    RandomStream random(seed, "folds");
    std::int32_t next = 0;
    for (const double side : {1.0, -1.0}) {
        for (const std::size_t i : random.permutation(folds.size())) {
            if (y(static_cast<Eigen::Index>(i)) == side) {
                folds[i] = next;
                next = (next + 1) % k;
            }
        }
    }
    return folds;
}

FoldPaths::FoldPaths(const SvmProblem& problem, std::vector<double> cs, std::int32_t k, double tolerance,
                     std::uint64_t seed, Eigen::VectorXd rowWeights, RowTruth truth)
    : m_problem(problem), m_rowWeights(std::move(rowWeights)), m_truth(std::move(truth)), m_cs(std::move(cs)),
      m_folds(static_cast<std::size_t>(k)) {
    m_settings.tolerance = tolerance;
    m_settings.bounds = {problem.hasFreeBias() ? BoundKind::Gap : BoundKind::Intersection};
    if (m_truth.values.size() == 0) {
        m_truth.values = problem.y();
    }
    const std::vector<std::int32_t> foldOf = dealtFolds(problem.y().head(problem.rowCount()), k, seed);
    for (SampleIndex i = 0; i < problem.rowCount(); ++i) {
        m_folds[static_cast<std::size_t>(foldOf[static_cast<std::size_t>(i)])].leftOut.push_back(i);
    }
}

FoldPaths::~FoldPaths() = default;

bool FoldPaths::advance(const std::stop_token& stop) {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const auto index = static_cast<std::int32_t>(m_known.size());
    Eigen::VectorXd values(m_problem.rowCount());
    std::vector<SolvedSvm> solved;
    for (Fold& fold : m_folds) {
        if (!fold.solver) {
            Eigen::VectorXd weights = m_problem.weights();
            for (const SampleIndex i : fold.leftOut) {
                weights(i) = 0;
                weights(m_problem.size() - m_problem.rowCount() + i) = 0; // of the other sample of the row, if any
            }
            SampleTerms terms = m_problem.terms();
            terms.weights = std::move(weights);
            auto own = std::make_unique<SvmProblem>(m_problem.features(), std::move(terms), m_problem.sharedRows(),
                                                    m_problem.hasFreeBias());
            SolvedSvm bottom = bottomPoint(*own, m_cs.front(), stopCheck);
            if (stopCheck.ask()) {
                return false;
            }
            fold.problem = std::move(own);
            fold.solver = std::make_unique<PointSolver>(*fold.problem, m_settings);
            fold.last = std::move(bottom);
        }
        NullSink sink;
        RunContext context(RunId{0}, sink, stop);
        PointOutcome outcome = fold.solver->solve(m_cs[m_known.size()], fold.last, index, context);
        if (outcome.termination == Termination::StoppedByUser) {
            return false;
        }
        for (const SampleIndex i : fold.leftOut) {
            values(i) = m_problem.y()(i) * outcome.solved.marginOf(i, m_problem.y()(i)) + m_truth.mean;
        }
        solved.push_back(std::move(outcome.solved));
    }
    // Only now, so that a stop leaves all folds at one point.
    for (std::size_t k = 0; k < solved.size(); ++k) {
        m_folds[k].last = std::move(solved[k]);
    }
    m_known.push_back(measureAnswers(m_truth.task, values, m_truth.values, m_rowWeights));
    return true;
}

std::vector<double> FoldPaths::at(std::int32_t index, const std::stop_token& stop) {
    const std::lock_guard lock(m_mutex);
    if (static_cast<std::size_t>(index) >= m_cs.size()) {
        return unknownMeasures(m_truth.task); // a path of another build may be longer
    }
    while (static_cast<std::int32_t>(m_known.size()) <= index) {
        if (!advance(stop)) {
            return unknownMeasures(m_truth.task);
        }
    }
    return m_known[static_cast<std::size_t>(index)];
}

} // namespace lambdascope::svm
