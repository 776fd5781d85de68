// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/loader.h"

namespace lambdascope {

/// Lines "label index:value …" with indices from 1, ascending within a line; what follows '#' is a comment. The label
/// is a number. Labels that look like measurements are left out unless DataConfig::labels is "first".
class LibsvmLoader final : public Loader {
  public:
    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;
};

} // namespace lambdascope
