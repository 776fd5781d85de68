// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges and lifetimes: what one solution decides at other λ.
#include "core/common/random_stream.h"
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/inspect/triplet_lens.h"
#include "core/triplets/screening/range_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// Items looked at for the grid: its rates then are good to a third of a percent.
constexpr std::int64_t kMostForRanges = 20'000;
constexpr std::int64_t kMostForLifetimes = 500'000;

Failure stoppedComputingRanges() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while computing ranges")};
}

/// One number from each of `most` equal stretches of 0 … count − 1.
std::vector<TripletIndex> evenlyDrawn(TripletIndex count, std::int64_t most) {
    RandomStream random(1, "triplet sample");
    const std::int64_t size = std::min<std::int64_t>(count, most);
    std::vector<TripletIndex> numbers(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        const auto edge = [&](std::int64_t at) { return at * (count / size) + at * (count % size) / size; };
        numbers[static_cast<std::size_t>(i)] =
            edge(i) + static_cast<TripletIndex>(random.below(static_cast<std::size_t>(edge(i + 1) - edge(i))));
    }
    return numbers;
}

/// Some items of a problem, drawn evenly with a fixed seed (all of them when there are no more than wanted), and their
/// pairs, so that margins at many points are cheap: O(rows d r) for the data and O(r) per pair and point.
class ItemSample {
  public:
    ItemSample(const ProblemItems& items, std::int64_t most);

    [[nodiscard]] const std::vector<TripletIndex>& numbers() const { return m_numbers; }
    [[nodiscard]] std::size_t size() const { return m_numbers.size(); }
    /// ‖H‖_F of each, rounded up.
    [[nodiscard]] const std::vector<double>& norms() const { return m_norms; }
    /// τ of each.
    [[nodiscard]] const std::vector<double>& thresholds() const { return m_thresholds; }

    /// ⟨H, M₀⟩ and ⟨H, M̂⟩ of each, the second only where the ball has a dual; the errors bound those of any of them.
    /// False when stopped.
    bool margins(const PathBall& ball, StopCheck& stopCheck, std::vector<double>& values, std::vector<double>& duals,
                 double& error, double& dualError) const;

  private:
    /// Differences of a value per pair.
    [[nodiscard]] std::vector<double> differences(std::vector<double> ofPairs) const;

    ProblemItems m_items;
    std::vector<TripletIndex> m_numbers;
    std::vector<PairIndex> m_near;
    std::vector<PairIndex> m_far;
    std::vector<PairIndex> m_pairs; ///< of all, sorted
    std::vector<double> m_norms;
    std::vector<double> m_thresholds;
};

ItemSample::ItemSample(const ProblemItems& items, std::int64_t most)
    : m_items(items), m_numbers(evenlyDrawn(items.size(), most)) {
    for (const TripletIndex number : m_numbers) {
        const ProblemItem item = items.at(number);
        m_near.push_back(item.near);
        m_far.push_back(item.far);
        m_thresholds.push_back(item.threshold);
        m_norms.push_back(ItemGeometry(items, number).norm().upper());
    }
    m_pairs = m_near;
    m_pairs.insert(m_pairs.end(), m_far.begin(), m_far.end());
    std::sort(m_pairs.begin(), m_pairs.end());
    m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
    if (!m_pairs.empty() && m_pairs.back() == items.noPair()) {
        m_pairs.pop_back();
    }
}

std::vector<double> ItemSample::differences(std::vector<double> ofPairs) const {
    ofPairs.resize(static_cast<std::size_t>(m_items.noPair()) + 1, 0.0);
    std::vector<double> values(m_numbers.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = ofPairs[static_cast<std::size_t>(m_far[i])] - ofPairs[static_cast<std::size_t>(m_near[i])];
    }
    return values;
}

bool ItemSample::margins(const PathBall& ball, StopCheck& stopCheck, std::vector<double>& values,
                         std::vector<double>& duals, double& error, double& dualError) const {
    PairQuadraticForms space(m_items.table());
    std::vector<double> ofPairs;
    std::vector<double> ofDual;
    if (!ball.forms(space, &m_pairs, stopCheck, ofPairs, ofDual)) {
        return false;
    }
    const auto errorOf = [&](double size) {
        return 4 * space.valueError(size) + 4 * kUnitRoundoff * m_items.largestThreshold();
    };
    values = differences(std::move(ofPairs));
    error = dualError = errorOf(ball.point().spectralBound());
    duals.clear();
    if (ball.hasDual()) {
        duals = differences(std::move(ofDual));
        dualError = errorOf(spectralBound(ball.dual()));
    }
    return true;
}

/// What one solution's ball says about a sample, λ by λ.
class SampleRanges {
  public:
    /// False when stopped.
    bool compute(const ItemSample& sample, const SolvedPoint& solved, BoundKind bound, double gamma,
                 StopCheck& stopCheck) {
        const PathBall ball(pathReference(solved), bound, gamma, &stopCheck);
        double error = 0;
        double dualError = 0;
        if (!sample.margins(ball, stopCheck, m_margins, m_duals, error, dualError)) {
            return false;
        }
        m_rule.emplace(ball, gamma, error, dualError);
        return true;
    }
    [[nodiscard]] Lifetime lifetime(std::size_t at, const ItemSample& sample) const {
        const double norm = sample.norms()[at];
        return m_rule->lifetime(m_margins[at], m_duals.empty() ? m_margins[at] : m_duals[at], norm * norm,
                                sample.thresholds()[at]);
    }
    /// ⟨H, M⟩ of each.
    [[nodiscard]] const std::vector<double>& margins() const { return m_margins; }

  private:
    std::optional<RangeRule> m_rule;
    std::vector<double> m_margins;
    std::vector<double> m_duals; ///< ⟨H, M̂⟩ where that is another matrix
};

/// How many margins lie outside [τ − γ, τ].
double decidableCount(const std::vector<double>& margins, const std::vector<double>& thresholds, double gamma) {
    double count = 0;
    for (std::size_t t = 0; t < margins.size(); ++t) {
        count += margins[t] > thresholds[t] || margins[t] < thresholds[t] - gamma ? 1 : 0;
    }
    return count;
}

/// One row of the grid: the share of the decidable items that `from` decides at each λ.
Eigen::RowVectorXd ratesFrom(const SampleRanges& from, const ItemSample& sample, const std::vector<double>& lambdas,
                             const std::vector<double>& decidable) {
    IntervalCounter counts(lambdas);
    for (std::size_t t = 0; t < sample.size(); ++t) {
        counts.add(from.lifetime(t, sample).range);
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

Result<RangeGrid> TripletLens::ranges(const Progress& progress, std::stop_token stop) {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const ItemSample sample(m_items, kMostForRanges);
    const auto count = static_cast<std::int32_t>(path().size());
    std::vector<double> lambdas;
    std::vector<SampleRanges> rows;
    std::vector<double> decidable;
    for (std::int32_t p = 0; p < count; ++p) {
        const auto solution = m_replay.solution(p, stop);
        if (!solution) {
            return Failure{solution.error()};
        }
        const SolvedPoint& solved = (*solution)->solved;
        lambdas.push_back(solved.lambda);
        if (!rows.emplace_back().compute(sample, solved, rangeBound(), m_gamma, stopCheck)) {
            return stoppedComputingRanges();
        }
        decidable.push_back(decidableCount(rows.back().margins(), sample.thresholds(), m_gamma));
        if (progress) {
            progress(0.5 * (p + 1) / count);
        }
    }
    RangeGrid grid;
    grid.references = lambdas;
    grid.targets = lambdas;
    grid.items = items();
    grid.sampled = static_cast<std::int64_t>(sample.size());
    Eigen::MatrixXd rates(count, count);
    for (std::int32_t p = 0; p < count; ++p) {
        rates.row(p) = ratesFrom(rows[static_cast<std::size_t>(p)], sample, lambdas, decidable);
        if (progress) {
            progress(0.5 + 0.5 * (p + 1) / count);
        }
        if (stopCheck.ask()) {
            return stoppedComputingRanges();
        }
    }
    grid.rates = rates;
    return grid;
}

Result<Lifetimes> TripletLens::lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const auto solution = m_replay.solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const SolvedPoint& solved = (*solution)->solved;
    const ItemSample sample(m_items, kMostForLifetimes);
    SampleRanges ranges;
    if (!ranges.compute(sample, solved, rangeBound(), m_gamma, stopCheck)) {
        return stoppedComputingRanges();
    }
    Lifetimes result;
    result.reference = solved.lambda;
    result.items = items();
    result.sampled = static_cast<std::int64_t>(sample.size());
    for (std::size_t t = 0; t < sample.size(); ++t) {
        if (const Lifetime life = ranges.lifetime(t, sample); life.decision != Decision::Keep) {
            result.intervals.push_back(
                {sample.numbers()[t], life.range.low, life.range.high, life.decision == Decision::Linear});
        }
    }
    arrange(result, count);
    return result;
}

} // namespace lambdascope::triplets
