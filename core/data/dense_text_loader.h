// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/delimited_loader.h"
#include "core/data/raw_data.h"

namespace lambdascope {

/// Lines "label v1 v2 …", separated by blanks. Without a wish the first column holds the labels if it looks like
/// classes; otherwise all columns are features.
class DenseTextLoader final : public DelimitedLoader {
  public:
    Result<RawData> load(InputReader& input, const LoadOptions& options) const override {
        return loadTable(input, options, {' ', "", false}, AutoLabels::First);
    }
};

} // namespace lambdascope
