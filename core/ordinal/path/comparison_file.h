// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/ordinal_config.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// What a file of comparisons holds, with ids from 0.
struct ReadComparisons {
    WeightedComparisons comparisons;
    ObjectIndex objects = 0; ///< 1 + largest id
    int base = 0;            ///< id of the first object in the file
    bool isQuadruplets = false;
    bool hasVotes = false;
    std::int64_t dropped = 0; ///< rows that compare something with itself
    std::string sha256;
    std::string name; ///< of the file
};

/// Reads columns i j k (triplets) or i j l k (quadruplets), then maybe one of weights or two of votes (for the answer
/// as it stands and for its opposite; one comparison for each that has any). Text with commas, semicolons, tabs or
/// blanks, with or without a header, maybe compressed by gzip or bzip2; or a NumPy array.
///
/// `layout` Auto goes by the header's names, else by the number of columns: three are triplets, six quadruplets with
/// votes; four and five could be either and are an error, unless the fourth of four columns holds a fraction (a
/// weight). `base` Auto is 0 if any id is 0, else 1. `known` is the number of objects, 0 for what the ids say.
///
/// Rows with i = j, l = k or a pair beside itself are faults, or with `dropsSelf` left out and counted.
///
/// Errors: InvalidData with up to FaultList::kMost faults, each with its line: ids that are no whole numbers, below the
/// base or beyond `known`; i = j or l = k; a pair compared with itself; weights that are not above 0, votes below 0;
/// missing or excess fields; an empty file; FileNotFound, FileUnreadable, Stopped.
Result<ReadComparisons> readComparisons(const std::filesystem::path& file, ComparisonLayout layout, IdBase base,
                                        ObjectIndex known, bool dropsSelf = false, const DataProgress& progress = {},
                                        std::stop_token stop = {});

/// Names of objects from a text file: one per line, or columns id and name (ids count from `base`). Objects without a
/// name get their id.
Result<std::vector<std::string>> readObjectNames(const std::filesystem::path& file, int base,
                                                 const DataProgress& progress = {}, std::stop_token stop = {});

} // namespace lambdascope::ordinal
