// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope {

namespace {

/// Integers above this are no longer exact as JSON doubles.
constexpr double kLargestExactInteger = 9007199254740992.0;

std::string quotedChoices(const std::vector<Choice>& choices) {
    std::string text;
    for (const Choice& choice : choices) {
        text += (text.empty() ? "" : ", ") + ("\"" + choice.value + "\"");
    }
    return text;
}

bool isChoice(const std::vector<Choice>& choices, const Json& value) {
    return value.isText() && std::any_of(choices.begin(), choices.end(),
                                         [&](const Choice& choice) { return choice.value == value.text(); });
}

bool isNumber(const FieldDescription& field, const Json& value) {
    if (!value.isNumber() || !std::isfinite(value.get<double>())) {
        return false;
    }
    const double number = value.get<double>();
    const bool isExact = number == std::floor(number) && std::abs(number) <= kLargestExactInteger;
    return (field.kind != FieldKind::Integer || isExact) && field.range.contains(number);
}

/// What would do is said where the fault says what to do.
std::string cannotBe(const Json& value) {
    return "cannot be " + value.dump();
}

std::optional<std::string> complaintUnless(bool isRight, const Json& value) {
    return isRight ? std::nullopt : std::optional(cannotBe(value));
}

std::optional<std::string> complaintAboutChoices(const FieldDescription& field, const Json& value) {
    if (!value.isArray()) {
        return cannotBe(value);
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!isChoice(field.choices, value[i])) {
            return "cannot hold " + value[i].dump();
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (value[i] == value[j]) {
                return "lists " + value[i].dump() + " twice";
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> complaintAboutList(const FieldDescription& field, const Json& value) {
    if (!value.isArray()) {
        return cannotBe(value);
    }
    for (const Json& element : value) {
        if (!isNumber(field, element)) {
            return "cannot hold " + element.dump();
        }
    }
    return std::nullopt;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replace}));
        }
    }
    return row.back();
}

} // namespace

bool Range::contains(double value) const {
    return (includesLow ? value >= low : value > low) && (includesHigh ? value <= high : value < high);
}

std::string Range::text() const {
    std::string text;
    if (std::isfinite(low)) {
        text = (includesLow ? "at least " : "above ") + shortText(low, 6);
    }
    if (std::isfinite(high)) {
        text += (text.empty() ? "" : " and ") + std::string(includesHigh ? "at most " : "below ") + shortText(high, 6);
    }
    return text;
}

std::string FieldDescription::expectation() const {
    std::string text;
    switch (kind) {
    case FieldKind::Boolean: return "true or false";
    case FieldKind::Text: return "a text in quotes";
    case FieldKind::File: return "a file name in quotes";
    case FieldKind::Choice: return (choices.size() == 1 ? "" : "one of ") + quotedChoices(choices);
    case FieldKind::Choices: return "a list of any of " + quotedChoices(choices);
    case FieldKind::RealList: text = "a list of numbers"; break;
    case FieldKind::Integer: text = "a whole number"; break;
    case FieldKind::Real: text = "a number"; break;
    }
    if (const std::string bounds = range.text(); !bounds.empty()) {
        text += (kind == FieldKind::RealList ? ", each " : ", ") + bounds;
    }
    if (!emptyWord.empty()) {
        text += ", or \"" + emptyWord + "\"";
    }
    return text;
}

std::optional<std::string> FieldDescription::complaintAbout(const Json& value) const {
    if (!emptyWord.empty() && value.isText() && value.text() == emptyWord) {
        return std::nullopt;
    }
    switch (kind) {
    case FieldKind::Boolean: return complaintUnless(value.isBoolean(), value);
    case FieldKind::Integer:
    case FieldKind::Real: return complaintUnless(isNumber(*this, value), value);
    case FieldKind::Text:
    case FieldKind::File: return complaintUnless(value.isText(), value);
    case FieldKind::Choice: return complaintUnless(isChoice(choices, value), value);
    case FieldKind::Choices: return complaintAboutChoices(*this, value);
    case FieldKind::RealList: return complaintAboutList(*this, value);
    }
    return std::nullopt;
}

const FieldDescription* SectionSchema::find(std::string_view fieldKey) const {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == fieldKey; });
    return found == fields.end() ? nullptr : &*found;
}

const FieldDescription* SectionSchema::findFormer(std::string_view fieldKey) const {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldDescription& field) {
        return field.former && field.former->key == fieldKey;
    });
    return found == fields.end() ? nullptr : &*found;
}

namespace {

/// Takes the value of a former key for the field of today, unless that is given too.
void takeFormer(const FieldDescription& field, const Json& value, const std::string& path, const Json& given,
                Json& resolved, std::vector<Fault>& faults) {
    const auto& values = field.former->values;
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& entry) { return entry.first == value; });
    if (found == values.end()) {
        std::string all;
        for (const auto& [old, now] : values) {
            all += (all.empty() ? "" : " or ") + old.dump();
        }
        faults.push_back({path,
                          "takes " + all + ", not " + value.dump(),
                          "Remove it, and give \"" + field.key + "\", as it is called now.",
                          {}});
    } else if (!given.contains(field.key)) {
        resolved[field.key] = found->second;
    }
}

} // namespace

Json SectionSchema::resolve(const Json& given, const std::string& keyPrefix, std::vector<Fault>& faults) const {
    Json resolved = defaults();
    if (given.isNull()) {
        return resolved;
    }
    if (!given.isObject()) {
        faults.push_back(
            {keyPrefix, "takes an object in braces, not " + given.dump(), "Write \"" + key + "\": { … }.", {}});
        return resolved;
    }
    for (const auto& [name, value] : given.items()) {
        std::string path = keyPrefix;
        if (!path.empty()) {
            path += '.';
        }
        path += name;
        const FieldDescription* field = find(name);
        if (const FieldDescription* renamed = field == nullptr ? findFormer(name) : nullptr; renamed != nullptr) {
            takeFormer(*renamed, value, path, given, resolved, faults);
        } else if (field == nullptr) {
            std::vector<std::string> known;
            std::transform(fields.begin(), fields.end(), std::back_inserter(known),
                           [](const auto& f) { return f.key; });
            const auto guess = closestWord(name, known);
            std::string all;
            for (const std::string& word : known) {
                all += (all.empty() ? "" : ", ") + word;
            }
            faults.push_back({path,
                              "unknown key",
                              guess ? "Did you mean \"" + *guess + "\"?" : "Remove it; known here: " + all + ".",
                              {}});
        } else if (auto complaint = field->complaintAbout(value)) {
            faults.push_back({path, *complaint, "Give " + field->expectation() + ".", {}});
        } else {
            resolved[name] = value;
        }
    }
    return resolved;
}

Json SectionSchema::defaults() const {
    Json values = Json::object();
    for (const FieldDescription& field : fields) {
        values[field.key] = field.defaultValue;
    }
    return values;
}

std::optional<std::string> closestWord(std::string_view word, const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    std::size_t bestDistance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string& candidate : candidates) {
        if (const std::size_t distance = editDistance(word, candidate); distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

bool holds(const Relevance& relevance, const Json& deciding) {
    const auto isWord = [&](const Json& value) {
        const std::string word = value.isText() ? value.text() : value.dump();
        return std::find(relevance.values.begin(), relevance.values.end(), word) != relevance.values.end();
    };
    return deciding.isArray() ? std::any_of(deciding.begin(), deciding.end(), isWord) : isWord(deciding);
}

bool isRelevant(const SectionSchema& section, const FieldDescription& field, const Json& values) {
    if (!field.relevantWhen) {
        return true;
    }
    const FieldDescription* deciding = section.find(field.relevantWhen->key);
    const auto given = values.find(field.relevantWhen->key);
    return deciding == nullptr ||
           (holds(*field.relevantWhen, given != values.end() ? *given : deciding->defaultValue) &&
            isRelevant(section, *deciding, values));
}

std::vector<std::string> wordsOf(const SectionSchema& section, std::string_view key) {
    std::vector<std::string> words;
    if (const FieldDescription* field = section.find(key)) {
        for (const Choice& choice : field->choices) {
            words.push_back(choice.value);
        }
    }
    return words;
}

} // namespace lambdascope
