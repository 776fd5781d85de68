// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/fold_paths.h"

#include "core/common/random_stream.h"
#include "core/svm/solver/path_start.h"

namespace lambdascope::svm {

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
