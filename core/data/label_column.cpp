// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/label_column.h"

#include "core/common/number_text.h"
#include "core/config/field.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace lambdascope {

LabelWish LabelWish::from(const std::string& text, bool isTarget) {
    static const std::map<std::string, Kind, std::less<>> words = {
        {"auto", Kind::Auto}, {"none", Kind::None}, {"first", Kind::First}, {"last", Kind::Last}};
    const auto found = words.find(text);
    return found == words.end() ? LabelWish{Kind::Named, text, isTarget} : LabelWish{found->second, {}, isTarget};
}

std::optional<std::size_t> findLabelColumn(const LabelWish& wish, const std::vector<std::string>& columnNames,
                                           std::size_t columnCount, FaultList& faults) {
    switch (wish.kind) {
    case LabelWish::Kind::Auto:
    case LabelWish::Kind::None: return std::nullopt;
    case LabelWish::Kind::First: return 0;
    case LabelWish::Kind::Last: return columnCount - 1;
    case LabelWish::Kind::Named: break;
    }
    const auto named = std::find(columnNames.begin(), columnNames.end(), wish.name);
    if (named != columnNames.end()) {
        return static_cast<std::size_t>(named - columnNames.begin());
    }
    const auto number = parseInteger(wish.name);
    if (number && *number >= 1 && static_cast<std::uint64_t>(*number) <= columnCount) {
        return static_cast<std::size_t>(*number - 1);
    }
    if (number) {
        faults.addForKey(wish.key(),
                         "there is no column " + wish.name + " for the " + wish.noun() + "; the file has " +
                             groupedText(static_cast<std::int64_t>(columnCount)) + " columns",
                         "Give a number from 1 to " + std::to_string(columnCount) + ", first, last or none.");
        return std::nullopt;
    }
    const auto closest = closestWord(wish.name, columnNames);
    faults.addForKey(wish.key(), "there is no column named " + excerpt(wish.name) + " for the " + wish.noun(),
                     closest               ? "Did you mean " + excerpt(*closest) + "?"
                     : columnNames.empty() ? "The columns have no names: give a number from 1, first, last or none."
                                           : "Columns are " + excerpt(columnNames.front()) + " … " +
                                                 excerpt(columnNames.back()) + "; a number from 1 works too.");
    return std::nullopt;
}

namespace {

std::optional<std::size_t> lastNamed(const std::vector<std::string>& columnNames,
                                     std::initializer_list<std::string_view> wanted) {
    for (std::size_t i = columnNames.size(); i-- > 0;) {
        const std::string name = lowerCase(columnNames[i]);
        if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<std::size_t> columnNamedLikeLabels(const std::vector<std::string>& columnNames) {
    return lastNamed(columnNames, {"class", "label", "classes", "labels"});
}

std::vector<std::size_t> labelCandidates(const std::vector<std::string>& columnNames, std::vector<std::size_t> places) {
    if (const auto named = lastNamed(columnNames, {"target", "y"})) { // or a quantity, or a coordinate
        places.insert(places.begin(), *named);
    }
    return places;
}

void ValueCounter::add(double value) {
    if (std::isnan(value)) {
        return;
    }
    ++m_count;
    m_hasFractions = m_hasFractions || value != std::floor(value);
    // Beyond this no row count that fits in memory makes classes of them, and counting them all would cost memory.
    constexpr std::size_t kMostCounted = 100'000;
    if (m_seen.size() < kMostCounted) {
        m_seen.emplace(value == 0 ? 0.0 : value, true);
    }
}

bool ValueCounter::looksLikeClasses() const {
    const std::size_t distinct = m_seen.size();
    if (distinct < 2 || (distinct == m_count && m_count >= 8)) {
        return false;
    }
    if (m_hasFractions) {
        return distinct <= std::clamp<std::size_t>(m_count / 10, 4, 50);
    }
    return distinct <= std::max<std::size_t>(50, m_count / 2);
}

RawLabels labelsFromNumbers(const std::vector<double>& values) {
    std::map<double, std::int32_t> codes;
    for (const double value : values) {
        if (!std::isnan(value)) {
            codes.emplace(value, 0);
        }
    }
    RawLabels labels;
    for (auto& [value, code] : codes) {
        code = static_cast<std::int32_t>(labels.names.size());
        labels.names.push_back(exactText(value == 0 ? 0.0 : value));
    }
    labels.codes.reserve(values.size());
    for (const double value : values) {
        labels.codes.push_back(std::isnan(value) ? -1 : codes.find(value)->second);
    }
    return labels;
}

RawLabels labelsFromCodes(std::vector<std::int32_t> codes, const std::vector<std::string>& names) {
    RawLabels labels{std::move(codes), names};
    dropUnusedClasses(labels.codes, labels.names);
    const auto numbers = numbersFromLabels(labels);
    return numbers ? labelsFromNumbers(*numbers) : labels;
}

std::optional<std::vector<double>> numbersFromLabels(const RawLabels& labels) {
    std::vector<double> numbers;
    for (const std::string& name : labels.names) {
        const auto number = parseNumber(name);
        if (!number || !std::isfinite(*number)) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    std::vector<double> values;
    values.reserve(labels.codes.size());
    for (const std::int32_t code : labels.codes) {
        values.push_back(code < 0 ? std::nan("") : numbers[static_cast<std::size_t>(code)]);
    }
    return values;
}

void dropUnusedClasses(std::vector<std::int32_t>& codes, std::vector<std::string>& names) {
    std::vector<std::int32_t> renumbered(names.size(), -1);
    for (const std::int32_t code : codes) {
        if (code >= 0) {
            renumbered[static_cast<std::size_t>(code)] = 0;
        }
    }
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (renumbered[i] == 0) {
            renumbered[i] = static_cast<std::int32_t>(kept.size());
            kept.push_back(std::move(names[i]));
        }
    }
    for (std::int32_t& code : codes) {
        code = code < 0 ? -1 : renumbered[static_cast<std::size_t>(code)];
    }
    names = std::move(kept);
}

} // namespace lambdascope
