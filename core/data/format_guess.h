// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"

#include <string>
#include <string_view>

namespace lambdascope {

/// The format of a file from its beginning, decompressed, without a look at its name. Magic bytes tell NPY, HDF5 and
/// MAT; "@relation" ARFF; index:value pairs LIBSVM; lines of numbers between blanks dense text; else it is CSV or TSV.
/// Errors: InvalidData for an empty file, UnsupportedFormat (with what the file seems to be) for other binary files.
Result<DataFormat> guessFormat(std::string_view head, bool headIsAll, const std::string& file);

} // namespace lambdascope
