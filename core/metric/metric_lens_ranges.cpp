// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and lifetimes: what one solution decides at other λ.
#include "core/metric/metric_lens.h"
#include "core/metric/range_census.h"
#include "core/metric/triplet_sample.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// Triplets looked at for the grid: its rates then are good to a third of a percent.
constexpr std::int64_t kMostForRanges = 20'000;
constexpr std::int64_t kMostForLifetimes = 500'000;

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while computing ranges")};
}

RangeRule rangeRule(const SolvedPoint& solved, double gamma, double marginError) {
    return RangeRule({&solved.point, solved.lambda, solved.gap}, gamma, marginError);
}

/// Margins of a sample at every point of a path, where λ falls.
struct MarginTable {
    std::vector<double> lambdas;
    std::vector<RangeRule> rules;
    std::vector<std::vector<double>> margins;
};

/// One row of the grid: the share of the decidable triplets that `from` decides at each λ.
Eigen::RowVectorXd ratesFrom(std::size_t from, const MarginTable& table, const std::vector<double>& norms,
                             const std::vector<double>& decidable) {
    IntervalCounts counts(table.lambdas);
    for (std::size_t t = 0; t < norms.size(); ++t) {
        counts.add(table.rules[from].lifetime(table.margins[from][t], norms[t] * norms[t]).range);
    }
    const std::vector<std::int64_t> decided = counts.counts();
    Eigen::RowVectorXd rates = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(decided.size()));
    for (std::size_t p = 0; p < decided.size(); ++p) {
        rates(static_cast<Eigen::Index>(p)) =
            decidable[p] > 0 ? std::min(1.0, static_cast<double>(decided[p]) / decidable[p]) : 0;
    }
    return rates;
}

} // namespace

Result<RangeGrid> MetricLens::ranges(const Progress& progress, std::stop_token stop) {
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    const TripletSample sample(m_triplets, kMostForRanges);
    const auto count = static_cast<std::int32_t>(path().size());
    MarginTable table;
    std::vector<double> decidable;
    for (std::int32_t p = 0; p < count; ++p) {
        const auto solution = m_replay.solution(p, stop);
        if (!solution) {
            return Failure{solution.error()};
        }
        const SolvedPoint& solved = (*solution)->solved;
        table.lambdas.push_back(solved.lambda);
        double error = 0;
        if (!sample.margins(solved.point, poll, table.margins.emplace_back(), error)) {
            return stopped();
        }
        table.rules.push_back(rangeRule(solved, m_gamma, error));
        decidable.push_back(
            static_cast<double>(std::count_if(table.margins.back().begin(), table.margins.back().end(),
                                              [this](double margin) { return margin > 1 || margin < 1 - m_gamma; })));
        if (progress) {
            progress(0.5 * (p + 1) / count);
        }
    }
    RangeGrid grid;
    grid.references = table.lambdas;
    grid.targets = table.lambdas;
    grid.items = items();
    grid.sampled = static_cast<std::int64_t>(sample.size());
    grid.rates.resize(count, count);
    for (std::int32_t p = 0; p < count; ++p) {
        grid.rates.row(p) = ratesFrom(static_cast<std::size_t>(p), table, sample.norms(), decidable);
        if (progress) {
            progress(0.5 + 0.5 * (p + 1) / count);
        }
        if (poll.ask()) {
            return stopped();
        }
    }
    return grid;
}

Result<Lifetimes> MetricLens::lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    const auto solution = m_replay.solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const SolvedPoint& solved = (*solution)->solved;
    const TripletSample sample(m_triplets, kMostForLifetimes);
    std::vector<double> margins;
    double error = 0;
    if (!sample.margins(solved.point, poll, margins, error)) {
        return stopped();
    }
    Lifetimes result;
    result.reference = solved.lambda;
    result.items = items();
    result.sampled = static_cast<std::int64_t>(sample.size());
    const RangeRule rule = rangeRule(solved, m_gamma, error);
    for (std::size_t t = 0; t < sample.size(); ++t) {
        const double norm = sample.norms()[t];
        if (const Lifetime life = rule.lifetime(margins[t], norm * norm); life.verdict != Verdict::Keep) {
            result.intervals.push_back(
                {sample.numbers()[t], life.range.low, life.range.high, life.verdict == Verdict::Linear});
        }
    }
    arrange(result, count);
    return result;
}

} // namespace lambdascope::metric
