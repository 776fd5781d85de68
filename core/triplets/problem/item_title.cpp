// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/item_title.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace lambdascope::triplets {

namespace {

Failure badItem(std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::BadUsage, {{}, std::move(message), std::move(remedy), {}})};
}

std::string bracketed(std::initializer_list<RowIndex> rows) {
    std::string text;
    for (const RowIndex row : rows) {
        text += (text.empty() ? "(" : ", ") + std::to_string(row);
    }
    return text + ")";
}

/// The row that two pairs share, if there is one.
std::optional<RowIndex> sharedRow(const RowPair& a, const RowPair& b) {
    if (a.a == b.a || a.a == b.b) {
        return a.a;
    }
    return a.b == b.a || a.b == b.b ? std::optional(a.b) : std::nullopt;
}

RowIndex otherEnd(const RowPair& pair, RowIndex row) {
    return pair.a == row ? pair.b : pair.a;
}

bool isSamePair(const RowPair& a, const RowPair& b) {
    return (a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a);
}

/// What a text says.
struct Words {
    std::vector<RowIndex> rows;
    char relation = ' ';         ///< '<' or '>' of a bound
    std::optional<double> bound; ///< what stands behind it
};

/// Takes a leading "triplet", "quadruplet" or "pair" away.
std::string_view withoutFirstWord(std::string_view text) {
    for (const std::string_view word : {"triplet", "quadruplet", "pair"}) {
        if (text.starts_with(word)) {
            return text.substr(word.size());
        }
    }
    return text;
}

/// Cuts "≤ 0.5" off; false when what stands behind the sign is no number.
bool cutBound(std::string_view& text, Words& words) {
    constexpr std::array<std::pair<std::string_view, char>, 4> kSigns = {
        {{"≤", '<'}, {"<=", '<'}, {"≥", '>'}, {">=", '>'}}};
    for (const auto& [sign, relation] : kSigns) {
        if (const auto at = text.find(sign); at != std::string_view::npos) {
            words.relation = relation;
            words.bound = parseNumber(text.substr(at + sign.size()));
            text = text.substr(0, at);
            return words.bound.has_value();
        }
    }
    return true;
}

std::optional<Words> readWords(std::string_view text) {
    Words words;
    text = withoutFirstWord(text);
    bool isGood = cutBound(text, words);
    std::string digits;
    const auto finishNumber = [&] {
        if (!digits.empty()) {
            const auto number = parseInteger(digits);
            isGood = isGood && number && *number <= std::numeric_limits<RowIndex>::max();
            words.rows.push_back(isGood ? static_cast<RowIndex>(*number) : 0);
            digits.clear();
        }
    };
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            digits += c;
        } else {
            finishNumber();
            isGood = isGood && std::string_view(" \t,;/()").find(c) != std::string_view::npos;
        }
    }
    finishNumber();
    return isGood ? std::optional(std::move(words)) : std::nullopt;
}

Result<TripletIndex> findTriplet(const TripletSet& triplets, RowIndex anchor, RowIndex same, RowIndex other) {
    std::int64_t s = triplets.sameOffset(anchor);
    std::int64_t o = triplets.otherOffset(anchor);
    while (s < triplets.sameOffset(anchor + 1) && triplets.partner(triplets.samePair(s), anchor) != same) {
        ++s;
    }
    while (o < triplets.otherOffset(anchor + 1) && triplets.partner(triplets.otherPair(o), anchor) != other) {
        ++o;
    }
    const auto missing = [anchor](RowIndex row, const char* kind) {
        return badItem("row " + std::to_string(row) + " is none of the " + kind + " neighbours of row " +
                           std::to_string(anchor),
                       "A triplet is anchor, same-class neighbour, other-class neighbour; pick one of the list.");
    };
    if (s == triplets.sameOffset(anchor + 1)) {
        return missing(same, "same-class");
    }
    if (o == triplets.otherOffset(anchor + 1)) {
        return missing(other, "other-class");
    }
    return triplets.tripletOffset(anchor) + (s - triplets.sameOffset(anchor)) * triplets.otherCount(anchor) + o -
           triplets.otherOffset(anchor);
}

/// All comparisons that the words fit.
std::vector<TripletIndex> fitting(const ProblemItems& items, const Words& words) {
    const std::vector<RowIndex>& r = words.rows;
    const RowPair near{r[0], r[1]};
    const RowPair far = r.size() == 3 ? RowPair{r[0], r[2]} : r.size() == 4 ? RowPair{r[2], r[3]} : RowPair{};
    std::vector<TripletIndex> found;
    for (TripletIndex number = 0; number < items.size(); ++number) {
        const ProblemItem item = items.at(number);
        const bool hasFar = item.far != items.noPair();
        const bool hasNear = item.near != items.noPair();
        bool fits = false;
        if (r.size() > 2) {
            fits =
                hasFar && hasNear && isSamePair(items.rows(item.near), near) && isSamePair(items.rows(item.far), far);
        } else if (hasFar != hasNear) {
            fits = isSamePair(items.rows(hasFar ? item.far : item.near), near) &&
                   (words.relation == ' ' || (words.relation == '>') == hasFar) &&
                   (!words.bound || *words.bound == (hasFar ? item.threshold : -item.threshold));
        }
        if (fits) {
            found.push_back(number);
        }
    }
    return found;
}

Result<TripletIndex> findComparison(const ProblemItems& items, const Words& words, const std::string& text) {
    const std::vector<TripletIndex> found = fitting(items, words);
    if (found.empty()) {
        return badItem("\"" + text + "\" is none of the comparisons",
                       "Rows count from 0; a triplet is i, j, l (j is closer to i than l), a quadruplet i, j, l, k (i, "
                       "j are closer than l, k), a bound \"i, j ≤ upper\" or \"i, j ≥ lower\".");
    }
    if (found.size() > 1) {
        std::string all;
        for (const TripletIndex number : found) {
            all += (all.empty() ? "" : "; ") + itemTitle(items, number);
        }
        return badItem("\"" + text + "\" has " + std::to_string(found.size()) + " bounds", "Write one of " + all + ".");
    }
    return found.front();
}

} // namespace

std::string itemTitle(const ProblemItems& items, TripletIndex number) {
    if (items.triplets() != nullptr) {
        const Triplet t = items.triplets()->triplet(number);
        return "triplet " + bracketed({t.anchor, t.same, t.other});
    }
    const ProblemItem item = items.at(number);
    const RowPair far = items.rows(item.far);
    const RowPair near = items.rows(item.near);
    if (item.far == items.noPair()) {
        return "pair " + bracketed({near.a, near.b}) + " ≤ " + exactText(-item.threshold + 0.0);
    }
    if (item.near == items.noPair()) {
        return "pair " + bracketed({far.a, far.b}) + " ≥ " + exactText(item.threshold);
    }
    if (const auto anchor = sharedRow(near, far)) {
        return "triplet " + bracketed({*anchor, otherEnd(near, *anchor), otherEnd(far, *anchor)});
    }
    return "quadruplet " + bracketed({near.a, near.b, far.a, far.b});
}

Result<TripletIndex> findItem(const ProblemItems& items, const std::string& text) {
    const auto words = readWords(text);
    const std::size_t count = words ? words->rows.size() : 0;
    if (items.triplets() != nullptr && (count != 3 || words->relation != ' ')) {
        return badItem("\"" + text + "\" is no triplet", "Write three row numbers, as in 4, 9, 71.");
    }
    if (count < 2 || count > 4 || (count > 2 && words->relation != ' ')) {
        return badItem(
            "\"" + text + "\" is no comparison",
            "Write row numbers, counted from 0: three of a triplet, four of a quadruplet, two of a bound, as "
            "in 3, 8 ≤ 0.5.");
    }
    for (const RowIndex row : words->rows) {
        if (row >= items.table().rows()) {
            return badItem("there is no row " + std::to_string(row),
                           "Rows go from 0 to " + std::to_string(items.table().rows() - 1) + ".");
        }
    }
    return items.triplets() != nullptr ? findTriplet(*items.triplets(), words->rows[0], words->rows[1], words->rows[2])
                                       : findComparison(items, *words, text);
}

} // namespace lambdascope::triplets
