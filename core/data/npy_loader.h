// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/loader.h"

namespace lambdascope {

/// NumPy arrays (format versions 1 to 3) of one or two dimensions, in C or Fortran order, of little-endian floats of
/// 4 or 8 bytes, integers of 1 to 8 bytes, or booleans. A one-dimensional array is one feature. Labels as in
/// rawDataFromMatrix. [NumPy Enhancement Proposal 1]
class NpyLoader final : public Loader {
  public:
    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;
};

} // namespace lambdascope
