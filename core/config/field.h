// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/json.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

enum class FieldKind {
    Boolean,  ///< JSON true/false
    Integer,  ///< whole number in `range`, or `emptyWord` if there is one
    Real,     ///< number in `range`, or `emptyWord` if there is one
    Text,     ///< any string
    Choice,   ///< one of `choices`
    Choices,  ///< array of distinct `choices`
    RealList, ///< array of numbers, each in `range`
    File,     ///< string that names a file; the form offers a file dialog
};

struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool includesLow = true;
    bool includesHigh = true;

    static Range atLeast(double low) { return {low}; }
    static Range above(double low) { return {low, std::numeric_limits<double>::infinity(), false}; }
    static Range between(double low, double high) { return {low, high}; }
    static Range aboveUpTo(double low, double high) { return {low, high, false, true}; }
    static Range strictlyBetween(double low, double high) { return {low, high, false, false}; }

    [[nodiscard]] bool contains(double value) const;
    [[nodiscard]] std::string text() const; ///< "at least 1", "above 0 and at most 1"; empty when unbounded
};

/// One word a Choice field may hold.
struct Choice {
    std::string value; ///< as in JSON
    std::string label; ///< as in the form
    std::string help;  ///< one sentence; list commands and tooltips show it
};

/// The field matters only while the field `key` of the same section holds one of `values`.
struct Relevance {
    std::string key;
    std::vector<std::string> values;
};

/// A key of earlier versions, which files may still have in place of a field's own.
struct FormerKey {
    std::string key;
    std::vector<std::pair<Json, Json>> values; ///< each value it may have, and the field's value that says the same
};

/// Everything that JSON reader, command-line help, form and manual need to know of a configuration field.
struct FieldDescription {
    std::string key;   ///< JSON key, snake_case
    std::string label; ///< for forms, Title
    std::string unit;  ///< "", "iterations", "s", …
    std::string help;  ///< one or two sentences, plain text
    FieldKind kind = FieldKind::Text;
    Range range;
    std::vector<Choice> choices;
    std::string emptyWord; ///< word that stands for "no number" in an optional Integer or Real, such as "all"
    std::optional<Relevance> relevantWhen;
    bool isAdvanced = false; ///< the form tucks it away
    std::optional<FormerKey> former;
    Json defaultValue;

    /// What is wrong with `value` for this field, or nothing. Covers type, range and choices.
    [[nodiscard]] std::optional<std::string> complaintAbout(const Json& value) const;
    /// What the field takes, for remedies and help: "a whole number, at least 1, or \"all\"".
    [[nodiscard]] std::string expectation() const;
};

/// A group of fields as JSON reader, form and command line see it, with the C++ type of the group erased.
struct SectionSchema {
    std::string key;   ///< JSON key of the object, such as "problem"
    std::string title; ///< heading in the form
    std::string help;
    std::vector<FieldDescription> fields;

    [[nodiscard]] const FieldDescription* find(std::string_view fieldKey) const;
    /// The field that was once called so; null when none was.
    [[nodiscard]] const FieldDescription* findFormer(std::string_view fieldKey) const;
    /// `given` with defaults filled in, former keys replaced and faults reported under `keyPrefix` ("problem",
    /// "lanes[1]"); null counts as
    /// {}.
    [[nodiscard]] Json resolve(const Json& given, const std::string& keyPrefix, std::vector<Fault>& faults) const;
    [[nodiscard]] Json defaults() const;
};

/// The word of `candidates` closest to `word`, when it is close enough to be a slip of the pen.
[[nodiscard]] std::optional<std::string> closestWord(std::string_view word, const std::vector<std::string>& candidates);

/// Whether `deciding`, the value of the deciding field, is one of the words of `relevance`; of a list, whether one of
/// its values is. Boolean fields have the words true and false.
[[nodiscard]] bool holds(const Relevance& relevance, const Json& deciding);

/// Whether a field of `section` matters where its fields have these values; what `values` lacks is as by default. A
/// field that is decided by one which does not matter does not either.
[[nodiscard]] bool isRelevant(const SectionSchema& section, const FieldDescription& field, const Json& values);

/// All words of a field of `section`: what matters as soon as several values may be there, and one is.
[[nodiscard]] std::vector<std::string> wordsOf(const SectionSchema& section, std::string_view key);

} // namespace lambdascope
