// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/metric/problem/metric_config.h"
#include "core/triplets/problem/comparison_list.h"

#include <filesystem>
#include <stop_token>

namespace lambdascope::metric {

/// Reads comparisons of rows from a text file, also one compressed by gzip or bzip2. One statement per line; fields are
/// separated by blanks, tabs or commas; # begins a comment. d is the squared distance that is learned.
///
///     base 0                    rows are counted from 0 (or 1); must come before the first comparison
///     triplet i j l [weight]       j is closer to i than l is:  d(i,j) + 1 ≤ d(i,l)
///     quadruplet i j l k [weight]  i is closer to j than l to k:  d(i,j) + 1 ≤ d(l,k)
///     similar i j upper [weight]     d(i,j) ≤ upper
///     dissimilar i j lower [weight]  d(i,j) ≥ lower
///     target i j [weight]       a pair of the linear term
///     form triplet              lines that begin with a number are triplets from here on (or any other of the five)
///
/// Weights are 1 unless given. Rows are those of the data as prepared; `rows` is their number.
///
/// Errors: InvalidData with up to FaultList::kMost faults, each with file, line and column: unknown words, rows that
/// are no whole numbers or not among the data, a row compared with itself, a pair compared with itself, weights that
/// are not above 0, bounds below 0, missing or excess fields, no base, nothing in the file; OutOfMemory beyond
/// 40 million statements; FileNotFound, FileUnreadable, Stopped.
Result<ComparisonList> readComparisons(const std::filesystem::path& file, RowIndex rows,
                                       const DataProgress& progress = {}, std::stop_token stop = {});

} // namespace lambdascope::metric
