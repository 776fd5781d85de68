// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/data/raw_data.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace lambdascope {

/// Samples as they were read, before any preparation.
struct ReadData {
    RawData data;
    std::string name;
    std::string sha256; ///< of the file as it stands on disk, or of the text that names a generator; empty for a head
    bool isWhole = true;
};

/// What a reader of a file sees first.
struct FileHead {
    DataFormat format = DataFormat::Guess; ///< never Guess
    std::string_view text;                 ///< decompressed: InputReader::kBlock bytes and two lines, or all of it
    bool isAll = true;
};

struct ReadRequest {
    const DataConfig& config;
    const DataPlaces& places;
    /// Of text files larger than a look ahead, only the lines that it holds.
    bool isHeadOnly = false;
    /// Called with the beginning of a file before it is loaded, so also when that fails; may be empty.
    std::function<void(const FileHead& head)> onHead = {};
    DataProgress progress = {};
    std::stop_token stop = {};
};

/// Reads a bundled set, a generator or a file. Errors: those of loadDataset().
[[nodiscard]] Result<ReadData> readSource(const ReadRequest& request);

/// What loadDataset() makes of what was read: missing values, subset, scaling, axes, storage, hash. `progress` begins
/// near its end.
[[nodiscard]] Result<std::shared_ptr<const Dataset>>
prepareData(ReadData read, const DataConfig& config, const DataProgress& progress, const std::stop_token& stop);

} // namespace lambdascope
