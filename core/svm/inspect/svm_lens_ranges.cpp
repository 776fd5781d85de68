// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and lifetimes: what one solution decides at other C, by BT1.
#include "core/svm/inspect/svm_lens.h"

#include <algorithm>
#include <cmath>

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

/// BT1 has a proof for a free bias too, but its decisions at other C are not intervals then.
Failure noRangesYet() {
    return Failure{plainError(ErrorCode::BadUsage,
                              "with a free bias one solution's decisions at other C are not computed; run the problem "
                              "with intercept \"none\" or \"feature\" to see them")};
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

} // namespace

Result<RangeGrid> SvmLens::ranges(const Progress& progress, std::stop_token stop) {
    if (m_problem.hasFreeBias()) {
        return noRangesYet();
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
    std::vector<MarginRange> ranges(samples.size());
    for (Eigen::Index p = 0; p < count; ++p) {
        for (Eigen::Index q = 0; q < count; ++q) {
            ScreeningReference from;
            from.c = grid.targets[static_cast<std::size_t>(q)];
            from.path = &solutions[static_cast<std::size_t>(p)]->next;
            makeRegion(BoundKind::BallOne, m_problem, from)->ranges(samples, ranges);
            std::int64_t decided = 0;
            for (std::size_t k = 0; k < samples.size(); ++k) {
                decided += ranges[k].decision(m_problem.thresholds()(samples[k])) != Decision::Keep ? 1 : 0;
            }
            const double whole = decidable[static_cast<std::size_t>(q)];
            grid.rates(p, q) = whole > 0 ? std::min(1.0, static_cast<double>(decided) / whole) : 0;
        }
        if (stop.stop_requested()) {
            return stoppedComputingRanges();
        }
        if (progress) {
            progress(static_cast<double>(p + 1) / static_cast<double>(count));
        }
    }
    return grid;
}

Result<Lifetimes> SvmLens::lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) {
    if (m_problem.hasFreeBias()) {
        return noRangesYet();
    }
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
    result.reference = solved.c;
    result.axisLabel = axisOfSolutions(m_prepared);
    result.items = items();
    result.sampled = static_cast<std::int64_t>(samples.size());
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
