// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/data/input_reader.h"

#include <filesystem>
#include <memory>

namespace lambdascope {

struct RawData;

/// What a loader has to know of the data section.
struct LoadOptions {
    std::string labels = "auto";
    bool isTarget = false; ///< `labels` names a column of numbers that regression fits; read as labels all the same
    MissingPolicy missing = MissingPolicy::Fail;
    Storage storage = Storage::AsStored;
};

/// Reads one file format. Faults name the file, line and column; up to FaultList::kMost are gathered.
class Loader {
  public:
    virtual ~Loader() = default;

    /// `input` stands at the beginning of the file.
    virtual Result<RawData> load(InputReader& input, const LoadOptions& options) const = 0;
};

/// The loader of a format; Guess has none.
[[nodiscard]] std::unique_ptr<Loader> makeLoader(DataFormat format);

/// The name people know the format by.
[[nodiscard]] std::string_view formatTitle(DataFormat format);

} // namespace lambdascope
