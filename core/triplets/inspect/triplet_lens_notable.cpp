// SPDX-License-Identifier: GPL-3.0-or-later
// Which items to look at: those nearest to the edge of their set, and those that somebody marks.
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/inspect/triplet_lens.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <algorithm>

namespace lambdascope::triplets {

namespace {

Failure stoppedSearching() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking for notable items")};
}

/// The best few of many by a score, lowest first.
class FewBest {
  public:
    explicit FewBest(std::size_t count) : m_count(count) {}
    void offer(TripletIndex item, double score, double slack) {
        if (m_count == 0 || (m_best.size() == m_count && score >= m_best.back().score)) {
            return;
        }
        const auto place = std::upper_bound(m_best.begin(), m_best.end(), score,
                                            [](double value, const Entry& entry) { return value < entry.score; });
        m_best.insert(place, {item, score, slack});
        if (m_best.size() > m_count) {
            m_best.pop_back();
        }
    }
    struct Entry {
        TripletIndex item;
        double score;
        double slack;
    };
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_best; }

  private:
    std::size_t m_count;
    std::vector<Entry> m_best;
};

Failure stoppedMarking() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking for the items that were marked")};
}

/// Whether an item speaks of marked rows alone.
bool isAmong(const ItemSet& rows, const ProblemItems& items, const ProblemItem& item) {
    const auto isMarked = [&](PairIndex p) {
        return p == items.noPair() || (rows.contains(items.rows(p).a) && rows.contains(items.rows(p).b));
    };
    return isMarked(item.far) && isMarked(item.near);
}

} // namespace

Result<std::vector<NotableItem>> TripletLens::notableItems(std::int32_t point, std::size_t count,
                                                           std::stop_token stop) {
    return notableOf(std::nullopt, point, count, stop);
}

Result<std::vector<NotableItem>> TripletLens::itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                            std::stop_token stop) {
    if (sample < 0 || sample >= m_items.table().rows()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(sample))};
    }
    return notableOf(static_cast<RowIndex>(sample), point, count, stop);
}

Result<std::vector<NotableItem>> TripletLens::notableOf(std::optional<RowIndex> row, std::int32_t point,
                                                        std::size_t count, const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto report = m_replay.replay(point, {&states(), nullptr, nullptr}, stop);
    if (!report) {
        return Failure{report.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    PairQuadraticForms space(m_items.table());
    std::vector<double> z;
    const auto& solved = dynamic_cast<const TripletWarmStart&>(*report->warmStart).solved;
    if (!space.distances(solved.point, nullptr, stopCheck, z)) {
        return stoppedSearching();
    }
    z.push_back(0); // noPair
    const std::size_t each = std::max<std::size_t>(1, count / 3);
    FewBest zero(each);
    FewBest linear(each);
    FewBest kept(each);
    const auto visit = [&](TripletIndex number, const ProblemItem& item) {
        const double margin = z[static_cast<std::size_t>(item.far)] - z[static_cast<std::size_t>(item.near)];
        const double above = margin - item.threshold;
        const double below = item.threshold - m_gamma - margin;
        switch (m_states->at(number)) {
        case Decision::Zero: zero.offer(number, above, above); break;
        case Decision::Linear: linear.offer(number, below, below); break;
        default:
            // Of those that stayed, the ones that a better ball would have decided first.
            kept.offer(number, -std::max(above, below), std::max(above, below));
        }
    };
    if (!(row ? m_items.visitOfRow(*row, 8, stopCheck, visit) : m_items.visitAll(8, stopCheck, visit))) {
        return stoppedSearching();
    }
    std::vector<NotableItem> items;
    for (const auto& [few, set] : {std::pair{&zero, "R"}, std::pair{&linear, "L"}, std::pair{&kept, ""}}) {
        for (const FewBest::Entry& entry : few->entries()) {
            items.push_back({entry.item, itemTitle(m_items, entry.item), set, entry.slack});
        }
    }
    return items;
}

std::string TripletLens::belonging() const {
    return m_items.triplets() != nullptr ? "whose anchor is among them" : "that name no other sample";
}

Result<ItemSet> TripletLens::itemsOf(const ItemSet& samples, std::stop_token stop) {
    ItemSet found(items());
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    if (const TripletSet* triplets = m_items.triplets()) {
        for (RowIndex row = 0; row < triplets->rows() && !stopCheck.isStopped(); ++row) {
            if (samples.contains(row)) {
                const TripletIndex end = triplets->tripletOffset(row + 1);
                for (TripletIndex number = triplets->tripletOffset(row); number < end; ++number) {
                    found.insert(number);
                }
                stopCheck.spend(end - triplets->tripletOffset(row));
            }
        }
        return stopCheck.isStopped() ? Result<ItemSet>(stoppedMarking()) : found;
    }
    const auto visit = [&](TripletIndex number, const ProblemItem& item) {
        if (isAmong(samples, m_items, item)) {
            found.insert(number);
        }
    };
    return m_items.visitAll(8, stopCheck, visit) ? Result<ItemSet>(std::move(found)) : stoppedMarking();
}

Result<ItemSet> TripletLens::samplesOf(const ItemSet& items, std::stop_token stop) {
    ItemSet found(m_items.table().rows());
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    items.visit([&](TripletIndex number) {
        if (number >= m_items.size() || stopCheck.spend(8)) {
            return;
        }
        if (const TripletSet* triplets = m_items.triplets()) {
            found.insert(triplets->triplet(number).anchor);
            return;
        }
        const ProblemItem item = m_items.at(number);
        for (const PairIndex p : {item.far, item.near}) {
            if (p != m_items.noPair()) {
                found.insert(m_items.rows(p).a);
                found.insert(m_items.rows(p).b);
            }
        }
    });
    return stopCheck.isStopped() ? Result<ItemSet>(stoppedMarking()) : found;
}

Result<DecisionHistory> TripletLens::decisions(const Progress& progress, std::stop_token stop) {
    DecisionHistory history({"R", "L"});
    if (m_lane.bounds.empty()) {
        return history;
    }
    const auto visit = [&](const PathPoint&, const PointReport&) -> Result<void> {
        if (stop.stop_requested()) {
            return stoppedMarking();
        }
        std::vector<ItemSet> sets(2, ItemSet(items()));
        for (std::size_t word = 0; word < sets[0].words().size(); ++word) {
            const auto number = static_cast<TripletIndex>(64 * word);
            sets[0].words()[word] = states().bits(Decision::Zero, number);
            sets[1].words()[word] = states().bits(Decision::Linear, number);
        }
        return history.add(std::move(sets));
    };
    if (auto seen = m_replay.visit(0, {&states(), nullptr, nullptr}, visit, progress, stop); !seen) {
        return Failure{seen.error()};
    }
    return history;
}

} // namespace lambdascope::triplets
