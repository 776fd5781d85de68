// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/common/trimmed_text.h"
#include "core/config/field.h"
#include "core/data/alike_rows.h"
#include "core/data/bundled_sets.h"
#include "core/data/byte_source.h"
#include "core/data/content_hash.h"
#include "core/data/data_source.h"
#include "core/data/fault_list.h"
#include "core/data/file_places.h"
#include "core/data/format_guess.h"
#include "core/data/generators.h"
#include "core/data/input_reader.h"
#include "core/data/loader.h"
#include "core/data/memory_limit.h"
#include "core/data/missing_values.h"
#include "core/data/principal_axes.h"
#include "core/data/row_selection.h"
#include "core/data/scaling.h"
#include "core/data/text_encoding.h"

#include <new>
#include <optional>
#include <stdexcept>

namespace lambdascope {

namespace {

/// Reading takes most of the time; what follows gets the rest of the progress bar.
constexpr double kReadingShare = 0.9;

struct ReadData {
    RawData data;
    std::string name;
    std::string sha256;
};

/// What the name of a file says about its compression.
Compression namedCompression(const std::filesystem::path& path) {
    return path.extension() == ".gz"    ? Compression::Gzip
           : path.extension() == ".bz2" ? Compression::Bzip2
                                        : Compression::None;
}

std::string nameWithoutEndings(const std::filesystem::path& path) {
    std::filesystem::path name = path.filename();
    while (namedCompression(name) != Compression::None) {
        name = name.stem();
    }
    return utf8Text(name.has_stem() ? name.stem().string() : name.string());
}

std::string hashOfText(std::string_view text) {
    Sha256 hash;
    hash.add(text.data(), text.size());
    return hash.hexDigest();
}

Result<std::filesystem::path> findSource(const std::string& source, const DataPlaces& places) {
    if (trimmed(source).empty()) {
        return Failure(singleFault(
            ErrorCode::FileNotFound,
            {"data.source", "names no data", "Name a data file, a bundled set such as \"iris\", or toy:NAME.", {}}));
    }
    const FilePlace place = findFile(source, places);
    if (place.path) {
        return *place.path;
    }
    std::vector<std::string> words;
    for (const DataListing& listing : listedData()) {
        words.push_back(listing.source);
    }
    const auto closest = closestWord(source, words);
    return Failure(singleFault(
        ErrorCode::FileNotFound,
        {"data.source",
         "there is no bundled data set and no file " + excerpt(source) +
             (place.tried.empty() ? "" : " in " + place.tried),
         closest ? "Did you mean \"" + *closest + "\"?" : "Check the path, or take a bundled set such as \"iris\".",
         {}}));
}

/// Whether a file that looks like any table was meant to be LIBSVM: its name says so, and there is a colon somewhere.
bool isBrokenLibsvm(std::filesystem::path path, std::string_view head) {
    if (namedCompression(path) != Compression::None) {
        path = path.stem();
    }
    const std::string ending = path.extension().string();
    return (ending == ".libsvm" || ending == ".svm") && head.find(':') != std::string_view::npos;
}

Result<RawData> readInput(InputReader& input, const std::filesystem::path& path, const DataConfig& config,
                          DataFormat& format) {
    if (format == DataFormat::Guess) {
        const auto head = input.lookAhead();
        if (!head) {
            return Failure(head.error());
        }
        const auto guess = guessFormat(*head, input.sawAll(), input.file());
        if (!guess) {
            return Failure(guess.error());
        }
        format = *guess == DataFormat::Csv && isBrokenLibsvm(path, *head) ? DataFormat::Libsvm : *guess;
    }
    return makeLoader(format)->load(input, {config.labels, config.missing, config.storage});
}

Result<ReadData> readFile(const std::filesystem::path& path, const DataConfig& config, const DataProgress& progress,
                          const std::stop_token& stop) {
    DataProgress scaled;
    if (progress) {
        scaled = [&progress](double share, std::string_view activity) { progress(kReadingShare * share, activity); };
    }
    auto source = ByteSource::open(path, scaled, stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    DataFormat format = config.format;
    auto data = readInput(input, path, config, format);
    if (!data) {
        Error error = std::move(data).error();
        const Compression named = namedCompression(path);
        if (named != Compression::None && input.source().compression() == Compression::None && !error.faults.empty()) {
            error.faults.front().remedy += " The name of the file ends in " + path.extension().string() +
                                           ", but it is not compressed: it may be something else than its name says.";
        }
        return Failure(std::move(error));
    }
    auto hash = input.source().sha256();
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    data->notes.insert(data->notes.begin(), std::string(formatTitle(format)));
    return ReadData{std::move(*data), nameWithoutEndings(path), *hash};
}

Result<ReadData> readSource(const DataConfig& config, const DataPlaces& places, const DataProgress& progress,
                            const std::stop_token& stop) {
    if (const BundledSet* set = findBundledSet(config.source)) {
        const auto folder = places.bundled.empty() ? resourceFolder() / "datasets" : places.bundled;
        DataConfig bundled = config;
        bundled.labels = config.labels == "auto" ? std::string(set->autoLabels) : config.labels;
        auto read = readFile(folder / set->file, bundled, progress, stop);
        if (read) {
            read->name = set->source;
        }
        return read;
    }
    if (config.source.starts_with("toy:")) {
        auto data = generateData(config.source, config.seed);
        if (!data) {
            return Failure(std::move(data).error());
        }
        data->notes.insert(data->notes.begin(), "generated");
        if (config.labels == "none") {
            data->labels = {};
        }
        const std::string text = config.source + "#" + std::to_string(config.seed);
        return ReadData{std::move(*data), config.source, hashOfText(text)};
    }
    const auto path = findSource(config.source, places);
    return path ? readFile(*path, config, progress, stop) : Result<ReadData>(Failure(path.error()));
}

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
    parts.featureNames = std::move(data.featureNames);
    parts.rowNames = std::move(data.rowNames);
    return parts;
}

Result<std::shared_ptr<const Dataset>> prepare(ReadData read, const DataConfig& config, const DataProgress& progress,
                                               const std::stop_token& stop) {
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
    if (others != nullptr && !heldOut.labels.codes.empty()) {
        parts.heldOut = std::make_shared<const Dataset>(partsOf(std::move(heldOut)));
    }
    auto dataset = std::make_shared<const Dataset>(partsOf(std::move(data), std::move(parts)));
    report(1, "Ready");
    return dataset;
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

/// The same changes as prepare() makes, to other rows too.
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

Result<AlikeRows> loadAlike(const DataConfig& config, const DataConfig* fresh, const DataPlaces& places,
                            const DataProgress& progress, const std::stop_token& stop) {
    if (config.source == kNoSource) {
        return AlikeRows{};
    }
    try {
        auto read = readSource(config, places, progress, stop);
        if (!read) {
            return Failure{std::move(read).error()};
        }
        std::optional<ReadData> others;
        if (fresh != nullptr) {
            auto opened = readSource(*fresh, places, progress, stop);
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
        none.sourceSha256 = none.contentSha256 = hashOfText({});
        return std::make_shared<const Dataset>(std::move(none));
    }
    try {
        auto read = readSource(config, places, progress, stop);
        if (!read) {
            return Failure(std::move(read).error());
        }
        return prepare(std::move(*read), config, progress, stop);
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

} // namespace lambdascope
