// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace lambdascope {

class Dataset;

enum class WrittenFormat { Libsvm, Csv, Tsv, Arff };

/// The format that the ending of a file name stands for: .libsvm .svm .csv .tsv .arff; nothing for others.
[[nodiscard]] std::optional<WrittenFormat> writtenFormatOf(const std::filesystem::path& file);

/// Writes samples and labels as text that reads back exactly. CSV, TSV and ARFF have the label in a last column
/// "label" with the class names; LIBSVM has the class name where all names are numbers, else 1, 2, … in class order,
/// and 0 where there are no labels. Numbers to fit (data.target) take the place of labels, in a column of their own
/// name. The file appears only when it is whole. Errors: FileUnwritable, Stopped.
Result<void> writeDataset(const Dataset& data, const std::filesystem::path& file, WrittenFormat format,
                          const std::stop_token& stop = {});

} // namespace lambdascope
