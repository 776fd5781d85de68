// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/data/dataset.h"
#include "tests/core/data/data_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::test {

/// A configuration that leaves values as they are in the file.
inline DataConfig plain(const std::filesystem::path& file, std::string labels = "auto") {
    DataConfig config;
    config.source = file.string();
    config.scale = Scaling::None;
    config.labels = std::move(labels);
    return config;
}

inline std::shared_ptr<const Dataset> loaded(const DataConfig& config) {
    auto data = loadDataset(config, places());
    if (!data) {
        ADD_FAILURE() << data.error().describe();
        Dataset::Parts nothing;
        return std::make_shared<const Dataset>(nothing);
    }
    return *data;
}

inline Error failed(const DataConfig& config) {
    auto data = loadDataset(config, places());
    if (data) {
        ADD_FAILURE() << config.source << " was read: " << (*data)->description();
        return {};
    }
    return data.error();
}

inline std::vector<double> rowOf(const Dataset& data, Eigen::Index row) {
    const DenseRows values = data.toDense();
    return {values.row(row).begin(), values.row(row).end()};
}

using Words = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;

} // namespace lambdascope::test
