// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/pu_runs/growth_curves.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/pu/engines/pu_model.h"
#include "core/pu/problem/pu_measures.h"
#include "core/pu/rivals/interior_point.h"
#include "core/pu/rivals/usmo.h"
#include "tests/benchmarks/program_options.h"
#include "tests/benchmarks/pu_runs/pu_sets.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace lambdascope::benchmarks {

using namespace pu;

namespace {

constexpr double kLambda = 1e-2;
constexpr double kTau = 1e-3;
constexpr double kPatience = 10; ///< seconds; a method that has taken more is not asked for larger problems
constexpr SampleIndex kMostForGram = 2000;
constexpr double kStore = 2e9; ///< bytes of kernel rows
constexpr double kFewRows = 48;

std::optional<PreparedSamples> samplesOf(const GrowthSet& set) {
    DataConfig config;
    config.source = (sharedData("") / set.file).string();
    config.labels = set.labels;
    config.missing = MissingPolicy::DropRows;
    const auto data = loadDataset(config, {});
    if (!data) {
        std::printf("Skipped: %s\n", data.error().describe().c_str());
        return std::nullopt;
    }
    ProblemConfig problem;
    problem.positive = set.positive;
    problem.labelledCount = 100;
    const auto drawn = drawSamples(**data, problem, 1);
    return drawn ? std::optional(*drawn) : std::nullopt;
}

/// Seconds as text; the slope of log time over log n since the last row, once times can be told apart.
class TimeColumn {
  public:
    explicit TimeColumn(SampleIndex most) : m_most(most) {}

    [[nodiscard]] bool isWanted(SampleIndex n) const { return n <= m_most && m_last < kPatience; }
    std::string note(SampleIndex n, double seconds) {
        std::string text = shortText(seconds, 3);
        if (m_last > 1e-3) {
            const double slope = std::log(seconds / m_last) / std::log(static_cast<double>(n) / m_samples);
            text += " (" + shortText(slope, 2) + ")";
        }
        m_last = seconds;
        m_samples = n;
        return text;
    }

  private:
    SampleIndex m_most;
    double m_last = 0;
    double m_samples = 0;
};

void printCurve(const PuSamples& samples, const KernelFunction& kernel, double prior) {
    std::printf(
        "\n%s kernel. Seconds of CPU, with slopes.\n\n"
        "| n | pairs | USMO | interior point | F | objective, USMO − pairs | pairs with a store for %.0f rows | "
        "its memory, bytes per n |\n|---|---|---|---|---|---|---|---|\n",
        kernel.kind == KernelKind::Linear ? "Linear" : "Gaussian", kFewRows);
    TimeColumn pairs(samples.unlabeled), tight(samples.unlabeled), usmo(samples.unlabeled), interior(kMostForGram);
    for (SampleIndex n = 500; n <= samples.unlabeled; n *= 2) {
        const auto few = fewerOf(samples, n, 1);
        const auto within = [&](double store) { return problemOn(few, kernel, prior, store, false); };
        const PointSettings settings{.tolerance = kTau, .toleranceKind = ToleranceKind::Violation};
        StopCheck never;
        double start = threadCpuSeconds();
        const auto problem = within(kStore);
        const PointOutcome ours = solve(*problem, kLambda, settings);
        const std::string pairsText = pairs.note(n, threadCpuSeconds() - start);
        start = threadCpuSeconds();
        const PointOutcome small = solve(*within(kFewRows * 8 * n), kLambda, settings);
        const std::string tightText = tight.note(n, threadCpuSeconds() - start);
        std::string usmoText = "–", interiorText = "–", differenceText = "–";
        if (usmo.isWanted(n)) {
            start = threadCpuSeconds();
            const auto again = within(0);
            Usmo published(*again, kLambda, kTau);
            const UsmoOutcome theirs = published.solve(uniformStart(*again), 10000, never);
            usmoText = usmo.note(n, threadCpuSeconds() - start);
            SolvedPu solved = theirs.solved;
            completePoint(*again, kLambda, solved);
            differenceText = shortText((solved.primal - ours.solved.primal) / std::abs(ours.solved.primal), 2);
        }
        if (interior.isWanted(n)) {
            start = threadCpuSeconds();
            (void)solveByInteriorPoint(*within(0), kLambda, 1e-6, never);
            interiorText = interior.note(n, threadCpuSeconds() - start);
        }
        const PuModel model = modelOf(*problem, ours.solved);
        const double f = measureAgainst(model.values.tail(n), few->truth).f;
        std::printf("| %s | %s | %s | %s | %.3f | %s | %s | %.0f |\n", groupedText(n).c_str(), pairsText.c_str(),
                    usmoText.c_str(), interiorText.c_str(), f, differenceText.c_str(), tightText.c_str(),
                    static_cast<double>(small.bytes) / n);
        std::fflush(stdout);
    }
}

} // namespace

const std::vector<GrowthSet>& growthSets() {
    static const std::vector<GrowthSet> sets = {
        {"shuttle", "svm/shuttle.trn.csv", "last", "1"},
        {"mnist4000", "metric/mnist4000.libsvm.gz", "auto", "0"},
        {"adult", "pu/adult-train.csv.gz", "last", ">50K"},
        {"bank-marketing", "pu/bank-marketing.csv.gz", "Class", "2"},
    };
    return sets;
}

bool hasData(const GrowthSet& set) {
    return std::filesystem::exists(sharedData("") / set.file);
}

std::shared_ptr<const PuProblem> growthProblem(const GrowthSet& set, SampleIndex unlabeled) {
    const auto drawn = hasData(set) ? samplesOf(set) : std::nullopt;
    if (!drawn || drawn->samples->unlabeled < unlabeled) {
        return nullptr;
    }
    const auto features = static_cast<double>(drawn->samples->features().features());
    return problemOn(fewerOf(*drawn->samples, unlabeled, 1), {.kind = KernelKind::Rbf, .gamma = 1 / features},
                     drawn->unlabeledShare, kStore, true);
}

void printGrowth(const GrowthSet& set) {
    const auto drawn = samplesOf(set);
    if (!drawn) {
        return;
    }
    const PuSamples& samples = *drawn->samples;
    const auto features = static_cast<double>(samples.features().features());
    for (const KernelFunction& kernel :
         {KernelFunction{.kind = KernelKind::Linear}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 1 / features}}) {
        printCurve(samples, kernel, drawn->unlabeledShare);
    }
}

} // namespace lambdascope::benchmarks
