// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/accurate_points.h"

#include "core/kernel/precise_expansion.h"
#include "core/svm/problem/feature_vector_products.h"
#include "core/svm/problem/sample_products.h"
#include "core/svm/screening/bias_bracket.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/free_set_cg.h"
#include "core/svm/solver/free_set_cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace lambdascope::svm {

namespace {

/// What is aimed at, so that the promise is kept where rounding takes its share.
constexpr double kAim = 0.3 * AccuratePoints::kPromisedGap;

PointSettings accurateSettings() {
    PointSettings settings;
    settings.tolerance = kAim;
    settings.maxSweeps = 200000;
    return settings;
}

/// Newton steps at most, and how many in a row may fail to halve the gap. (The first may raise it, where it takes
/// samples off their bounds; those after it then lower it again.)
constexpr int kMostNewtonSteps = 30;
constexpr int kMostIdleRefinements = 3;
/// Times that samples are stopped at their bounds within one step.
constexpr int kMostStops = 20;

Bounded sumOfTerms(const CompensatedSum& sum, double size, double error) {
    return {sum.value(), error + 4 * kUnitRoundoff * size + kUnderflow};
}

} // namespace

void SolutionRefinement::refine(PointOutcome& outcome, double target) {
    m_c = outcome.solved.c;
    begin(outcome.solved);
    if (!measure() || m_stopCheck.isStopped()) {
        return;
    }
    State best = m_state;
    int idle = 0;
    for (int k = 0; k < kMostNewtonSteps && best.gap > target && idle < kMostIdleRefinements; ++k) {
        const double before = m_state.gap;
        if (!(isWorn() ? measure() : step()) || m_stopCheck.isStopped()) {
            break;
        }
        idle = m_state.gap <= 0.5 * before ? 0 : idle + 1;
        if (m_state.gap < best.gap) {
            best = m_state;
        }
    }
    if (!m_stopCheck.isStopped() && best.gap < outcome.solved.gap) {
        m_state = std::move(best);
        finish(outcome);
    }
}

void SolutionRefinement::begin(const SolvedSvm& solved) {
    m_state.alpha = solved.alpha;
    m_state.alphaLow = Eigen::VectorXd::Zero(solved.alpha.size());
    m_state.bias = {solved.bias, 0};
    m_state.shortfall = m_problem.thresholds() - solved.margins - solved.bias * m_problem.y();
    m_state.error = solved.marginError * m_problem.norms().array() +
                    kUnitRoundoff * (m_problem.thresholds().array().abs() + solved.margins.array().abs() +
                                     2 * std::abs(solved.bias)) +
                    kUnderflow;
    m_state.marginError = solved.marginError;
    m_state.weights = solved.weights;
}

void SolutionRefinement::takeMargin(SampleIndex i, DoubleDouble margin, double error) {
    const double threshold = m_problem.thresholds()(i);
    const DoubleDouble rest = exactSum(threshold, -margin.high);
    m_state.shortfall(i) = rest.high + (rest.low - margin.low);
    const double square = kUnitRoundoff * kUnitRoundoff;
    m_state.error(i) = error + 2 * kUnitRoundoff * std::abs(m_state.shortfall(i)) +
                       4 * square * (std::abs(threshold) + std::abs(margin.high));
}

bool SolutionRefinement::measure() {
    std::vector<PreciseExpansion::Term> terms; // of w
    for (SampleIndex j = 0; j < m_problem.size(); ++j) {
        if (m_state.alpha(j) != 0) {
            terms.push_back(
                {m_problem.rowOf(j), {m_problem.y()(j) * m_state.alpha(j), m_problem.y()(j) * m_state.alphaLow(j)}});
        }
    }
    const bool isLinear = m_problem.isLinear();
    const KernelFunction kernel = isLinear ? KernelFunction{} : m_problem.rows().kernel();
    const Eigen::VectorXd norms = m_problem.norms().head(m_problem.rowCount());
    const PreciseExpansion w(kernel, m_problem.features(), norms, terms, m_stopCheck);
    if (!w.isReliable()) {
        return false;
    }
    for (SampleIndex i = 0; i < m_problem.size() && !m_stopCheck.isStopped(); ++i) {
        // Of others α is 0 and f above t beyond doubt: they have no part in the gap.
        if (m_state.alpha(i) != 0 || m_state.shortfall(i) >= -m_state.error(i)) {
            const SampleIndex row = m_problem.rowOf(i);
            const DoubleDouble value = m_problem.hasFreeBias() ? w.at(row) + m_state.bias : w.at(row);
            const double square = kUnitRoundoff * kUnitRoundoff;
            takeMargin(i, m_problem.y()(i) > 0 ? value : -value,
                       w.error(row) + 8 * square * std::abs(m_state.bias.high));
            (void)m_stopCheck.spend(w.operations());
        }
    }
    m_state.changes = 0;
    sumGap();
    return true;
}

void SolutionRefinement::sumGap() {
    GapSum gap;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        gap.addShortfall(m_state.alpha(i), upper(i), m_state.shortfall(i), m_state.error(i));
    }
    const auto terms = static_cast<double>(m_problem.size());
    if (m_problem.hasFreeBias()) {
        const double sum = m_state.alpha.sum();
        const double n = terms * kUnitRoundoff;
        const double delta = std::abs(imbalance()) * (1 + 4 * kUnitRoundoff) + 16 * n * n * sum;
        const double length = m_state.alpha.dot(m_problem.norms()) * (1 + roundingFactor(terms + 4)); // ≥ ‖w‖
        gap.owe(imbalanceCostOf(m_problem, delta, m_state.bias.high, length, gap.upper(terms)));
    }
    m_state.gapValue = gap.value();
    m_state.gap = gap.upper(terms);
}

double SolutionRefinement::imbalance() const {
    CompensatedSum sum;
    sum.add(-m_problem.balance());
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        sum.add(m_problem.y()(i) * m_state.alpha(i));
        sum.add(m_problem.y()(i) * m_state.alphaLow(i));
    }
    return sum.value();
}

std::vector<SampleIndex> SolutionRefinement::movable() const {
    std::vector<SampleIndex> result;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double alpha = m_state.alpha(i);
        const double shortfall = m_state.shortfall(i);
        const bool canMove = (alpha > 0 || shortfall > 0) && (alpha < upper(i) || shortfall < 0);
        if (canMove && upper(i) > 0 && m_problem.diagonal()(i) > 0) {
            result.push_back(i);
        }
    }
    return result;
}

double SolutionRefinement::move(SampleIndex i, double change) {
    double& high = m_state.alpha(i);
    double& low = m_state.alphaLow(i);
    const DoubleDouble target = DoubleDouble{high, low} + change;
    const double bound = target.high < 0 ? 0 : upper(i);
    if (target.high < 0 || target.high > bound || (target.high == bound && target.low > 0)) {
        change = (bound - high) - low;
        high = bound;
        low = 0;
    } else {
        high = target.high;
        low = target.low;
    }
    return change;
}

bool SolutionRefinement::balance(FreeSetSystem& system, const std::vector<SampleIndex>& samples,
                                 const std::vector<Eigen::Index>& open, double held, Eigen::VectorXd& part,
                                 double& shift) {
    Eigen::VectorXd y(static_cast<Eigen::Index>(open.size()));
    for (std::size_t k = 0; k < open.size(); ++k) {
        y(static_cast<Eigen::Index>(k)) = m_problem.y()(samples[static_cast<std::size_t>(open[k])]);
    }
    Eigen::VectorXd toY = y;
    Eigen::VectorXd image;
    if (!system.solve(open, toY, image, m_stopCheck)) {
        return false;
    }
    shift = (y.dot(part) + held) / y.dot(toY);
    part -= shift * toY;
    return std::isfinite(shift);
}

bool SolutionRefinement::solveWithinBounds(FreeSetSystem& system, const std::vector<SampleIndex>& samples,
                                           Eigen::VectorXd& solution, double& shift) {
    const auto size = static_cast<Eigen::Index>(samples.size());
    const Eigen::VectorXd shortfall = m_state.shortfall(samples);
    std::vector<Eigen::Index> open(samples.size());
    std::iota(open.begin(), open.end(), Eigen::Index{0});
    solution = Eigen::VectorXd::Zero(size);
    Eigen::VectorXd image = Eigen::VectorXd::Zero(size);
    for (int stops = 0; !open.empty(); ++stops) {
        Eigen::VectorXd part = shortfall(open) - image(open);
        if (!system.solve(open, part, image, m_stopCheck)) {
            return false;
        }
        if (m_problem.hasFreeBias()) {
            Eigen::VectorXd held = solution.cwiseProduct(m_problem.y()(samples));
            held(open).setZero();
            if (!balance(system, samples, open, held.sum() + imbalance(), part, shift)) {
                return false;
            }
        }
        std::vector<Eigen::Index> inside;
        for (std::size_t k = 0; k < open.size(); ++k) {
            const SampleIndex i = samples[static_cast<std::size_t>(open[k])];
            const double change = part(static_cast<Eigen::Index>(k));
            const double toBound = (change < 0 ? 0 : upper(i)) - m_state.alpha(i) - m_state.alphaLow(i);
            const bool isStopped = std::abs(change) > std::abs(toBound);
            solution(open[k]) = isStopped ? toBound : change;
            if (!isStopped) {
                inside.push_back(open[k]);
            }
        }
        if (inside.size() == open.size() || stops == kMostStops) {
            break;
        }
        open = std::move(inside);
        Eigen::VectorXd stopped = solution;
        stopped(open).setZero();
        system.multiply(stopped, image);
    }
    return true;
}

bool SolutionRefinement::step() {
    const std::vector<SampleIndex> samples = movable();
    if (samples.empty() || (samples.size() > FreeSetFactor::kLargest && !m_problem.isLinear())) {
        return false;
    }
    std::unique_ptr<FreeSetSystem> system;
    if (samples.size() <= FreeSetFactor::kLargest) {
        system = std::make_unique<FreeSetCholesky>(m_problem, m_factor);
    } else {
        system = std::make_unique<FreeSetCg>(m_problem);
    }
    Eigen::VectorXd solution;
    double shift = 0;
    if (!system->prepare(samples, m_stopCheck) || !solveWithinBounds(*system, samples, solution, shift)) {
        return false;
    }
    const std::int64_t each =
        4 * (m_problem.isLinear() ? m_problem.features().features() : m_problem.size() + operationsPerRow(m_problem));
    FeatureVectorProducts difference(m_problem); // of w
    double moved = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const SampleIndex i = samples[k];
        const double change = move(i, solution(static_cast<Eigen::Index>(k)));
        if (change == 0) {
            continue;
        }
        difference.add(i, change);
        moved += std::abs(change) * m_problem.norms()(i);
        if (m_problem.isLinear()) {
            m_problem.addTo(i, m_problem.y()(i) * change, m_state.weights.data());
        }
        if (m_stopCheck.spend(each)) {
            return false;
        }
    }
    // A change is off by its own rounding where it ends at a bound, α by that of double-double numbers; both margins
    // and their doubts move.
    const double length = m_state.alpha.dot(m_problem.norms());
    const double error =
        difference.error() + 4 * kUnitRoundoff * moved + 8 * kUnitRoundoff * kUnitRoundoff * (length + moved);
    m_state.shortfall -= difference.products() + shift * m_problem.y();
    m_state.bias = m_state.bias + shift;
    m_state.error += error * m_problem.norms() + kUnitRoundoff * m_state.shortfall.cwiseAbs();
    m_state.error.array() += m_problem.hasFreeBias() ? 2 * kUnitRoundoff * std::abs(shift) : 0.0;
    m_state.error *= 1 + 4 * kUnitRoundoff;
    m_state.marginError += error;
    ++m_state.changes;
    sumGap();
    return moved > 0;
}

void SolutionRefinement::finish(PointOutcome& outcome) const {
    SolvedSvm& solved = outcome.solved;
    CompensatedSum linear, owed, hinge; // owed: Σ α(t − f)
    double alphaError = 0, linearSize = 0, owedSize = 0, hingeError = 0;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        const double alpha = m_state.alpha(i);
        const double shortfall = m_state.shortfall(i);
        const double weight = m_problem.weights()(i);
        const double threshold = m_problem.thresholds()(i);
        linear.add(threshold * alpha);
        linear.add(threshold * m_state.alphaLow(i));
        linearSize += std::abs(threshold) * alpha;
        owed.add(alpha * shortfall);
        owedSize += std::abs(alpha * shortfall);
        alphaError += alpha * m_state.error(i);
        hinge.add(weight * std::max(0.0, shortfall));
        hingeError += shortfall > -m_state.error(i) ? weight * m_state.error(i) : 0.0;
    }
    const double grown = 1 + roundingFactor(2 * static_cast<double>(m_problem.size()) + 8); // of sums of errors
    solved.alpha = m_state.alpha;
    outcome.alphaLow = m_state.alphaLow;
    solved.bias = m_state.bias.high;
    solved.margins = m_problem.thresholds() - m_state.shortfall - solved.bias * m_problem.y();
    solved.weights = m_state.weights;
    solved.linearSum = sumOfTerms(linear, linearSize * grown, 0);
    solved.biasCost = exactly(m_problem.balance()) * exactly(m_state.bias.high);
    solved.squaredNorm =
        solved.linearSum - sumOfTerms(owed, owedSize * grown, alphaError * grown) - solved.biasCost; // Σ αf − sb
    solved.hingeSum = sumOfTerms(hinge, hinge.value(), hingeError * grown);
    // Of the margins as they are rounded, for α as it is rounded.
    const double length = m_state.alpha.dot(m_problem.norms());
    const double norm = std::sqrt(std::max(solved.squaredNorm.upper(), 0.0));
    solved.marginError = (m_state.marginError + 2 * kUnitRoundoff * (norm + length)) * grown;
    if (m_problem.hasFreeBias()) {
        // ‖w‖² + b(yᵀα − s) so far. The product of a sample is a difference, rounded as that is and not as it is long.
        solved.squaredNorm.error += std::abs(solved.bias * imbalance()) * (1 + 4 * kUnitRoundoff);
        double shortest = std::numeric_limits<double>::infinity();
        for (SampleIndex i = 0; i < m_problem.size(); ++i) {
            const double own = m_problem.norms()(i);
            shortest = own > 0 ? std::min(shortest, own) : shortest;
            solved.margins(i) = own > 0 ? solved.margins(i) : 0;
        }
        solved.marginError += 4 * kUnitRoundoff * (m_problem.largestThreshold() + std::abs(solved.bias)) / shortest;
    }
    solved.drift = solved.marginError;
    solved.gap = m_state.gap;
    outcome.primal = primalValue(solved);
    outcome.dual = dualValue(solved);
}

AccuratePoints::AccuratePoints(const SvmProblem& problem)
    : m_problem(problem), m_solver(problem, accurateSettings()), m_factor(problem, 1) {}

std::shared_ptr<const PointOutcome> AccuratePoints::at(double c, const SolvedSvm& start, std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(c); known != m_known.end()) {
        return known->second;
    }
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = m_solver.solve(c, start, 0, context);
    const double target = kAim * std::max(1.0, std::abs(outcome.primal.value));
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    if (outcome.termination != Termination::StoppedByUser && outcome.solved.gap > target) {
        SolutionRefinement(m_problem, m_factor, stopCheck).refine(outcome, target);
    }
    if (outcome.termination == Termination::StoppedByUser || stopCheck.isStopped()) {
        return nullptr;
    }
    auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(c, point);
    return point;
}

} // namespace lambdascope::svm
