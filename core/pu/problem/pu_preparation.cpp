// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/pu_preparation.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/common/trimmed_text.h"
#include "core/data/data_faults.h"
#include "core/data/gather_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace lambdascope::pu {

namespace {

/// Which classes are positive.
Result<std::vector<char>> positiveClasses(const Dataset& data, const ProblemConfig& config) {
    if (!data.isLabelled() || data.classNames().empty()) {
        return dataFault("data.labels", "the data have no labels, so that there are no positives",
                         "Name the column that holds them by data.labels.");
    }
    const std::vector<std::string>& names = data.classNames();
    std::vector<char> positive(names.size(), 0);
    if (config.labels == LabelMeaning::Files) {
        positive[0] = 1; // as the files were put together
        return positive;
    }
    if (config.positive == "auto") {
        if (names.size() != 2) {
            return dataFault("problem.positive",
                             "the data have " + std::to_string(names.size()) + " classes (" + listOf(names) +
                                 "), so that it is not clear which ones are positive",
                             "Name the positive classes.");
        }
        positive[1] = 1;
        return positive;
    }
    std::size_t from = 0;
    while (from <= config.positive.size()) {
        const std::size_t comma = std::min(config.positive.find(',', from), config.positive.size());
        const std::string name(trimmed(std::string_view(config.positive).substr(from, comma - from)));
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            return dataFault("problem.positive",
                             "there is no class \"" + name + "\", so that there are no positives; there are " +
                                 listOf(names),
                             "Name one or more of them, separated by commas.");
        }
        positive[static_cast<std::size_t>(found - names.begin())] = 1;
        from = comma + 1;
    }
    return positive;
}

/// Rows by class, in the order of the data.
struct RowsByClass {
    std::vector<std::int32_t> positives;
    std::vector<std::int32_t> others;
};

RowsByClass rowsByClass(const Dataset& data, const std::vector<char>& isPositiveClass) {
    RowsByClass rows;
    for (std::size_t i = 0; i < data.labels().size(); ++i) {
        const bool isPositive = isPositiveClass[static_cast<std::size_t>(data.labels()[i])] != 0;
        (isPositive ? rows.positives : rows.others).push_back(static_cast<std::int32_t>(i));
    }
    return rows;
}

bool isMarked(const ProblemConfig& config) {
    return config.labels != LabelMeaning::Classes;
}

/// How many of the positives are labelled: all of them when labels say so.
Result<std::size_t> labelledCount(const ProblemConfig& config, std::size_t positives) {
    if (isMarked(config)) {
        return positives;
    }
    const auto wanted =
        config.labelledCount
            ? static_cast<std::size_t>(*config.labelledCount)
            : static_cast<std::size_t>(std::llround(config.labelledShare * static_cast<double>(positives)));
    const std::size_t labelled = std::max<std::size_t>(1, wanted);
    if (labelled > positives) {
        return dataFault("problem.labelled_count",
                         "is " + groupedText(static_cast<std::int64_t>(labelled)) + ", but there are only " +
                             groupedText(static_cast<std::int64_t>(positives)) + " positives",
                         "Label fewer of them.");
    }
    return labelled;
}

/// The unlabeled rows: all others and the positives without a label, shuffled, as many as the problem takes.
Result<std::vector<std::int32_t>> unlabeledRows(const RowsByClass& rows, std::size_t labelled,
                                                const ProblemConfig& config, std::uint64_t seed) {
    std::vector<std::int32_t> unlabeled(rows.positives.begin() + static_cast<std::ptrdiff_t>(labelled),
                                        rows.positives.end());
    unlabeled.insert(unlabeled.end(), rows.others.begin(), rows.others.end());
    if (unlabeled.empty()) {
        return dataFault(isMarked(config) ? "problem.positive" : "problem.labelled_share",
                         "all rows are labelled positives, so that there are no unlabeled ones",
                         isMarked(config) ? "Add unlabeled rows."
                                          : "Label fewer positives, or name fewer positive classes.");
    }
    RandomStream(seed, "unlabeled").shuffle(unlabeled);
    if (config.unlabeled) {
        if (*config.unlabeled > static_cast<std::int64_t>(unlabeled.size())) {
            return dataFault("problem.unlabeled",
                             "is " + groupedText(*config.unlabeled) + ", but there are only " +
                                 groupedText(static_cast<std::int64_t>(unlabeled.size())) + " unlabeled rows",
                             "Take fewer, or \"all\".");
        }
        unlabeled.resize(static_cast<std::size_t>(*config.unlabeled));
    }
    return unlabeled;
}

/// Labelled rows in the order of the data, then the unlabeled ones.
std::shared_ptr<PuSamples> gather(const Dataset& data, std::span<const std::int32_t> labelled,
                                  std::span<const std::int32_t> unlabeled) {
    auto samples = std::make_shared<PuSamples>();
    samples->positives = static_cast<SampleIndex>(labelled.size());
    samples->unlabeled = static_cast<SampleIndex>(unlabeled.size());
    samples->sourceRows.assign(labelled.begin(), labelled.end());
    std::sort(samples->sourceRows.begin(), samples->sourceRows.end());
    samples->sourceRows.insert(samples->sourceRows.end(), unlabeled.begin(), unlabeled.end());
    samples->isSparse = data.isSparse();
    if (samples->isSparse) {
        samples->sparse = gatherRows(data.sparse(), samples->sourceRows);
    } else {
        samples->dense = gatherRows(data.dense(), samples->sourceRows);
    }
    return samples;
}

} // namespace

Result<PreparedSamples> drawSamples(const Dataset& data, const ProblemConfig& config, std::uint64_t seed) {
    auto positive = positiveClasses(data, config);
    if (!positive) {
        return Failure{positive.error()};
    }
    PreparedSamples prepared;
    prepared.isPositiveClass = std::move(*positive);
    RowsByClass rows = rowsByClass(data, prepared.isPositiveClass);
    if (rows.positives.empty()) {
        return dataFault("problem.positive", "no row is of a positive class", "Name another class, or take more rows.");
    }
    const auto labelled = labelledCount(config, rows.positives.size());
    if (!labelled) {
        return Failure{labelled.error()};
    }
    RandomStream(seed, "labelled").shuffle(rows.positives);
    const auto unlabeled = unlabeledRows(rows, *labelled, config, seed);
    if (!unlabeled) {
        return Failure{unlabeled.error()};
    }
    const auto samples = gather(data, std::span(rows.positives).first(*labelled), *unlabeled);
    if (isMarked(config)) {
        prepared.trainingShare = prepared.unlabeledShare = std::numeric_limits<double>::quiet_NaN();
    } else {
        double hidden = 0;
        for (const std::int32_t row : *unlabeled) {
            const auto label = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(row)]);
            samples->truth.push_back(static_cast<std::int8_t>(prepared.isPositiveClass[label]));
            hidden += samples->truth.back();
        }
        prepared.unlabeledShare = hidden / static_cast<double>(unlabeled->size());
        prepared.trainingShare = static_cast<double>(rows.positives.size()) /
                                 static_cast<double>(rows.positives.size() + rows.others.size());
    }
    prepared.samples = samples;
    return prepared;
}

std::shared_ptr<const PuSamples> fewerOf(const PuSamples& samples, SampleIndex unlabeled, SampleIndex stride) {
    std::vector<SampleIndex> kept(static_cast<std::size_t>(samples.positives) + static_cast<std::size_t>(unlabeled));
    std::iota(kept.begin(), kept.begin() + samples.positives, 0);
    for (SampleIndex k = 0; k < unlabeled; ++k) {
        kept[static_cast<std::size_t>(samples.positives) + static_cast<std::size_t>(k)] =
            samples.positives + k * stride;
    }
    auto fewer = std::make_shared<PuSamples>();
    fewer->positives = samples.positives;
    fewer->unlabeled = unlabeled;
    fewer->isSparse = samples.isSparse;
    if (samples.isSparse) {
        fewer->sparse = gatherRows(samples.sparse, kept);
    } else {
        fewer->dense = gatherRows(samples.dense, kept);
    }
    for (const SampleIndex i : kept) {
        if (!samples.sourceRows.empty()) {
            fewer->sourceRows.push_back(samples.sourceRows[static_cast<std::size_t>(i)]);
        }
        if (i >= samples.positives && !samples.truth.empty()) {
            fewer->truth.push_back(samples.truth[static_cast<std::size_t>(i - samples.positives)]);
        }
    }
    return fewer;
}

double copiedBytes(const PuSamples& samples, SampleIndex unlabeled) {
    if (unlabeled == samples.unlabeled) {
        return 0;
    }
    const SampleIndex count = samples.positives + unlabeled;
    if (samples.isSparse) {
        return static_cast<double>(samples.sparse.outerIndexPtr()[count]) * (sizeof(double) + sizeof(std::int32_t));
    }
    return static_cast<double>(count) * static_cast<double>(samples.dense.cols()) * sizeof(double);
}

double leastRowBytes(const ProblemConfig& config, SampleIndex samples) {
    constexpr double kLeastRows = 4;
    return config.kernel == KernelKind::Linear ? 0.0 : kLeastRows * KernelRows::bytesPerRow(samples);
}

Result<void> checkKernelMemory(const ProblemConfig& config, const PuSamples& samples, SampleIndex unlabeled) {
    const SampleIndex count = samples.positives + unlabeled;
    const double least = leastRowBytes(config, count) + copiedBytes(samples, unlabeled);
    if (least <= 1e6 * static_cast<double>(config.kernelMemory)) {
        return {};
    }
    return dataFault("problem.kernel_memory",
                     "is " + std::to_string(config.kernelMemory) + " MB, too little for " +
                         (copiedBytes(samples, unlabeled) > 0 ? "the samples of a point and " : "") +
                         "four kernel rows of " + groupedText(count) + " samples",
                     "Give at least " + std::to_string(static_cast<std::int64_t>(std::ceil(least / 1e6))) + ".");
}

} // namespace lambdascope::pu
