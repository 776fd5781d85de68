// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_writer.h"

#include "core/common/number_text.h"
#include "core/data/dataset.h"
#include "core/store/append_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr Eigen::Index kRowsPerFlush = 1000;

/// Quotes a cell when it has to be: doubled quotes for tables, backslashes for ARFF.
std::string cellText(const std::string& text, WrittenFormat format) {
    const bool isArff = format == WrittenFormat::Arff;
    const char quote = isArff ? '\'' : '"';
    const bool needsQuotes = text.empty() || text.find_first_of(" \t,;\"'{}%?\r\n") != std::string::npos;
    if (!needsQuotes) {
        return text;
    }
    std::string quoted(1, quote);
    for (const char c : text) {
        if (c == quote || (isArff && c == '\\')) {
            quoted += isArff ? '\\' : quote;
        }
        quoted += c;
    }
    return quoted + quote;
}

std::string featureName(const Dataset& data, Eigen::Index feature) {
    const auto& names = data.featureNames();
    const auto index = static_cast<std::size_t>(feature);
    return index < names.size() ? names[index] : "x" + std::to_string(feature + 1);
}

std::string className(const Dataset& data, Eigen::Index row) {
    const std::int32_t label = data.labels()[static_cast<std::size_t>(row)];
    return label < 0 ? std::string() : data.classNames().at(static_cast<std::size_t>(label));
}

std::string arffHeader(const Dataset& data) {
    std::string text = "@relation " + cellText(data.name(), WrittenFormat::Arff) + "\n\n";
    for (Eigen::Index j = 0; j < data.features(); ++j) {
        text += "@attribute " + cellText(featureName(data, j), WrittenFormat::Arff) + " numeric\n";
    }
    if (data.isLabelled()) {
        text += "@attribute label {";
        for (std::size_t i = 0; i < data.classNames().size(); ++i) {
            text += (i > 0 ? "," : "") + cellText(data.classNames()[i], WrittenFormat::Arff);
        }
        text += "}\n";
    }
    if (data.hasTargets()) {
        text += "@attribute " + cellText(data.targetName(), WrittenFormat::Arff) + " numeric\n";
    }
    return text + "\n@data\n";
}

std::string tableHeader(const Dataset& data, WrittenFormat format, char separator) {
    std::string text;
    for (Eigen::Index j = 0; j < data.features(); ++j) {
        text += (j > 0 ? std::string(1, separator) : "") + cellText(featureName(data, j), format);
    }
    const std::string last = data.hasTargets() ? cellText(data.targetName(), format) : "label";
    return text + (data.isLabelled() || data.hasTargets() ? separator + last : "") + '\n';
}

/// Calls visit(feature, value) for the values of a row that are not zero, in order.
template <class Visit>
void visitNonZeros(const Dataset& data, Eigen::Index row, Visit visit) {
    if (data.isSparse()) {
        for (SparseRows::InnerIterator entry(data.sparse(), row); entry; ++entry) {
            if (entry.value() != 0) {
                visit(static_cast<Eigen::Index>(entry.col()), entry.value());
            }
        }
        return;
    }
    for (Eigen::Index j = 0; j < data.features(); ++j) {
        if (const double value = data.dense()(row, j); value != 0) {
            visit(j, value);
        }
    }
}

std::string libsvmRow(const Dataset& data, Eigen::Index row, bool namesAreNumbers) {
    std::string text = data.hasTargets() ? exactText(data.targets()(row)) : "0";
    if (data.isLabelled()) {
        text =
            namesAreNumbers ? className(data, row) : std::to_string(data.labels()[static_cast<std::size_t>(row)] + 1);
    }
    visitNonZeros(data, row, [&](Eigen::Index feature, double value) {
        text += ' ' + std::to_string(feature + 1) + ':' + exactText(value);
    });
    return text + '\n';
}

std::string tableRow(const Dataset& data, Eigen::Index row, WrittenFormat format, char separator) {
    std::vector<double> values(static_cast<std::size_t>(data.features()), 0);
    visitNonZeros(data, row,
                  [&](Eigen::Index feature, double value) { values[static_cast<std::size_t>(feature)] = value; });
    std::string text;
    for (std::size_t j = 0; j < values.size(); ++j) {
        text += (j > 0 ? std::string(1, separator) : "") + exactText(values[j]);
    }
    if (data.hasTargets()) {
        return text + separator + exactText(data.targets()(row)) + '\n';
    }
    return text + (data.isLabelled() ? separator + cellText(className(data, row), format) : "") + '\n';
}

bool allNumbers(const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(),
                       [](const std::string& name) { return parseNumber(name).has_value(); });
}

} // namespace

std::optional<WrittenFormat> writtenFormatOf(const fs::path& file) {
    static constexpr std::array<std::pair<const char*, WrittenFormat>, 5> kEndings = {
        {{".libsvm", WrittenFormat::Libsvm},
         {".svm", WrittenFormat::Libsvm},
         {".csv", WrittenFormat::Csv},
         {".tsv", WrittenFormat::Tsv},
         {".arff", WrittenFormat::Arff}}};
    const std::string ending = file.extension().string();
    for (const auto& [name, format] : kEndings) {
        if (ending == name) {
            return format;
        }
    }
    return std::nullopt;
}

namespace {

/// Header and rows, flushed now and then.
Result<void> writeRows(const Dataset& data, AppendFile& output, WrittenFormat format, const std::stop_token& stop) {
    const char separator = format == WrittenFormat::Tsv ? '\t' : ',';
    const bool namesAreNumbers = allNumbers(data.classNames());
    if (format == WrittenFormat::Arff) {
        output.append(arffHeader(data));
    } else if (format != WrittenFormat::Libsvm) {
        output.append(tableHeader(data, format, separator));
    }
    for (Eigen::Index row = 0; row < data.rows(); ++row) {
        if (stop.stop_requested()) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while writing the data")};
        }
        output.append(format == WrittenFormat::Libsvm ? libsvmRow(data, row, namesAreNumbers)
                                                      : tableRow(data, row, format, separator));
        if (row % kRowsPerFlush == kRowsPerFlush - 1 || row == data.rows() - 1) {
            if (auto flushed = output.flush(); !flushed) {
                return flushed;
            }
        }
    }
    return {};
}

} // namespace

Result<void> writeDataset(const Dataset& data, const fs::path& file, WrittenFormat format,
                          const std::stop_token& stop) {
    const fs::path draft = file.string() + ".part";
    auto output = AppendFile::create(draft);
    if (!output) {
        return Failure{std::move(output).error()};
    }
    auto written = writeRows(data, *output, format, stop);
    if (written) {
        std::error_code error;
        fs::rename(draft, file, error);
        if (error) {
            written = Failure{unwritable(file, error.value())};
        }
    }
    if (!written) {
        std::error_code ignored;
        fs::remove(draft, ignored);
    }
    return written;
}

} // namespace lambdascope
