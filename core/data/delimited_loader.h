// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/delimited_text.h"
#include "core/data/loader.h"

namespace lambdascope {

/// Reads the records of a delimited text into a table: what CSV, TSV and dense text have in common.
class DelimitedLoader : public Loader {
  protected:
    /// `autoLabels`: which columns may hold the labels when nothing is said.
    enum class AutoLabels { LastThenFirst, First };
    static Result<RawData> loadTable(InputReader& input, const LoadOptions& options, const FieldSyntax& syntax,
                                     AutoLabels autoLabels);
};

} // namespace lambdascope
