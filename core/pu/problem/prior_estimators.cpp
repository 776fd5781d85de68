// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/prior_estimators.h"

#include "core/common/random_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
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
                     StopCheck& stopCheck) {
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
    for (int k = 0; k < kGradientSteps && !stopCheck.isStopped(); ++k) {
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
        (void)stopCheck.spend(static_cast<std::int64_t>(4 * count) * rows.features());
    }
    return at;
}

/// Value with the middle 95 % of resampled ones, of those that there are until `stopCheck` stops.
PriorEstimate withInterval(double value, std::int64_t resamples, const StopCheck& stopCheck,
                           const std::function<double()>& resample) {
    std::vector<double> values;
    for (std::int64_t k = 0; k < resamples && !stopCheck.isStopped(); ++k) {
        values.push_back(resample());
    }
    if (values.empty()) {
        return {value, value, value};
    }
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    return {value, at(0.025), at(0.975)};
}

/// The sets between which energy distances are taken.
constexpr std::size_t kPositives = 0, kNegatives = 1, kUnlabeled = 2, kEnergySets = 3;

/// Rows drawn for the sets, one set after the other, and which places among them each set has.
struct EnergyRows {
    std::vector<SampleIndex> samples;
    std::array<std::vector<Eigen::Index>, kEnergySets> places;
};

EnergyRows drawEnergyRows(const PuSamples& samples, const Eigen::VectorXd& scores, RandomStream& random) {
    std::array<std::vector<SampleIndex>, kEnergySets> sets;
    sets[kPositives].resize(static_cast<std::size_t>(samples.positives));
    std::iota(sets[kPositives].begin(), sets[kPositives].end(), SampleIndex{0});
    sets[kUnlabeled].resize(static_cast<std::size_t>(samples.unlabeled));
    std::iota(sets[kUnlabeled].begin(), sets[kUnlabeled].end(), samples.positives);
    std::vector<SampleIndex>& negatives = sets[kNegatives] = sets[kUnlabeled];
    std::sort(negatives.begin(), negatives.end(),
              [&](SampleIndex a, SampleIndex b) { return scores(a) < scores(b) || (scores(a) == scores(b) && a < b); });
    negatives.resize(std::max<std::size_t>(1, negatives.size() / 3));
    EnergyRows drawn;
    for (std::size_t k = 0; k < kEnergySets; ++k) {
        random.shuffle(sets[k]);
        sets[k].resize(std::min(sets[k].size(), kMostRows));
        for (const SampleIndex u : sets[k]) {
            drawn.places[k].push_back(static_cast<Eigen::Index>(drawn.samples.size()));
            drawn.samples.push_back(u);
        }
    }
    return drawn;
}

/// Distances among some rows; empty when `stopCheck` stops.
Eigen::MatrixXd distancesAmong(const std::vector<SampleIndex>& among, const FeatureRows& rows, StopCheck& stopCheck) {
    const Eigen::VectorXd norms = rows.squaredNorms();
    const auto count = static_cast<Eigen::Index>(among.size());
    Eigen::MatrixXd distance(count, count);
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(rows.features());
    for (Eigen::Index j = 0; j < count; ++j) {
        const SampleIndex v = among[static_cast<std::size_t>(j)];
        spread.setZero();
        rows.addTo(v, 1, spread.data());
        for (Eigen::Index i = 0; i < count; ++i) {
            const SampleIndex u = among[static_cast<std::size_t>(i)];
            distance(i, j) = std::sqrt(std::max(0.0, norms(u) + norms(v) - 2 * rows.dot(u, spread.data())));
            if (stopCheck.spend(2 * rows.features())) { // a column of wide rows may take long
                return {};
            }
        }
    }
    return distance;
}

/// With A_xy = E‖x − y‖ the distance is least at θ = (A_UN − A_UP − A_NN + A_PN) / (2A_PN − A_PP − A_NN).
double leastEnergyShare(const Eigen::MatrixXd& distance,
                        const std::array<std::vector<Eigen::Index>, kEnergySets>& places) {
    const auto mean = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (const Eigen::Index j : places[b]) {
            for (const Eigen::Index i : places[a]) {
                sum += distance(i, j);
            }
        }
        return sum / (static_cast<double>(places[a].size()) * static_cast<double>(places[b].size()));
    };
    const double pn = mean(kPositives, kNegatives);
    const double nn = mean(kNegatives, kNegatives);
    const double below = 2 * pn - mean(kPositives, kPositives) - nn;
    if (!(below > 0)) {
        return 0.5;
    }
    return std::clamp((mean(kUnlabeled, kNegatives) - mean(kUnlabeled, kPositives) - nn + pn) / below, 0.0, 1.0);
}

} // namespace

Eigen::VectorXd crossScores(const PuSamples& samples, std::uint64_t seed, StopCheck& stopCheck) {
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
        const Logistic model = fitLogistic(rows, halves[1 - k], samples.positives, stopCheck);
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
    return withInterval(priorFor(labelled.mean()), resamples, StopCheck(), [&] {
        double sum = 0;
        for (SampleIndex i = 0; i < samples.positives; ++i) {
            sum += labelled(static_cast<Eigen::Index>(random.below(static_cast<std::size_t>(samples.positives))));
        }
        return priorFor(sum / p);
    });
}

PriorEstimate energyPrior(const PuSamples& samples, const Eigen::VectorXd& scores, std::int64_t resamples,
                          std::uint64_t seed, StopCheck& stopCheck) {
    RandomStream random(seed, "energy");
    const EnergyRows drawn = drawEnergyRows(samples, scores, random);
    const Eigen::MatrixXd distance = distancesAmong(drawn.samples, samples.features(), stopCheck);
    if (stopCheck.isStopped()) {
        constexpr double kNotEstimated = std::numeric_limits<double>::quiet_NaN();
        return {kNotEstimated, kNotEstimated, kNotEstimated};
    }
    return withInterval(leastEnergyShare(distance, drawn.places), resamples, stopCheck, [&] {
        std::array<std::vector<Eigen::Index>, kEnergySets> again;
        for (std::size_t k = 0; k < kEnergySets; ++k) {
            const std::vector<Eigen::Index>& places = drawn.places[k];
            for (std::size_t i = 0; i < places.size(); ++i) {
                again[k].push_back(places[random.below(places.size())]);
            }
        }
        (void)stopCheck.spend(4 * distance.size());
        return leastEnergyShare(distance, again);
    });
}

} // namespace lambdascope::pu
