// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/json.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

/// Calls `readOne` for each object of a list "published", with the path of the object in messages; appends faults for
/// what is no list of objects.
void readPublishedList(const Json& given, std::vector<Fault>& faults,
                       const std::function<void(const Json& entry, const std::string& prefix)>& readOne);
/// Where the members of one published number go, and what its kind has besides.
struct PublishedMembers {
    std::vector<std::pair<const char*, std::string*>> texts; ///< the first, "label", has to be there
    double* value = nullptr;
    std::function<bool(const std::string& key, const Json& value)>
        readOther;          ///< false for an unknown key; may be empty
    const char* known = ""; ///< "Known here: …"
};
void readPublishedMembers(const Json& given, const std::string& prefix, const PublishedMembers& members,
                          std::vector<Fault>& faults);

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
