// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/read_source.h"

#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/common/trimmed_text.h"
#include "core/config/field.h"
#include "core/data/arff_loader.h"
#include "core/data/bundled_sets.h"
#include "core/data/byte_source.h"
#include "core/data/data_edits.h"
#include "core/data/delimited_loader.h"
#include "core/data/fault_list.h"
#include "core/data/file_places.h"
#include "core/data/format_guess.h"
#include "core/data/generators.h"
#include "core/data/hdf5_loader.h"
#include "core/data/input_reader.h"
#include "core/data/label_column.h"
#include "core/data/libsvm_loader.h"
#include "core/data/loader.h"
#include "core/data/npy_loader.h"
#include "core/data/row_selection.h"
#include "core/data/scaling.h"
#include "core/data/sha256.h"
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope {

std::unique_ptr<Loader> makeLoader(DataFormat format) {
    switch (format) {
    case DataFormat::Guess: break;
    case DataFormat::Libsvm: return std::make_unique<LibsvmLoader>();
    case DataFormat::Csv: return std::make_unique<CsvLoader>();
    case DataFormat::Tsv: return std::make_unique<CsvLoader>('\t');
    case DataFormat::Arff: return std::make_unique<ArffLoader>();
    case DataFormat::Npy: return std::make_unique<NpyLoader>();
    case DataFormat::Hdf5: return std::make_unique<Hdf5Loader>(Hdf5Loader::Order::RowMajor);
    case DataFormat::Mat73: return std::make_unique<Hdf5Loader>(Hdf5Loader::Order::ColumnMajor);
    case DataFormat::DenseText: return std::make_unique<DenseTextLoader>();
    }
    return nullptr;
}

std::string_view formatTitle(DataFormat format) {
    switch (format) {
    case DataFormat::Guess: break;
    case DataFormat::Libsvm: return "LIBSVM";
    case DataFormat::Csv: return "CSV";
    case DataFormat::Tsv: return "TSV";
    case DataFormat::Arff: return "ARFF";
    case DataFormat::Npy: return "NPY";
    case DataFormat::Hdf5: return "HDF5";
    case DataFormat::Mat73: return "MAT v7.3";
    case DataFormat::DenseText: return "dense text";
    }
    return "unknown format";
}

namespace {

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

/// The format of a file whose beginning is `head`.
Result<DataFormat> formatOf(const InputReader& input, std::string_view head, const std::filesystem::path& path,
                            DataFormat wished) {
    if (wished != DataFormat::Guess) {
        return wished;
    }
    const auto guess = guessFormat(head, input.sawAll(), input.file());
    return guess && *guess == DataFormat::Csv && isBrokenLibsvm(path, head) ? DataFormat::Libsvm : guess;
}

bool isText(DataFormat format) {
    return format != DataFormat::Npy && format != DataFormat::Hdf5 && format != DataFormat::Mat73;
}

constexpr std::string_view kAutoTarget = "auto";

/// Makes what was read as labels the numbers that they are.
Result<void> takeTargets(RawData& data, const std::string& column, const std::string& file) {
    auto numbers = numbersFromLabels(data.labels);
    if (!numbers || numbers->empty()) {
        return fileFailure(ErrorCode::InvalidData, file,
                           numbers ? "there is no column for the target, " + excerpt(column)
                                   : "the target column " + excerpt(column) + " holds words",
                           "Name a column of numbers by data.target.");
    }
    const LabelWish wish = LabelWish::from(column, true);
    data.targets = std::move(*numbers);
    data.targetName = wish.kind == LabelWish::Kind::Named && !parseInteger(column) ? column : "target";
    data.labels = {};
    return {};
}

/// Classes and numbers to fit come from one column, so that only one of them can be asked for.
Result<void> checkTarget(const DataConfig& config) {
    if (config.target == kAutoTarget || config.labels == "auto" || config.labels == "none") {
        return {};
    }
    return Failure(
        singleFault(ErrorCode::InvalidConfiguration, {"data.labels",
                                                      "is " + excerpt(config.labels) +
                                                          ", but data.target names the column that rows have "
                                                          "numbers from: they have no classes besides",
                                                      "Set labels to \"auto\", or target to \"auto\".",
                                                      {}}));
}

Result<ReadData> readFile(const std::filesystem::path& path, const DataConfig& config, const ReadRequest& request) {
    auto source = ByteSource::open(path, request.progress, request.stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    const auto head = input.lookAhead();
    if (!head) {
        return Failure(head.error());
    }
    const auto format = formatOf(input, *head, path, config.format);
    if (!format) {
        return Failure(format.error());
    }
    if (request.onHead) {
        request.onHead({*format, *head, input.sawAll()});
    }
    const bool isWhole = input.sawAll() || !request.isHeadOnly || !isText(*format);
    if (!isWhole) {
        input.endAfterLookAhead();
    }
    const bool hasTarget = config.target != kAutoTarget;
    auto data = makeLoader(*format)->load(
        input, {hasTarget ? config.target : config.labels, hasTarget, config.missing, config.storage});
    if (!data) {
        Error error = std::move(data).error();
        const Compression named = namedCompression(path);
        if (named != Compression::None && input.source().compression() == Compression::None && !error.faults.empty()) {
            error.faults.front().remedy += " The name of the file ends in " + path.extension().string() +
                                           ", but it is not compressed: it may be something else than its name says.";
        }
        return Failure(std::move(error));
    }
    if (hasTarget) {
        if (auto taken = takeTargets(*data, config.target, input.file()); !taken) {
            return Failure(std::move(taken).error());
        }
    }
    auto hash = isWhole ? input.source().sha256() : Result<std::string>(std::string());
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    data->notes.insert(data->notes.begin(), std::string(formatTitle(*format)));
    return ReadData{std::move(*data), nameWithoutEndings(path), *hash, isWhole};
}

Result<ReadData> readUnedited(const ReadRequest& request) {
    const DataConfig& config = request.config;
    const DataPlaces& places = request.places;
    if (auto checked = checkTarget(config); !checked) {
        return Failure(std::move(checked).error());
    }
    if (const BundledSet* set = findBundledSet(config.source)) {
        const auto folder = places.bundled.empty() ? resourceFolder() / "datasets" : places.bundled;
        DataConfig bundled = config;
        bundled.labels = config.labels == "auto" ? std::string(set->autoLabels) : config.labels;
        if (config.target == kAutoTarget && config.labels == "auto" && !set->autoTarget.empty()) {
            bundled.target = set->autoTarget;
        }
        auto read = readFile(folder / set->file, bundled, request);
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
        if (config.target != kAutoTarget) {
            return Failure(singleFault(ErrorCode::InvalidConfiguration,
                                       {"data.target",
                                        "is " + excerpt(config.target) + ", but " + config.source +
                                            " is generated, with or without numbers to fit",
                                        "Set target to \"auto\".",
                                        {}}));
        }
        if (config.labels == "none") {
            data->labels = {};
        }
        const std::string text = config.source + "#" + std::to_string(config.seed);
        return ReadData{std::move(*data), config.source, sha256OfText(text)};
    }
    if (config.source == kPaintedSource) {
        RawData none;
        none.dense.resize(0, 2);
        none.featureNames = {"x", "y"};
        none.notes = {"painted"};
        return ReadData{std::move(none), config.source, sha256OfText(config.source + "#" + config.edits)};
    }
    const auto path = findSource(config.source, places);
    return path ? readFile(*path, config, request) : Result<ReadData>(Failure(path.error()));
}

EditableRows shapeOf(const RawData& data, const DataConfig& config) {
    return {data.rows(), data.features(), data.labels.names, config.source == kPaintedSource};
}

Result<void> applyEdits(RawData& data, const DataConfig& config) {
    const EditableRows shape = shapeOf(data, config);
    auto edits = readEdits(config.edits, shape);
    if (!edits) {
        return Failure(std::move(edits).error());
    }
    if (!data.targets.empty() && !edits->added.empty()) {
        return Failure(singleFault(
            ErrorCode::InvalidData,
            {"data.edits", "add rows, but an edit cannot give a row its target", "Move or omit rows only.", {}}));
    }
    if (data.isSparse && edits->changeValues() && data.rows() * data.features() > kMostScaledCells) {
        return Failure(
            singleFault(ErrorCode::OutOfMemory,
                        {"data.edits", "the data are too large to move or add rows", "Omit rows only.", {}}));
    }
    editRows(data, *edits);
    if (shape.takesNewClasses && data.rows() > 0) { // in an order that does not go by which was painted first
        std::vector<std::string> sorted = data.labels.names;
        std::sort(sorted.begin(), sorted.end());
        for (std::int32_t& code : data.labels.codes) {
            const std::string& name = data.labels.names[static_cast<std::size_t>(code)];
            code = static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin());
        }
        data.labels = labelsFromCodes(std::move(data.labels.codes), sorted);
    }
    if (data.rows() == 0) {
        return Failure(singleFault(
            ErrorCode::InvalidData,
            {"data.edits",
             shape.rows == 0 ? "no row is painted yet" : "omits all rows",
             shape.rows == 0 ? "Paint some in the window, or write \"add X Y CLASS; …\"." : "Keep some of them.",
             {}}));
    }
    if (std::string words = whatIfText(config.source, config.edits); !words.empty()) {
        data.notes.push_back(std::move(words));
    }
    return {};
}

} // namespace

Result<ReadData> readSource(const ReadRequest& request) {
    auto read = readUnedited(request);
    const bool isEdited = !request.config.edits.empty() || request.config.source == kPaintedSource;
    if (!read || !read->isWhole || !isEdited) {
        return read;
    }
    if (auto edited = applyEdits(read->data, request.config); !edited) {
        return Failure(std::move(edited).error());
    }
    return read;
}

Result<SourceRows> readSourceRows(const DataConfig& config, const DataPlaces& places, const std::stop_token& stop) {
    constexpr Eigen::Index kMostCells = 1'000'000;
    auto read = readUnedited({config, places, false, {}, {}, stop});
    if (!read) {
        return Failure(std::move(read).error());
    }
    RawData& data = read->data;
    if (data.rows() * data.features() > kMostCells) {
        return Failure(
            singleFault(ErrorCode::InvalidData, {"data.edits",
                                                 groupedText(data.rows()) + " rows of " + groupedText(data.features()) +
                                                     " features are too many to edit by hand",
                                                 "Take a smaller data set, or write the edits in the form.",
                                                 {}}));
    }
    SourceRows source{{}, shapeOf(data, config), data.featureNames};
    source.rows.values = data.isSparse ? DenseRows(data.sparse) : std::move(data.dense);
    for (const std::int32_t code : data.labels.codes) {
        source.rows.classes.push_back(code < 0 ? std::string() : data.labels.names[static_cast<std::size_t>(code)]);
    }
    return source;
}

} // namespace lambdascope
