// SPDX-License-Identifier: GPL-3.0-or-later
// What an embedding must do whatever the model, the seed and the draw: agree with comparisons it has not seen, come
// close to the points the comparisons are of, and follow the same iterates lazily and plainly from epoch to epoch.
#include "core/numeric/procrustes.h"
#include "core/ordinal/path/comparison_file.h"
#include "core/ordinal/path/comparison_sampling.h"
#include "core/ordinal/solver/trial.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace lambdascope::ordinal {
namespace {

Trial solved(const SolverConfig& config, const Objective& objective, Eigen::Index p, std::uint64_t seed, int epochs) {
    Trial trial(config, objective, p, seed, 0);
    StopCheck stopCheck;
    for (int epoch = 0; epoch <= epochs; ++epoch) {
        trial.advance(stopCheck);
    }
    return trial;
}

TEST(OrdinalEmbedding, AgreesWithUnseenComparisonsAndRecoversThePoints) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Points truth = randomPoints(60, 3, 0.6, seed);
        const ComparisonSet train = randomComparisons(truth, 6000, seed, seed == 2);
        const ComparisonSet test = randomComparisons(truth, 2000, seed + 100);
        for (const ModelSpec& model : allModels(3)) {
            const Trial trial = solved({}, Objective(train, model), 3, seed, 25);
            StopCheck stopCheck;
            const bool isShare = model.kind == ModelKind::Ckl || model.kind == ModelKind::Tste;
            EXPECT_LE(violatedShare(test, trial.state().x, stopCheck), isShare ? 0.2 : 0.08)
                << modelName(model.kind) << " seed " << seed;
            EXPECT_LE(alignPoints(trial.state().x, truth).distance, isShare ? 0.25 : 0.08)
                << modelName(model.kind) << " seed " << seed;
        }
    }
}

TEST(OrdinalEmbedding, LazyAndPlainEpochsStayTogether) {
    const Points truth = randomPoints(50, 4, 0.5, 1);
    const ComparisonSet train = randomComparisons(truth, 2000, 2, true);
    for (const ModelSpec& model : allModels(4)) {
        const Objective objective(train, model);
        SolverConfig config;
        config.method = MethodKind::Svrg; // the same step in both
        config.step = 0.002;
        for (const int epochs : {1, 2}) {
            config.lazy = true;
            const Points lazy = solved(config, objective, 4, 3, epochs).state().x;
            config.lazy = false;
            const Points plain = solved(config, objective, 4, 3, epochs).state().x;
            EXPECT_LE((lazy - plain).cwiseAbs().maxCoeff(), 1e-9 * plain.cwiseAbs().maxCoeff())
                << modelName(model.kind);
        }
    }
}

TEST(OrdinalEmbedding, NoiseCostsAboutItsShareOfTrainingErrorOnly) {
    const Points truth = randomPoints(60, 2, 1, 4);
    RandomStream random(5);
    StopCheck stopCheck;
    const auto distance = [&](ObjectIndex a, ObjectIndex b) { return (truth.row(a) - truth.row(b)).squaredNorm(); };
    WeightedComparisons noisy = sampleFromDistances(60, distance, ComparisonLayout::Triplets, 6000, random, stopCheck);
    addNoise(noisy, 0.1, random);
    const ComparisonSet train(noisy, 60);
    const ComparisonSet test = randomComparisons(truth, 2000, 6);
    const Trial trial = solved({}, Objective(train, {}), 2, 1, 25);
    EXPECT_NEAR(trial.state().value.error, 0.1, 0.04);
    EXPECT_LE(violatedShare(test, trial.state().x, stopCheck), 0.08);
}

TEST(OrdinalEmbedding, RealAnswersAreLearnable) {
    const std::filesystem::path folder = std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "../shared/data/ordinal";
    struct Case {
        const char* file;
        Eigen::Index p;
        double train;
        double mostError;
    };
    int compared = 0;
    for (const Case& data : {Case{"music_triplets.csv", 9, 0.8, 0.3}, Case{"eurodist_triplets.csv", 2, 0.5, 0.12},
                             Case{"material_triplets_train.csv", 2, 0.8, 0.4}}) {
        if (!std::filesystem::exists(folder / data.file)) {
            continue;
        }
        const auto read = readComparisons(folder / data.file, ComparisonLayout::Auto, IdBase::Auto, 0, true);
        ASSERT_TRUE(read) << read.error().describe();
        RandomStream random(1);
        const auto size = static_cast<double>(read->comparisons.size());
        Split split = splitByQuestion(read->comparisons, static_cast<std::int64_t>(data.train * size),
                                      static_cast<std::int64_t>(size), random);
        const ComparisonSet train(std::move(split.train), read->objects);
        const ComparisonSet test(std::move(split.test), read->objects);
        const Trial trial = solved({}, Objective(train, {}), data.p, 1, 20);
        StopCheck stopCheck;
        EXPECT_LE(violatedShare(test, trial.state().x, stopCheck), data.mostError) << data.file;
        ++compared;
    }
    if (compared == 0) {
        GTEST_SKIP() << "no data in " << folder;
    }
}

} // namespace
} // namespace lambdascope::ordinal
