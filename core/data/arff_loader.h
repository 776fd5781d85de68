// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/loader.h"

namespace lambdascope {

/// Weka's attribute-relation files: numeric and nominal attributes, plain rows or sparse rows "{index value, …}" with
/// indices from 0. Nominal attributes become one-hot. Classes: see classAttribute(). A sparse row leaves out zeros
/// and, for nominal attributes, their first value.
class ArffLoader final : public Loader {
  public:
    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;
};

} // namespace lambdascope
