// SPDX-License-Identifier: GPL-3.0-or-later
// The items that are worth a look: those nearest to the edge of their set.
#include "core/metric/inspect/item_geometry.h"
#include "core/metric/inspect/metric_lens.h"
#include "core/metric/problem/pair_quadratic_forms.h"

#include <algorithm>

namespace lambdascope::metric {

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

} // namespace

Result<std::vector<NotableItem>> MetricLens::notableItems(std::int32_t point, std::size_t count, std::stop_token stop) {
    return notableOf(std::nullopt, point, count, stop);
}

Result<std::vector<NotableItem>> MetricLens::itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                           std::stop_token stop) {
    if (sample < 0 || sample >= m_items.table().rows()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no sample " + std::to_string(sample))};
    }
    return notableOf(static_cast<RowIndex>(sample), point, count, stop);
}

Result<std::vector<NotableItem>> MetricLens::notableOf(std::optional<RowIndex> row, std::int32_t point,
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
    const auto& solved = dynamic_cast<const MetricWarmStart&>(*report->warmStart).solved;
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

} // namespace lambdascope::metric
