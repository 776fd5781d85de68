// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/prior_estimators.h"

#include "core/common/random_stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace lambdascope::pu {

namespace {

constexpr int kGradientSteps = 300;
constexpr std::size_t kMostRows = 400;

double logistic(double t) {
    return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t));
}

/// Weights and bias of ridge logistic regression on some rows.
struct Logistic {
    Eigen::VectorXd weights;
    double bias = 0;
};

Logistic fitLogistic(const FeatureRows& rows, const std::vector<SampleIndex>& use, SampleIndex positives,
                     WorkPoll& poll) {
    const auto count = static_cast<double>(use.size());
    double largest = 0;
    const Eigen::VectorXd norms = rows.squaredNorms();
    for (const SampleIndex i : use) {
        largest = std::max(largest, norms(i));
    }
    const double ridge = 1 / count;
    const double step = 1 / (0.25 * (largest + 1) + ridge);
    Logistic at{Eigen::VectorXd::Zero(rows.features()), 0};
    Logistic last = at;
    for (int k = 0; k < kGradientSteps && !poll.isStopped(); ++k) {
        const double momentum = k / (k + 3.0);
        Logistic ahead{at.weights + momentum * (at.weights - last.weights), at.bias + momentum * (at.bias - last.bias)};
        Eigen::VectorXd gradient = ridge * ahead.weights;
        double biasGradient = 0;
        for (const SampleIndex i : use) {
            const double wrong =
                (logistic(rows.dot(i, ahead.weights.data()) + ahead.bias) - (i < positives ? 1 : 0)) / count;
            rows.addTo(i, wrong, gradient.data());
            biasGradient += wrong;
        }
        last = at;
        at = {ahead.weights - step * gradient, ahead.bias - step * biasGradient};
        (void)poll.spend(static_cast<std::int64_t>(4 * count) * rows.features());
    }
    return at;
}

/// Value with the middle 95 % of resampled ones.
PriorEstimate withInterval(double value, std::int64_t resamples, const std::function<double()>& resample) {
    std::vector<double> values;
    for (std::int64_t k = 0; k < resamples; ++k) {
        values.push_back(resample());
    }
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    return {value, at(0.025), at(0.975)};
}

} // namespace

Eigen::VectorXd crossScores(const PuSamples& samples, std::uint64_t seed, WorkPoll& poll) {
    const FeatureRows rows = samples.features();
    std::vector<SampleIndex> halves[2];
    std::size_t turn = 0;
    for (const auto& [from, to] :
         {std::pair(SampleIndex{0}, samples.positives), std::pair(samples.positives, samples.size())}) {
        for (const std::size_t place : RandomStream(seed, "folds").permutation(static_cast<std::size_t>(to - from))) {
            halves[turn++ % 2].push_back(from + static_cast<SampleIndex>(place));
        }
    }
    Eigen::VectorXd scores(samples.size());
    for (int k = 0; k < 2; ++k) {
        const Logistic model = fitLogistic(rows, halves[1 - k], samples.positives, poll);
        for (const SampleIndex i : halves[k]) {
            scores(i) = logistic(rows.dot(i, model.weights.data()) + model.bias);
        }
    }
    return scores;
}

PriorEstimate elkanNotoPrior(const PuSamples& samples, const Eigen::VectorXd& scores, std::int64_t resamples,
                             std::uint64_t seed) {
    const auto p = static_cast<double>(samples.positives);
    const auto n = static_cast<double>(samples.unlabeled);
    const auto priorFor = [&](double c) { return std::clamp((p / std::max(c, p / (p + n)) - p) / n, 0.0, 1.0); };
    RandomStream random(seed, "bootstrap");
    const auto labelled = scores.head(samples.positives);
    return withInterval(priorFor(labelled.mean()), resamples, [&] {
        double sum = 0;
        for (SampleIndex i = 0; i < samples.positives; ++i) {
            sum += labelled(static_cast<Eigen::Index>(random.below(static_cast<std::size_t>(samples.positives))));
        }
        return priorFor(sum / p);
    });
}

PriorEstimate energyPrior(const PuSamples& samples, const Eigen::VectorXd& scores, std::int64_t resamples,
                          std::uint64_t seed, WorkPoll& poll) {
    RandomStream random(seed, "energy");
    const auto draw = [&](std::vector<SampleIndex> from) {
        random.shuffle(from);
        from.resize(std::min(from.size(), kMostRows));
        return from;
    };
    std::vector<SampleIndex> positives(static_cast<std::size_t>(samples.positives));
    std::iota(positives.begin(), positives.end(), SampleIndex{0});
    std::vector<SampleIndex> unlabeled(static_cast<std::size_t>(samples.unlabeled));
    std::iota(unlabeled.begin(), unlabeled.end(), samples.positives);
    std::vector<SampleIndex> negatives = unlabeled;
    std::sort(negatives.begin(), negatives.end(),
              [&](SampleIndex a, SampleIndex b) { return scores(a) < scores(b) || (scores(a) == scores(b) && a < b); });
    negatives.resize(std::max<std::size_t>(1, negatives.size() / 3));
    const std::vector<SampleIndex> sets[3] = {draw(positives), draw(negatives), draw(unlabeled)};
    // Distances among all rows that were drawn.
    std::vector<SampleIndex> all;
    std::size_t starts[4] = {};
    for (int k = 0; k < 3; ++k) {
        all.insert(all.end(), sets[k].begin(), sets[k].end());
        starts[k + 1] = all.size();
    }
    const FeatureRows rows = samples.features();
    const Eigen::VectorXd norms = rows.squaredNorms();
    const auto count = static_cast<Eigen::Index>(all.size());
    Eigen::MatrixXd distance(count, count);
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(rows.features());
    for (Eigen::Index j = 0; j < count; ++j) {
        spread.setZero();
        rows.addTo(all[static_cast<std::size_t>(j)], 1, spread.data());
        for (Eigen::Index i = 0; i < count; ++i) {
            const SampleIndex u = all[static_cast<std::size_t>(i)];
            distance(i, j) = std::sqrt(
                std::max(0.0, norms(u) + norms(all[static_cast<std::size_t>(j)]) - 2 * rows.dot(u, spread.data())));
        }
        (void)poll.spend(2 * count * rows.features());
    }
    // With A_xy = E‖x − y‖ the distance is least at θ = (A_UN − A_UP − A_NN + A_PN) / (2A_PN − A_PP − A_NN).
    const auto estimate = [&](const std::vector<Eigen::Index>(&places)[3]) {
        const auto mean = [&](int a, int b) {
            double sum = 0;
            for (const Eigen::Index j : places[b]) {
                for (const Eigen::Index i : places[a]) {
                    sum += distance(i, j);
                }
            }
            return sum / (static_cast<double>(places[a].size()) * static_cast<double>(places[b].size()));
        };
        const double pn = mean(0, 1);
        const double nn = mean(1, 1);
        const double below = 2 * pn - mean(0, 0) - nn;
        return below > 0 ? std::clamp((mean(2, 1) - mean(2, 0) - nn + pn) / below, 0.0, 1.0) : 0.5;
    };
    std::vector<Eigen::Index> places[3];
    for (int k = 0; k < 3; ++k) {
        for (std::size_t i = starts[k]; i < starts[k + 1]; ++i) {
            places[k].push_back(static_cast<Eigen::Index>(i));
        }
    }
    const double value = estimate(places);
    return withInterval(value, resamples, [&] {
        std::vector<Eigen::Index> again[3];
        for (int k = 0; k < 3; ++k) {
            for (std::size_t i = 0; i < places[k].size(); ++i) {
                again[k].push_back(places[k][random.below(places[k].size())]);
            }
        }
        (void)poll.spend(4 * count * count);
        return poll.isStopped() ? value : estimate(again);
    });
}

} // namespace lambdascope::pu
