// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/rivals/libsvm_solver.h"

#include "core/common/clocks.h"
#include "core/svm/rivals/libsvm_messages.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace lambdascope::svm {

namespace {

using Kind = HelperTrouble::Kind;

PointOutcome stopped(const RunContext& context) {
    PointOutcome outcome;
    outcome.termination = context.stopReason();
    return outcome;
}

/// Features of row i that are not 0, and the end of the row.
void addRow(const FeatureRows& x, Eigen::Index i, std::vector<LibsvmEntry>& entries) {
    const auto add = [&entries](Eigen::Index feature, double value) {
        if (value != 0) {
            entries.push_back({static_cast<std::int32_t>(feature) + 1, value});
        }
    };
    if (x.dense() != nullptr) {
        for (Eigen::Index f = 0; f < x.features(); ++f) {
            add(f, (*x.dense())(i, f));
        }
    } else {
        for (FeatureRows::Sparse::InnerIterator it(*x.sparse(), i); it; ++it) {
            add(it.col(), it.value());
        }
    }
    entries.push_back({});
}

std::uint64_t entriesOf(const FeatureRows& x) {
    const Eigen::Index filled =
        x.dense() != nullptr ? (x.dense()->array() != 0).count() : (x.sparse()->coeffs() != 0).count();
    return static_cast<std::uint64_t>(filled + x.rows());
}

} // namespace

LibsvmSolver::LibsvmSolver(const SvmProblem& problem, LibsvmTask task, std::filesystem::path program)
    : m_problem(problem), m_task(std::move(task)), m_process(std::move(program), [this] { return mayWait(); }) {
    assert(problem.hasFreeBias() && m_task.kernel.bias == 0);
}

/// Where the run is paused, so is the process.
bool LibsvmSolver::mayWait() {
    const bool isPaused = m_context->isPaused();
    if (isPaused) {
        m_process.hold();
    }
    const bool goesOn = !m_context->shouldStop();
    if (isPaused) {
        m_process.goOn();
    }
    return goesOn;
}

HelperProcess::Trouble LibsvmSolver::sendRows() {
    constexpr std::size_t kTogether = 1 << 16;
    const FeatureRows& x = m_problem.features();
    std::vector<LibsvmEntry> entries;
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        addRow(x, i, entries);
        if (entries.size() >= kTogether || i + 1 == x.rows()) {
            if (auto trouble = m_process.send(entries.data(), entries.size() * sizeof(LibsvmEntry))) {
                return trouble;
            }
            entries.clear();
        }
    }
    return {};
}

HelperProcess::Trouble LibsvmSolver::begin(LibsvmAnswer& answer) {
    if (auto trouble = m_process.start()) {
        return trouble;
    }
    LibsvmProblem about;
    about.task = m_task.task;
    about.kernel = m_task.kernel.kind;
    about.gamma = m_task.kernel.gamma;
    about.degree = m_task.kernel.degree;
    about.offset = m_task.kernel.offset;
    about.epsilon = m_task.epsilon;
    about.cacheMegabytes = m_task.cacheMegabytes;
    about.shrinks = m_task.shrinks;
    about.rows = static_cast<std::uint64_t>(m_problem.rowCount());
    about.entries = entriesOf(m_problem.features());
    Eigen::VectorXd answers = m_task.targets;
    if (m_task.task != TaskKind::Regression) {
        answers = m_problem.y();
        for (SampleIndex i = 0; i < m_problem.size(); ++i) {
            (m_problem.y()(i) > 0 ? about.positiveWeight : about.negativeWeight) = m_problem.weights()(i);
        }
    }
    if (auto trouble = m_process.sendMessage(about)) {
        return trouble;
    }
    if (auto trouble = m_process.send(answers.data(), about.rows * sizeof(double))) {
        return trouble;
    }
    if (auto trouble = sendRows()) {
        return trouble;
    }
    return m_process.receiveMessage(answer);
}

Eigen::VectorXd LibsvmSolver::alphaOf(const std::vector<double>& coefficients, double c) const {
    const Eigen::Map<const Eigen::VectorXd> given(coefficients.data(), m_problem.rowCount());
    const double scale = m_task.task == TaskKind::Novelty ? c : 1;
    Eigen::VectorXd alpha(m_problem.size());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        alpha(i) = std::clamp(scale * m_problem.y()(i) * given(m_problem.rowOf(i)), 0.0, c * m_problem.weights()(i));
    }
    return alpha;
}

HelperProcess::Trouble LibsvmSolver::ask(const LibsvmRequest& request, LibsvmAnswer& answer, double& cpu) {
    if (!m_process.isRunning()) {
        auto trouble = begin(answer);
        if (trouble || !answer.failure.empty()) {
            return trouble;
        }
    }
    const double before = m_process.cpuSeconds();
    if (auto trouble = m_process.sendMessage(request)) {
        return trouble;
    }
    if (auto trouble = m_process.receiveMessage(answer)) {
        return trouble;
    }
    cpu = m_process.cpuSeconds() - before;
    creditThreadCpuSeconds(cpu);
    return {};
}

Result<void> LibsvmSolver::check(const LibsvmAnswer& answer, double c) const {
    const std::vector<double>& given = answer.coefficients;
    if (!answer.failure.empty()) {
        return Failure{libsvmRefusal(c, answer.failure)};
    }
    if (std::ssize(given) != m_problem.rowCount()) {
        return Failure{libsvmRefusal(c, "its answer has other rows")};
    }
    if (!std::all_of(given.begin(), given.end(), [](double x) { return std::isfinite(x); })) {
        return Failure{libsvmRefusal(
            c, "it finds no numbers, since it keeps kernel values in single precision, whose range these leave",
            "Scale the features by data.scale, or take another kernel.")};
    }
    return {};
}

/// With b between the scores of the worst pair no sample violates optimality by more than ε (of one class Cε, as α is C
/// times the library's): the gap is at most ε Σ Cωᵢ.
bool LibsvmSolver::keepsPromise(const PointOutcome& outcome, double tolerance) const {
    const double c = outcome.solved.c;
    const double violation = m_task.task == TaskKind::Novelty ? c * tolerance : tolerance;
    return outcome.solved.gap <= violation * c * m_problem.weights().sum() + outcome.primal.error + outcome.dual.error;
}

Result<PointOutcome> LibsvmSolver::solve(double c, double tolerance, RunContext& context) {
    m_context = &context;
    if (context.shouldStop()) {
        return stopped(context);
    }
    LibsvmAnswer answer;
    double cpu = 0;
    const double nu = std::min(1.0, 1 / (c * m_problem.weights().sum()));
    if (const auto trouble = ask({c, nu, tolerance}, answer, cpu)) {
        return trouble->kind == Kind::GivenUp ? Result<PointOutcome>(stopped(context))
                                              : Failure{libsvmError(*trouble, m_process.program(), c)};
    }
    if (auto checked = check(answer, c); !checked) {
        return Failure{checked.error()};
    }
    const double judging = wallSeconds() - context.pausedSeconds();
    PointOutcome outcome;
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    outcome.solved = solvedAt(m_problem, c, alphaOf(answer.coefficients, c), stopCheck);
    if (stopCheck.isStopped()) {
        return stopped(context);
    }
    outcome.primal = primalValue(outcome.solved);
    outcome.dual = dualValue(outcome.solved);
    outcome.setCounts = setCountsOf(m_problem, outcome.solved);
    outcome.termination = answer.isAtLimit                   ? Termination::IterationLimit
                          : keepsPromise(outcome, tolerance) ? Termination::Converged
                                                             : Termination::ConvergedLoosely;
    outcome.sweeps = answer.iterations;
    outcome.ledger.updates = 2 * answer.iterations;
    outcome.cpuSolve = outcome.ledger.other = cpu;
    outcome.wallBeside = wallSeconds() - context.pausedSeconds() - judging;
    return outcome;
}

} // namespace lambdascope::svm
