// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/data/alike_rows.h"
#include "core/data/bundled_sets.h"
#include "core/data/content_hash.h"
#include "core/data/data_source.h"
#include "core/data/generators.h"
#include "core/data/loader.h"
#include "core/data/missing_values.h"
#include "core/data/principal_axes.h"
#include "core/data/read_source.h"
#include "core/data/row_selection.h"
#include "core/data/scaling.h"
#include "core/data/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>

namespace lambdascope {

namespace {

/// Reading takes most of the time; what follows gets the rest of the progress bar.
constexpr double kReadingShare = 0.9;

Result<void> storeAs(RawData& data, Storage storage) {
    if (storage == Storage::Sparse && !data.isSparse) {
        if (data.dense.size() > kMostScaledCells) {
            return Failure(singleFault(ErrorCode::OutOfMemory, {"data.storage",
                                                                "the data are too large to be turned into sparse ones",
                                                                "Set data.scale to \"unit-norm\" or \"none\".",
                                                                {}}));
        }
        data.sparse = data.dense.sparseView(0, 0);
        data.sparse.makeCompressed();
        data.dense = DenseRows();
        data.isSparse = true;
    } else if (storage == Storage::Dense && data.isSparse) {
        makeDense(data);
    }
    return {};
}

std::string describe(const RawData& data) {
    std::string text = groupedText(data.rows()) + " × " + groupedText(data.features());
    if (!data.labels.codes.empty()) {
        text += ", " + groupedText(static_cast<std::int64_t>(data.labels.names.size())) + " classes";
    }
    if (!data.targets.empty()) {
        const auto [least, most] = std::minmax_element(data.targets.begin(), data.targets.end());
        text += ", " + data.targetName + " from " + shortText(*least) + " to " + shortText(*most);
    }
    for (const std::string& note : data.notes) {
        text += "; " + note;
    }
    return text;
}

/// Moves values, labels and names into the parts of a data set.
Dataset::Parts partsOf(RawData data, Dataset::Parts parts = {}) {
    parts.dense = std::move(data.dense);
    parts.sparse = std::move(data.sparse);
    parts.isSparse = data.isSparse;
    parts.labels = std::move(data.labels.codes);
    parts.classNames = std::move(data.labels.names);
    parts.targets = Eigen::Map<const Eigen::VectorXd>(data.targets.data(), std::ssize(data.targets));
    parts.targetName = std::move(data.targetName);
    parts.featureNames = std::move(data.featureNames);
    parts.rowNames = std::move(data.rowNames);
    return parts;
}

/// What the features of new rows have to be.
Result<void> matchFeatures(const RawData& data, RawData& fresh, const std::string& name) {
    const auto refuse = [&](std::string message, std::string remedy) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {{}, name + ": " + std::move(message), std::move(remedy), {}})};
    };
    // Rows of LIBSVM's format end at their last number that is not 0.
    const bool mayEndEarly = !fresh.notes.empty() && fresh.notes.front() == formatTitle(DataFormat::Libsvm);
    if (const Eigen::Index known = fresh.features(); mayEndEarly && known < data.features()) {
        if (fresh.isSparse) {
            fresh.sparse.conservativeResize(fresh.sparse.rows(), data.features());
        } else {
            fresh.dense.conservativeResize(Eigen::NoChange, data.features());
            fresh.dense.rightCols(data.features() - known).setZero();
        }
    }
    if (fresh.features() != data.features()) {
        return refuse("has " + groupedText(fresh.features()) + " features, the data of the run " +
                          groupedText(data.features()),
                      "Give the same columns; data.labels says which one holds the classes, or that there is none.");
    }
    for (std::size_t c = 0; c < fresh.featureNames.size() && c < data.featureNames.size(); ++c) {
        if (fresh.featureNames[c] != data.featureNames[c]) {
            return refuse("feature " + std::to_string(c + 1) + " is called \"" + fresh.featureNames[c] +
                              "\", in the data of the run \"" + data.featureNames[c] + "\"",
                          "Give the same columns in the same order.");
        }
    }
    return {};
}

/// The same changes as prepareData() makes, to other rows too.
Result<AlikeRows> prepareAlike(ReadData read, std::optional<ReadData> fresh, const DataConfig& config,
                               const std::stop_token& stop) {
    AlikeRows alike;
    RawData* others = fresh ? &fresh->data : nullptr;
    auto done = resolveMissing(read.data, config.missing, read.name);
    if (done && fresh) {
        done = resolveMissing(*others, MissingPolicy::Fail, fresh->name);
    }
    if (done && fresh) {
        done = matchFeatures(read.data, *others, fresh->name);
    }
    if (done) {
        (void)keepSubset(read.data, config.subset, config.seed);
        done = scaleFeatures(read.data, config.scale, stop, others, &alike.scaling);
    }
    if (done && config.pca) {
        done = projectOnPrincipalAxes(read.data, *config.pca, stop, others);
    }
    if (done && fresh) {
        done = storeAs(*others, config.storage);
    }
    if (!done) {
        return Failure{std::move(done).error()};
    }
    if (fresh) {
        Dataset::Parts parts;
        parts.name = fresh->name;
        parts.sourceSha256 = fresh->sha256;
        alike.rows = std::make_shared<const Dataset>(partsOf(std::move(*others), std::move(parts)));
    }
    return alike;
}

} // namespace

Result<std::shared_ptr<const Dataset>> prepareData(ReadData read, const DataConfig& config,
                                                   const DataProgress& progress, const std::stop_token& stop) {
    const auto report = [&](double share, std::string_view activity) {
        if (progress) {
            progress(kReadingShare + (1 - kReadingShare) * share, activity);
        }
    };
    RawData& data = read.data;
    report(0, "Preparing");
    RawData heldOut;
    RawData* others = nullptr;
    auto done = resolveMissing(data, config.missing, read.name);
    if (done) {
        heldOut = keepSubset(data, config.subset, config.seed);
        others = heldOut.rows() > 0 ? &heldOut : nullptr;
        report(0.3, "Scaling");
        done = scaleFeatures(data, config.scale, stop, others);
    }
    if (done && config.pca) {
        report(0.5, "Computing principal axes");
        done = projectOnPrincipalAxes(data, *config.pca, stop, others);
    }
    if (done) {
        done = storeAs(data, config.storage);
    }
    if (!done) {
        return Failure(std::move(done).error());
    }
    report(0.8, "Hashing");
    auto hash = contentSha256(data, stop);
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    Dataset::Parts parts;
    parts.contentSha256 = std::move(*hash);
    parts.description = describe(data);
    parts.name = std::move(read.name);
    parts.sourceSha256 = std::move(read.sha256);
    if (others != nullptr && (!heldOut.labels.codes.empty() || !heldOut.targets.empty())) {
        parts.heldOut = std::make_shared<const Dataset>(partsOf(std::move(heldOut)));
    }
    auto dataset = std::make_shared<const Dataset>(partsOf(std::move(data), std::move(parts)));
    report(1, "Ready");
    return dataset;
}

Result<AlikeRows> loadAlike(const DataConfig& config, const DataConfig* fresh, const DataPlaces& places,
                            const DataProgress& progress, const std::stop_token& stop) {
    if (config.source == kNoSource) {
        return AlikeRows{};
    }
    try {
        auto read = readSource({config, places, false, {}, progress, stop});
        if (!read) {
            return Failure{std::move(read).error()};
        }
        std::optional<ReadData> others;
        if (fresh != nullptr) {
            auto opened = readSource({*fresh, places, false, {}, progress, stop});
            if (!opened) {
                return Failure{std::move(opened).error()};
            }
            others = std::move(*opened);
        }
        return prepareAlike(std::move(*read), std::move(others), config, stop);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    return Failure{plainError(ErrorCode::OutOfMemory, "the rows do not fit in memory")};
}

Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const DataPlaces& places,
                                                   const DataProgress& progress, std::stop_token stop) {
    if (config.source == kNoSource) {
        Dataset::Parts none;
        none.name = config.source;
        none.description = "no rows";
        none.sourceSha256 = none.contentSha256 = sha256OfText({});
        return std::make_shared<const Dataset>(std::move(none));
    }
    try {
        DataProgress reading;
        if (progress) {
            reading = [&progress](double share, std::string_view activity) {
                progress(kReadingShare * share, activity);
            };
        }
        auto read = readSource({config, places, false, {}, reading, stop});
        if (!read) {
            return Failure(std::move(read).error());
        }
        return prepareData(std::move(*read), config, progress, stop);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    return Failure(singleFault(ErrorCode::OutOfMemory, {"data.source",
                                                        "the data \"" + config.source + "\" do not fit in memory",
                                                        "Take a part of the rows or columns.",
                                                        {}}));
}

std::vector<DataListing> listedData() {
    std::vector<DataListing> listings;
    for (const BundledSet& set : bundledSets()) {
        listings.push_back({std::string(set.source), std::string(set.title), std::string(set.summary)});
    }
    for (const Generator& generator : generators()) {
        listings.push_back(
            {"toy:" + std::string(generator.name), std::string(generator.title), std::string(generator.summary)});
    }
    return listings;
}

namespace {

/// A few milliseconds of hashing between two looks at the stop token.
constexpr std::size_t kPiece = std::size_t{1} << 17;

template <class T>
void addNumbers(Sha256& hash, std::span<const T> numbers, const std::stop_token& stop) {
    for (; !numbers.empty() && !stop.stop_requested(); numbers = numbers.subspan(std::min(kPiece, numbers.size()))) {
        const auto piece = numbers.first(std::min(kPiece, numbers.size()));
        if constexpr (std::endian::native == std::endian::little) {
            hash.add(std::as_bytes(piece));
        } else {
            for (const T number : piece) {
                auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(number);
                std::reverse(bytes.begin(), bytes.end());
                hash.add(bytes);
            }
        }
    }
}

} // namespace

Result<std::string> contentSha256(const RawData& data, const std::stop_token& stop) {
    Sha256 hash;
    hash.addNumber(static_cast<std::uint64_t>(data.rows()));
    hash.addNumber(static_cast<std::uint64_t>(data.features()));
    hash.addNumber(data.isSparse ? 1 : 0);
    if (data.isSparse) {
        const auto stored = static_cast<std::size_t>(data.sparse.nonZeros());
        const auto rows = static_cast<std::size_t>(data.sparse.rows());
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.outerIndexPtr(), rows + 1), stop);
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.innerIndexPtr(), stored), stop);
        addNumbers(hash, std::span<const double>(data.sparse.valuePtr(), stored), stop);
    } else {
        addNumbers(hash, std::span<const double>(data.dense.data(), static_cast<std::size_t>(data.dense.size())), stop);
    }
    addNumbers(hash, std::span<const std::int32_t>(data.labels.codes), stop);
    for (const std::string& name : data.labels.names) {
        hash.addNumber(name.size());
        hash.add(name.data(), name.size());
    }
    addNumbers(hash, std::span<const double>(data.targets), stop);
    if (stop.stop_requested()) {
        return Failure(plainError(ErrorCode::Stopped, "Preparing the data was stopped."));
    }
    return hash.hexDigest();
}

} // namespace lambdascope
