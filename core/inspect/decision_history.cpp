// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/decision_history.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// The words of a history that hold some chosen items, and those bits of them.
class ChosenWords {
  public:
    explicit ChosenWords(const ItemSet& items) {
        for (std::size_t word = 0; word < items.words().size(); ++word) {
            if (items.words()[word] != 0) {
                m_places.push_back(word);
                m_bits.push_back(items.words()[word]);
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return m_places.size(); }
    /// Those of word k that are in `set` too.
    [[nodiscard]] std::uint64_t in(const ItemSet& set, std::size_t k) const {
        return m_places[k] < set.words().size() ? set.words()[m_places[k]] & m_bits[k] : 0;
    }

  private:
    std::vector<std::size_t> m_places;
    std::vector<std::uint64_t> m_bits;
};

/// Looks for the points at which `decided` were decided first; `fresh`: what each point decided for the first time.
void findSince(const std::vector<std::uint64_t>& decided, const std::vector<std::vector<std::uint64_t>>& fresh,
               DecisionCount& count) {
    std::int64_t until = 0;
    for (std::size_t point = 0; point < fresh.size() && until < count.decided; ++point) {
        for (std::size_t k = 0; k < fresh[point].size(); ++k) {
            until += std::popcount(fresh[point][k] & decided[k]);
        }
        const auto here = static_cast<std::int32_t>(point);
        count.firstAt = count.firstAt < 0 && until > 0 ? here : count.firstAt;
        count.halfAt = count.halfAt < 0 && 2 * until >= count.decided ? here : count.halfAt;
        count.lastAt = until == count.decided ? here : count.lastAt;
    }
}

} // namespace

ItemSet ItemSet::of(std::span<const std::int64_t> numbers) {
    ItemSet set(numbers.empty() ? 0 : std::max<std::int64_t>(0, 1 + *std::max_element(numbers.begin(), numbers.end())));
    for (const std::int64_t number : numbers) {
        if (number >= 0) {
            set.insert(number);
        }
    }
    return set;
}

std::int64_t ItemSet::count() const {
    std::int64_t count = 0;
    for (const std::uint64_t word : m_words) {
        count += std::popcount(word);
    }
    return count;
}

Result<void> DecisionHistory::add(std::vector<ItemSet> decided) {
    m_points.push_back(std::move(decided));
    if (bytes() <= m_mostBytes) {
        return {};
    }
    m_points.clear();
    return Failure{
        singleFault(ErrorCode::OutOfMemory, {{},
                                             "what this lane decided about all items at all points takes more than " +
                                                 std::to_string(static_cast<int>(m_mostBytes / 1e6)) + " MB",
                                             "Mark items of a run with fewer items or points.",
                                             {}})};
}

double DecisionHistory::bytes() const {
    const double each =
        m_points.empty() || m_points.front().empty() ? 0 : 8.0 * static_cast<double>(at(0, 0).words().size());
    return each * static_cast<double>(m_sets.size() * m_points.size());
}

std::vector<DecisionCount> countDecisions(const DecisionHistory& history, const ItemSet& items,
                                          const std::stop_token& stop) {
    const ChosenWords chosen(items);
    std::vector<DecisionCount> counts;
    std::vector<std::vector<std::uint64_t>> fresh;
    std::vector<std::uint64_t> seen(chosen.size());
    for (std::size_t point = 0; point < history.points() && !stop.stop_requested(); ++point) {
        DecisionCount count;
        count.items = items.count();
        count.ofSets.assign(history.sets().size(), 0);
        std::vector<std::uint64_t> decided(chosen.size());
        for (std::size_t set = 0; set < history.sets().size(); ++set) {
            for (std::size_t k = 0; k < chosen.size(); ++k) {
                const std::uint64_t bits = chosen.in(history.at(point, set), k);
                count.ofSets[set] += std::popcount(bits);
                decided[k] |= bits;
            }
            count.decided += count.ofSets[set];
        }
        bool isAnyFresh = false;
        std::vector<std::uint64_t> first(chosen.size());
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            first[k] = decided[k] & ~seen[k];
            seen[k] |= decided[k];
            isAnyFresh = isAnyFresh || first[k] != 0;
        }
        fresh.push_back(isAnyFresh ? std::move(first) : std::vector<std::uint64_t>());
        findSince(decided, fresh, count);
        counts.push_back(std::move(count));
    }
    return counts;
}

} // namespace lambdascope
