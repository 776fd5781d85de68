// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"
#include "core/data/data_source.h"

#include <filesystem>
#include <optional>
#include <stop_token>

namespace lambdascope {

class Dataset;

/// The file in the folder of a certificate with values for which there are no rules.
inline constexpr const char* kPreparedData = "data.csv";

/// Member "data" of a certificate: how its checker gets the values of `data` from the raw file that `config` names, by
/// the rules of resources/docs/certificate.md. Where there is no such file or no such rules (generated data, PCA,
/// standardized or sparse values, word columns …), the prepared values themselves are written to data.csv in `folder`.
/// Errors: FileUnwritable, Stopped.
Result<Json> certificateData(const Dataset& data, const DataConfig& config, const DataPlaces& places,
                             const std::filesystem::path& folder, std::stop_token stop);

/// The file that the data are read from; nothing where they are generated or there are none.
[[nodiscard]] std::optional<std::filesystem::path> rawDataFile(const DataConfig& config, const DataPlaces& places);

} // namespace lambdascope
