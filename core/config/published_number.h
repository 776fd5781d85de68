// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/json.h"

#include <string>
#include <vector>

namespace lambdascope {

/// What of our results a published number is to be set beside.
enum class PublishedMeasure {
    Fact,     ///< a fact of the problem, by `key`
    First,    ///< value of column `key` at the first path point
    Last,     ///< … at the last one
    Mean,     ///< … averaged over the path
    Sum,      ///< … summed over the path
    Least,    ///< … the smallest
    Largest,  ///< … the largest
    CpuTotal, ///< CPU seconds of a lane
    CpuRatio, ///< CPU seconds of a lane over those of the baseline lane
};

/// A number printed in the paper that an experiment repeats.
struct PublishedNumber {
    std::string label;  ///< for people: "triplets"
    double value = 0;   ///< as printed
    std::string source; ///< "[T, table 2]"
    PublishedMeasure measure = PublishedMeasure::Fact;
    std::string key;  ///< fact or column; empty for the CPU measures
    std::string lane; ///< name of the lane; empty for the first
    std::string note; ///< what differs between theirs and ours; may be empty
    bool operator==(const PublishedNumber&) const = default;
};

/// Reads the "published" list of an experiment: objects {"label", "value", "source", "measure", "lane", "note"}, where
/// measure is "fact KEY", "first COLUMN", "last …", "mean …", "sum …", "least …", "largest …", "cpu" or "cpu ratio".
/// Appends faults; null gives an empty list.
[[nodiscard]] std::vector<PublishedNumber> readPublished(const Json& given, std::vector<Fault>& faults);
[[nodiscard]] Json writePublished(const std::vector<PublishedNumber>& numbers);

} // namespace lambdascope
