// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and lifetimes: what one solution decides at other C, by BT1.
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/screening/c_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Samples looked at for the grid: its rates then are good to a percent.
constexpr SampleIndex kMostForRanges = 5'000;
constexpr SampleIndex kMostForLifetimes = 100'000;
/// Factor up to which lifetimes are followed in either direction, and how finely.
constexpr double kFarthest = 1e6;
constexpr int kBisections = 40;

Failure stoppedComputingRanges() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while computing ranges")};
}

/// At most so many samples, evenly spread.
std::vector<SampleIndex> sampleOf(SampleIndex size, SampleIndex most) {
    std::vector<SampleIndex> samples(static_cast<std::size_t>(std::min(size, most)));
    for (std::size_t k = 0; k < samples.size(); ++k) {
        samples[k] =
            static_cast<SampleIndex>(static_cast<std::int64_t>(k) * size / static_cast<std::int64_t>(samples.size()));
    }
    return samples;
}

/// On a path of references the path parameter is a share of C, while solutions decide over an interval of C.
std::string axisOfSolutions(const PreparedSvm& prepared) {
    return prepared.path().kind == PathKind::Reference ? "C" : "";
}

Decision decisionAt(const SvmProblem& problem, const SolvedSvm& reference, double c, SampleIndex i) {
    ScreeningReference from;
    from.c = c;
    from.path = &reference;
    MarginRange range;
    makeRegion(BoundKind::BallOne, problem, from)->ranges({&i, 1}, {&range, 1});
    return range.decision(problem.thresholds()(i));
}

/// The C farthest from the reference's own, in the direction of `factor`, up to which a sample stays decided. The C
/// that decide it make an interval: zᵀm − r‖z‖ is concave in C, and zᵀm + r‖z‖ convex.
double endOf(const SvmProblem& problem, const SolvedSvm& reference, SampleIndex i, Decision decision, double factor) {
    double inside = 0;
    double outside = std::log(factor);
    if (decisionAt(problem, reference, reference.c * factor, i) == decision) {
        return reference.c * factor;
    }
    for (int step = 0; step < kBisections; ++step) {
        const double middle = 0.5 * (inside + outside);
        (decisionAt(problem, reference, reference.c * std::exp(middle), i) == decision ? inside : outside) = middle;
    }
    return reference.c * std::exp(inside);
}

/// How many of the samples a solution decides at `c`.
std::int64_t decidedAt(const SvmProblem& problem, const SolvedSvm& reference, double c,
                       std::span<const SampleIndex> samples) {
    ScreeningReference from;
    from.c = c;
    from.path = &reference;
    from.gap = std::numeric_limits<double>::infinity(); // there is no current point
    bracketBiases(problem, {}, from);
    std::vector<MarginRange> ranges(samples.size());
    makeRegion(BoundKind::BallOne, problem, from)->ranges(samples, ranges);
    std::int64_t decided = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        decided += ranges[k].decision(problem.thresholds()(samples[k])) != Decision::Keep ? 1 : 0;
    }
    return decided;
}

/// Cells of C that lifetimes with a free bias are followed by: narrow ones as far as most of them reach, then wide
/// ones.
constexpr int kNarrowCells = 100;
constexpr double kNarrow = 1.01;
constexpr double kWide = 1.1;

/// The C up to which samples stay decided, from the solution's own upwards or downwards, cell by cell: at all C of a
/// cell, not only at its ends. In `ends` there are those of `samples`; decisions are those at the solution.
std::vector<double> endsOverCells(const SvmProblem& problem, const SolvedSvm& solved,
                                  std::span<const SampleIndex> samples, const std::vector<Decision>& decisions,
                                  bool isUpward, const std::stop_token& stop) {
    std::vector<double> ends(samples.size(), solved.c);
    std::vector<std::size_t> alive;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        if (decisions[static_cast<std::size_t>(samples[k])] != Decision::Keep) {
            alive.push_back(k);
        }
    }
    double from = 1;
    for (int cell = 0; !alive.empty() && from < kFarthest && !stop.stop_requested(); ++cell) {
        const double to = std::min(from * (cell < kNarrowCells ? kNarrow : kWide), kFarthest);
        const std::vector<Decision> there =
            isUpward ? decisionsOverC(problem, solved, from, to) : decisionsOverC(problem, solved, 1 / to, 1 / from);
        std::erase_if(alive, [&](std::size_t k) {
            const auto i = static_cast<std::size_t>(samples[k]);
            return there[i] != decisions[i];
        });
        for (const std::size_t k : alive) {
            ends[k] = isUpward ? solved.c * to : solved.c / to;
        }
        from = to;
    }
    return ends;
}

} // namespace

Result<RangeGrid> SvmLens::ranges(const Progress& progress, std::stop_token stop) {
    if (m_prepared.config().isNovelty()) {
        return Failure{
            plainError(ErrorCode::InvalidConfiguration,
                       "a solution of one class proves nothing at other ν: no test that looks at another ν is "
                       "proven there")};
    }
    const std::vector<SampleIndex> samples = sampleOf(m_problem.size(), kMostForRanges);
    const auto count = static_cast<Eigen::Index>(path().size());
    std::vector<std::shared_ptr<const SvmWarmStart>> solutions;
    std::vector<double> decidable;
    RangeGrid grid;
    for (Eigen::Index p = 0; p < count; ++p) {
        auto solution = reference(static_cast<std::int32_t>(p), stop);
        if (!solution) {
            return Failure{solution.error()};
        }
        const SolvedSvm& solved = (*solution)->next;
        grid.references.push_back(solved.c);
        decidable.push_back(static_cast<double>(std::count_if(samples.begin(), samples.end(), [&](SampleIndex i) {
            const bool isFree = solved.alpha(i) > 0 && solved.alpha(i) < solved.c * m_problem.weights()(i);
            return !isFree && solved.marginOf(i, m_problem.y()(i)) != m_problem.thresholds()(i);
        })));
        solutions.push_back(std::move(*solution));
    }
    grid.targets = grid.references;
    grid.axisLabel = axisOfSolutions(m_prepared);
    grid.items = items();
    grid.sampled = static_cast<std::int64_t>(samples.size());
    grid.rates = MatrixValues(count, count);
    for (Eigen::Index p = 0; p < count; ++p) {
        for (Eigen::Index q = 0; q < count; ++q) {
            const auto decided = decidedAt(m_problem, solutions[static_cast<std::size_t>(p)]->next,
                                           grid.targets[static_cast<std::size_t>(q)], samples);
            const double whole = decidable[static_cast<std::size_t>(q)];
            grid.rates(p, q) = whole > 0 ? std::min(1.0, static_cast<double>(decided) / whole) : 0;
            if (stop.stop_requested()) {
                return stoppedComputingRanges();
            }
        }
        if (progress) {
            progress(static_cast<double>(p + 1) / static_cast<double>(count));
        }
    }
    return grid;
}

Result<Lifetimes> SvmLens::lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const SolvedSvm& solved = (*solution)->next;
    const std::vector<SampleIndex> samples = sampleOf(m_problem.size(), kMostForLifetimes);
    Lifetimes result;
    result.reference = m_prepared.onAxis(solved.c);
    result.axisLabel = axisOfSolutions(m_prepared);
    result.items = items();
    result.sampled = static_cast<std::int64_t>(samples.size());
    if (m_prepared.config().isNovelty()) { // no test that looks at another C is proven
        return result;
    }
    if (m_problem.hasFreeBias()) {
        const std::vector<Decision> decisions = decisionsOverC(m_problem, solved, 1, 1);
        const std::vector<double> low = endsOverCells(m_problem, solved, samples, decisions, false, stop);
        const std::vector<double> high = endsOverCells(m_problem, solved, samples, decisions, true, stop);
        if (stop.stop_requested()) {
            return stoppedComputingRanges();
        }
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const Decision decision = decisions[static_cast<std::size_t>(samples[k])];
            if (decision != Decision::Keep) {
                result.intervals.push_back({samples[k], low[k], high[k], decision == Decision::Full});
            }
        }
        arrange(result, count);
        return result;
    }
    for (const SampleIndex i : samples) {
        const Decision decision = decisionAt(m_problem, solved, solved.c, i);
        if (decision != Decision::Keep) {
            result.intervals.push_back({i, endOf(m_problem, solved, i, decision, 1 / kFarthest),
                                        endOf(m_problem, solved, i, decision, kFarthest), decision == Decision::Full});
        }
        if (stop.stop_requested()) {
            return stoppedComputingRanges();
        }
    }
    arrange(result, count);
    return result;
}

} // namespace lambdascope::svm
