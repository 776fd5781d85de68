// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/certificate_data.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/data/bundled_sets.h"
#include "core/data/byte_source.h"
#include "core/data/data_edits.h"
#include "core/data/dataset.h"
#include "core/data/file_places.h"
#include "core/data/format_guess.h"
#include "core/data/input_reader.h"
#include "core/data/sha256.h"
#include "core/data/split.h"
#include "core/data/table_sniffer.h"
#include "core/store/dataset_writer.h"

#include <limits>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// Lines of a raw file that are compared with what was read of them.
constexpr std::size_t kComparedLines = 50;

/// Of shape, values row by row, class names row by row, and targets.
std::string valuesSha256(const Dataset& data) {
    const DenseRows values = data.toDense();
    Sha256 hash;
    hash.addNumber(static_cast<std::uint64_t>(values.rows()));
    hash.addNumber(static_cast<std::uint64_t>(values.cols()));
    hash.add(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
    for (const std::int32_t label : data.labels()) {
        const std::string& name = data.classNames()[static_cast<std::size_t>(label)];
        hash.addNumber(name.size());
        hash.add(name.data(), name.size());
    }
    hash.add(data.targets().data(), static_cast<std::size_t>(data.targets().size()) * sizeof(double));
    return hash.hexDigest();
}

/// Rules are there for these preparations alone.
bool hasRules(const DataConfig& config) {
    return config.edits.empty() && !config.pca && config.missing == MissingPolicy::Fail &&
           (config.scale == Scaling::MinMax || config.scale == Scaling::None);
}

/// The fields of a line, cut at `delimiter`, or between blanks when that is one.
std::vector<std::string> fieldsOf(std::string_view line, char delimiter) {
    std::vector<std::string> fields;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(delimiter), line.size());
        const std::string_view field = trimmed(line.substr(0, end));
        if (delimiter != ' ' || !field.empty()) {
            fields.emplace_back(field);
        }
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return fields;
}

/// No place among the fields, of data with neither labels nor targets.
constexpr std::size_t kNoLabel = std::numeric_limits<std::size_t>::max();

bool hasAnswers(const Dataset& data) {
    return data.isLabelled() || data.hasTargets();
}

/// How a statement names the column of these, counted from 1.
Json answerColumn(const Dataset& data, std::int64_t column) {
    Json statement = Json{{"label_column", data.isLabelled() ? column : 0}};
    if (data.hasTargets()) {
        statement["target_column"] = column;
    }
    return statement;
}

/// Whether a field holds the label or target of a row.
bool isAnswer(const std::string& field, const Dataset& raw, Eigen::Index row) {
    if (raw.hasTargets()) {
        return parseNumber(field) == raw.targets()(row);
    }
    const std::string& name = raw.classNames()[static_cast<std::size_t>(raw.labels()[static_cast<std::size_t>(row)])];
    const auto number = parseNumber(field);
    return field == name || (number && number == parseNumber(name));
}

/// Whether a line whose label or target is field `label` reads as row `row` of the data.
bool isRow(const std::vector<std::string>& fields, std::size_t label, const Dataset& raw, Eigen::Index row) {
    if (static_cast<Eigen::Index>(fields.size()) != raw.features() + (label == kNoLabel ? 0 : 1) ||
        (label != kNoLabel && !isAnswer(fields[label], raw, row))) {
        return false;
    }
    for (std::size_t c = 0; c < fields.size(); ++c) {
        const auto feature = static_cast<Eigen::Index>(c < label ? c : c - 1);
        if (c != label && parseNumber(fields[c]) != raw.dense()(row, feature)) {
            return false;
        }
    }
    return true;
}

/// Where labels or targets and a header stand in a table, found by what was read of it.
std::optional<Json> tableStatement(std::string_view head, char delimiter, const Dataset& raw) {
    std::vector<std::vector<std::string>> lines;
    while (!head.empty() && lines.size() < kComparedLines) {
        const std::size_t end = head.find('\n');
        const std::string_view line = trimmed(head.substr(0, end));
        if (!line.empty() && line.front() != '#' && line.front() != '%') {
            lines.push_back(fieldsOf(line, delimiter));
        }
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    }
    for (const std::size_t header : {0U, 1U}) {
        const std::size_t count =
            std::min(lines.size() - std::min(lines.size(), header), static_cast<std::size_t>(raw.rows()));
        const std::size_t width = count == 0 ? 0 : hasAnswers(raw) ? lines[header].size() : 1;
        for (std::size_t place = 0; place < width; ++place) {
            const std::size_t label = hasAnswers(raw) ? place : kNoLabel;
            std::size_t row = 0;
            while (row < count && isRow(lines[header + row], label, raw, static_cast<Eigen::Index>(row))) {
                ++row;
            }
            if (row == count) {
                Json statement = answerColumn(raw, static_cast<std::int64_t>(place) + 1);
                statement["format"] = delimiter == ' ' ? "blanks" : "delimited";
                statement["delimiter"] = std::string(1, delimiter);
                statement["header"] = header > 0;
                return statement;
            }
        }
    }
    return std::nullopt;
}

/// How the raw file is read; nothing where there are no rules for it.
std::optional<Json> readingStatement(const fs::path& path, const DataConfig& config, const Dataset& raw) {
    auto source = ByteSource::open(path);
    if (!source || raw.rows() == 0) {
        return std::nullopt;
    }
    InputReader input(std::move(*source));
    const auto head = input.lookAhead();
    if (!head) {
        return std::nullopt;
    }
    DataFormat format = config.format;
    if (format == DataFormat::Guess) {
        const auto guess = guessFormat(*head, input.sawAll(), input.file());
        if (!guess) {
            return std::nullopt;
        }
        format = *guess;
    }
    switch (format) {
    case DataFormat::Libsvm:
        if (hasAnswers(raw)) {
            Json statement = answerColumn(raw, 1);
            statement["format"] = "libsvm";
            statement["features"] = raw.features();
            return statement;
        }
        return std::nullopt;
    case DataFormat::Csv:
        return raw.isSparse() ? std::nullopt : tableStatement(*head, sniffDelimiter(*head, input.sawAll()), raw);
    case DataFormat::Tsv: return raw.isSparse() ? std::nullopt : tableStatement(*head, '\t', raw);
    case DataFormat::DenseText: return raw.isSparse() ? std::nullopt : tableStatement(*head, ' ', raw);
    default: return std::nullopt;
    }
}

/// The statement about the raw file; nothing where there are no rules for all of its way to the prepared values.
Result<std::optional<Json>> rawStatement(const DataConfig& config, const DataPlaces& places, std::stop_token stop) {
    const auto path = rawDataFile(config, places);
    if (!path || !hasRules(config)) {
        return std::optional<Json>();
    }
    DataConfig rawConfig = config;
    rawConfig.scale = Scaling::None;
    rawConfig.subset = 1;
    rawConfig.storage = Storage::AsStored;
    const auto raw = loadDataset(rawConfig, places, {}, std::move(stop));
    if (!raw) {
        return Failure{raw.error()};
    }
    const auto reading = readingStatement(*path, config, **raw);
    if (!reading) {
        return std::optional<Json>();
    }
    Json statement = Json{{"file", path->filename().string()}, {"sha256", (*raw)->sourceSha256()}};
    statement.update(*reading);
    statement["scale"] = config.scale == Scaling::MinMax ? "minmax" : "none";
    statement["rows"] = "all";
    if (config.subset < 1) {
        statement["rows"] = stratifiedSplit(static_cast<std::size_t>((*raw)->rows()), (*raw)->labels(), config.subset,
                                            config.seed, false)
                                .first;
    }
    return std::optional<Json>(std::move(statement));
}

} // namespace

std::optional<fs::path> rawDataFile(const DataConfig& config, const DataPlaces& places) {
    if (config.source.starts_with("toy:") || config.source == kPaintedSource || config.source == kNoSource) {
        return std::nullopt;
    }
    if (const BundledSet* set = findBundledSet(config.source)) {
        return places.bundled / set->file;
    }
    return findFile(config.source, places).path;
}

Result<Json> certificateData(const Dataset& data, const DataConfig& config, const DataPlaces& places,
                             const fs::path& folder, std::stop_token stop) {
    auto statement = rawStatement(config, places, stop);
    if (!statement) {
        return Failure{statement.error()};
    }
    if (!*statement) {
        if (auto written = writeDataset(data, folder / kPreparedData, WrittenFormat::Csv, stop); !written) {
            return Failure{written.error()};
        }
        Json prepared = answerColumn(data, data.features() + 1);
        prepared.update(Json{{"file", kPreparedData},
                             {"format", "delimited"},
                             {"delimiter", ","},
                             {"header", true},
                             {"scale", "none"},
                             {"rows", "all"}});
        *statement = std::move(prepared);
    }
    (**statement)["values_sha256"] = valuesSha256(data);
    return std::move(**statement);
}

} // namespace lambdascope
