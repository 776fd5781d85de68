// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/rivals/usmo.h"

#include "core/common/clocks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lambdascope::pu {

namespace {

/// Steps of one sweep over the non-bound set, as a multiple of its size, after which the whole set has its turn.
constexpr std::int64_t kMostStepsPerSample = 1000;

} // namespace

Usmo::Usmo(const PuProblem& problem, double lambda, double tau)
    : m_problem(problem), m_lambda(lambda), m_epsilon(problem.epsilon(lambda)), m_tau(tau * problem.epsilon(lambda)) {}

double Usmo::Pair::objective(double sj) const {
    const double si = total - sj;
    return 0.5 * (kii * si * si + kjj * sj * sj) + kij * si * sj + e1 * si + e2 * sj +
           epsilon * (std::abs(si - 1) + std::abs(sj - 1));
}

double Usmo::Pair::bestSecond() const {
    const double eta = std::max(kii + kjj - 2 * kij, 1e-12 * std::max(kii, 1e-300));
    const double common = total * (kii - kij) + e1 - e2;
    // Table I, with σ = q s: 2 becomes 2ε; cases by the sides of 1 that sᵢ and sⱼ are on.
    const double free[] = {common / eta, (common + 2 * epsilon) / eta, (common - 2 * epsilon) / eta, common / eta};
    const double low[] = {std::max(1.0, total - 2), std::max(0.0, total - 2), std::max(1.0, total - 1),
                          std::max(0.0, total - 1)};
    const double high[] = {std::min(2.0, total - 1), std::min(1.0, total - 1), std::min(2.0, total),
                           std::min(1.0, total)};
    double best = -1;
    double least = 0;
    for (int c = 0; c < 4; ++c) {
        if (low[c] > high[c]) {
            continue;
        }
        const double candidate = std::clamp(quantized(free[c]), low[c], high[c]);
        const double value = objective(candidate);
        if (best < 0 || value < least) {
            best = candidate;
            least = value;
        }
    }
    return best;
}

double Usmo::valueOf(SampleIndex u, StopCheck& stopCheck) {
    if (m_isCached[static_cast<std::size_t>(u)] != 0) {
        return m_cache(u);
    }
    // a = (m/p) Σ_P k − Σ s k, from the kernel values of u.
    const KernelRow row = m_problem.space().row(u, m_scratch);
    const SampleIndex p = m_problem.positives();
    // A product, as sum() of a map begins where memory is aligned, and its last bit would depend on that.
    double sum = m_problem.pull() * Eigen::Map<const Eigen::VectorXd>(row.values, p).dot(Eigen::VectorXd::Ones(p));
    sum -=
        m_s.tail(m_problem.unlabeled()).dot(Eigen::Map<const Eigen::VectorXd>(row.values + p, m_problem.unlabeled()));
    (void)stopCheck.spend(std::int64_t{2} * m_problem.size() + m_problem.space().rowWork());
    return sum;
}

bool Usmo::takeStep(SampleIndex i, SampleIndex j, StopCheck& stopCheck) {
    const double ai = valueOf(i, stopCheck);
    const double aj = valueOf(j, stopCheck);
    const KernelRow rowI = m_problem.space().row(i, m_scratch);
    const KernelRow rowJ = m_problem.space().row(j, m_otherScratch);
    Pair pair;
    pair.total = m_s(i) + m_s(j);
    pair.kii = m_problem.space().diagonal()(i);
    pair.kjj = m_problem.space().diagonal()(j);
    pair.kij = rowI.values[j];
    // e = −(f − β) − K_SS σ_S of the step before.
    pair.e1 = -ai - pair.kii * m_s(i) - pair.kij * m_s(j);
    pair.e2 = -aj - pair.kij * m_s(i) - pair.kjj * m_s(j);
    pair.epsilon = m_epsilon;
    const double second = pair.bestSecond();
    const double change = second - m_s(j);
    if (second < 0 || change == 0) {
        return false;
    }
    m_gained += pair.objective(m_s(j)) - pair.objective(second);
    m_s(j) = second;
    m_s(i) = pair.total - second;
    for (const SampleIndex u : m_nonBound) { // (15)
        m_cache(u) += change * (rowI.values[u] - rowJ.values[u]);
    }
    (void)stopCheck.spend(4 * static_cast<std::int64_t>(m_nonBound.size()) + 64 + 2 * m_problem.space().rowWork());
    updateCache(i, ai + change * (pair.kii - rowJ.values[i]));
    updateCache(j, aj + change * (pair.kij - pair.kjj));
    findExtremes();
    return true;
}

void Usmo::updateCache(SampleIndex u, double score) {
    char& isCached = m_isCached[static_cast<std::size_t>(u)];
    if (isNonBound(u) && isCached == 0) {
        m_cache(u) = score;
        m_nonBound.push_back(u);
    } else if (!isNonBound(u) && isCached != 0) {
        std::erase(m_nonBound, u);
    }
    isCached = isNonBound(u) ? 1 : 0;
}

void Usmo::Extremes::take(SampleIndex u, double s, double score, double epsilon) {
    const double up = score + (s >= 1 ? -epsilon : epsilon);
    const double down = score + (s > 1 ? -epsilon : epsilon);
    if (s < 2 && (raise < 0 || up > highest)) {
        raise = u;
        highest = up;
    }
    if (s > 0 && (lower < 0 || down < lowest)) {
        lower = u;
        lowest = down;
    }
}

void Usmo::findExtremes() {
    m_extremes = {};
    for (const SampleIndex u : m_nonBound) {
        m_extremes.take(u, m_s(u), m_cache(u), m_epsilon);
    }
}

std::int64_t Usmo::sweepNonBound(StopCheck& stopCheck) {
    std::int64_t steps = 0;
    const std::int64_t most = kMostStepsPerSample * (1 + static_cast<std::int64_t>(m_nonBound.size()));
    findExtremes();
    while (m_extremes.violation() > m_tau && steps < most && !stopCheck.isStopped()) {
        if (!takeStep(m_extremes.raise, m_extremes.lower, stopCheck)) {
            break;
        }
        ++steps;
    }
    return steps;
}

std::int64_t Usmo::sweepAll(StopCheck& stopCheck) {
    std::int64_t steps = 0;
    // The critical values come from the non-bound set and the samples looked at since the last step.
    findExtremes();
    for (SampleIndex u = m_problem.positives(); u < m_problem.size() && !stopCheck.isStopped(); ++u) {
        Extremes own;
        own.take(u, m_s(u), valueOf(u, stopCheck), m_epsilon);
        const double raising = own.raise >= 0 && m_extremes.lower >= 0 ? own.highest - m_extremes.lowest : 0.0;
        const double lowering = own.lower >= 0 && m_extremes.raise >= 0 ? m_extremes.highest - own.lowest : 0.0;
        if (std::max(raising, lowering) > m_tau &&
            takeStep(raising >= lowering ? m_extremes.lower : m_extremes.raise, u, stopCheck)) {
            ++steps;
        } else {
            m_extremes.take(u, m_s(u),
                            own.raise >= 0 ? own.highest + (m_s(u) >= 1 ? m_epsilon : -m_epsilon)
                                           : own.lowest + (m_s(u) > 1 ? m_epsilon : -m_epsilon),
                            m_epsilon);
        }
    }
    return steps;
}

UsmoOutcome Usmo::solve(Eigen::VectorXd start, std::int64_t mostSweeps, StopCheck& stopCheck) {
    UsmoOutcome outcome;
    m_s = std::move(start);
    m_cache = Eigen::VectorXd::Zero(m_problem.size());
    m_isCached.assign(static_cast<std::size_t>(m_problem.size()), 0);
    m_nonBound.clear();
    for (SampleIndex u = m_problem.positives(); u < m_problem.size() && !stopCheck.isStopped(); ++u) {
        if (isNonBound(u)) {
            updateCache(u, valueOf(u, stopCheck));
        }
    }
    m_gained = 0;
    const double cpuStart = threadCpuSeconds();
    const double unit = m_problem.unit(m_lambda);
    bool isWhole = true; // the first sweep finds what there is to cache
    while (outcome.sweeps < mostSweeps && !stopCheck.isStopped()) {
        const std::int64_t steps = isWhole ? sweepAll(stopCheck) : sweepNonBound(stopCheck);
        ++outcome.sweeps;
        outcome.steps += steps;
        outcome.history.push_back(
            {unit * unit * m_gained, unit * std::max(0.0, m_extremes.violation()), threadCpuSeconds() - cpuStart});
        if (isWhole && steps == 0) {
            outcome.hasConverged = m_extremes.violation() <= m_tau;
            break;
        }
        isWhole = !isWhole;
    }
    outcome.solved = pointAt(m_problem, m_s, stopCheck);
    completePoint(m_problem, m_lambda, outcome.solved);
    outcome.gained = m_gained;
    for (UsmoOutcome::Sweep& sweep : outcome.history) { // what was gained by then becomes the value then
        sweep.dual += outcome.solved.dual - unit * unit * m_gained;
    }
    return outcome;
}

} // namespace lambdascope::pu
