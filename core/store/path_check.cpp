// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/path_check.h"

#include "core/common/number_text.h"
#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace lambdascope {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// A value that was computed elsewhere is that of another solution, with terms of other sizes: so many times the
/// rounding of the one computed here is allowed for.
constexpr double kOtherRounding = 4;

void keep(std::vector<std::string>& examples, std::string example) {
    if (examples.size() < PathCheck::kMostExamples) {
        examples.push_back(std::move(example));
    }
}

/// Time, and memory held at the time, which depends on the kernel rows that other lanes have left in the common store.
bool isCost(const ColumnDescription& column) {
    return column.unit == "s" || column.unit == "B";
}

bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// Where each column of the lane stands in a stored row; nothing for one that is not there.
using Places = std::vector<std::optional<std::size_t>>;

Places placesOf(const std::vector<ColumnDescription>& columns, const StoredPath& stored) {
    Places places;
    for (const ColumnDescription& column : columns) {
        const auto at = std::find(stored.columns.begin(), stored.columns.end(), column.key);
        places.push_back(at == stored.columns.end()
                             ? std::nullopt
                             : std::optional(static_cast<std::size_t>(at - stored.columns.begin())));
    }
    return places;
}

/// One stored point beside the same point computed again.
class PointCheck {
  public:
    PointCheck(const std::vector<ColumnDescription>& columns, const Places& places, std::size_t point,
               const std::vector<double>& row, const RecomputedPoint& computed, PathCheck& check)
        : m_columns(columns), m_places(places), m_point(point), m_row(row), m_computed(computed), m_check(check) {}

    void compareBits() {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (!m_places[c] || isCost(m_columns[c])) {
                continue;
            }
            const double is = stored(c);
            const bool isAxis = m_columns[c].role == ColumnRole::Axis;
            const double should = isAxis ? m_computed.scheduled.value_or(own(c)) : own(c);
            const ColumnRole role = m_columns[c].role;
            const bool isUnmeasured = (isMeasure(role) || role == ColumnRole::OtherMeasure) && std::isnan(is);
            if (!isUnmeasured && !isSame(is, should)) {
                ++m_differences;
                m_check.addDifference(at(c) + exactText(is) + ", computed again " + exactText(should));
            }
        }
    }

    /// `proven` may be null.
    void compareValues(const ProvenPoint* proven) {
        checkFacts();
        if (proven != nullptr) {
            checkCounts(*proven);
        }
        checkObjective(proven != nullptr ? m_computed.bounds.with(proven->value) : m_computed.bounds);
    }

  private:
    [[nodiscard]] double own(std::size_t column) const {
        return column < m_computed.values.size() ? m_computed.values[column] : kNone;
    }
    [[nodiscard]] double stored(std::size_t column) const {
        return column < m_places.size() && m_places[column] ? m_row[*m_places[column]] : kNone;
    }
    /// "gap at point 3: stored ".
    [[nodiscard]] std::string at(std::size_t column) const {
        return m_columns[column].key + " at point " + std::to_string(m_point) + ": stored ";
    }
    void wrong(std::size_t column, const std::string& but) {
        const double value = stored(column);
        const bool isCount = m_columns[column].isInteger && std::abs(value) < 1e15;
        m_check.addWrong(at(column) + (isCount ? groupedText(static_cast<std::int64_t>(value)) : exactText(value)) +
                         ", but " + but);
    }

    void checkFacts() {
        double ownSets = 0, storedSets = 0, items = kNone;
        std::optional<std::size_t> lastSet;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const ColumnRole role = m_columns[c].role;
            if (!m_places[c]) {
                continue;
            }
            if (role == ColumnRole::Index && stored(c) != static_cast<double>(m_point)) {
                wrong(c, "points are numbered from 0");
            } else if (role == ColumnRole::ItemsTotal) {
                items = own(c);
                if (!isSame(stored(c), own(c))) {
                    wrong(c, "the problem has " + exactText(own(c)));
                }
            } else if (role == ColumnRole::SetSize) {
                ownSets += own(c);
                storedSets += stored(c);
                lastSet = c;
            }
        }
        if (lastSet && ownSets == items && storedSets != items) {
            wrong(*lastSet, "with it the sets have " + exactText(storedSets) + " of " + exactText(items) + " items");
        }
    }

    void checkCounts(const ProvenPoint& proven) {
        for (const CountLimit& limit : proven.counts) {
            const std::size_t c = placeOfColumn(m_columns, limit.column);
            if (c == m_columns.size() || !m_places[c]) {
                continue;
            }
            const double count = stored(c);
            if (!(count >= 0 && count == std::floor(count))) {
                wrong(c, "it counts items");
            } else if (count > static_cast<double>(limit.most)) {
                wrong(c, "at most " + std::to_string(limit.most) + " items may lie there");
            }
        }
    }

    /// What rounding may have done to a value of this size.
    [[nodiscard]] static double room(const ValueBounds& bounds, double value) {
        const double size = std::max(std::abs(bounds.lower), std::abs(bounds.upper));
        const double growth = size > 0 ? std::max(1.0, std::abs(value) / size) : 1;
        return kOtherRounding * bounds.rounding * growth + 4 * kUnitRoundoff * (std::abs(value) + size);
    }

    void checkObjective(const ValueBounds& bounds) {
        const auto objective = std::find_if(m_columns.begin(), m_columns.end(), [](const ColumnDescription& column) {
            return column.role == ColumnRole::Objective;
        });
        if (objective == m_columns.end() || !bounds.hasLower()) {
            // Nothing but the same bits shows that these are the values which the program computes.
            if (m_differences > 0) {
                m_check.addUnproven(
                    "their objective has no proven lower bound, and their values are not those computed "
                    "again by this build");
            }
            return;
        }
        const auto primal = static_cast<std::size_t>(objective - m_columns.begin());
        const std::size_t dual = placeOfColumn(m_columns, "dual");
        const std::size_t gap = placeOfColumn(m_columns, "gap");
        for (const std::size_t column : {primal, dual, gap}) {
            if (column == m_columns.size() || std::isnan(own(column))) {
                continue; // the lane knows no such value
            }
            if (!m_places[column]) {
                m_check.addUnproven("path.csv has no column " + m_columns[column].key);
                return;
            }
            if (std::isnan(stored(column))) {
                wrong(column, "the lane has a value there");
                return;
            }
        }
        const double p = stored(primal), d = stored(dual), g = stored(gap);
        if (p < bounds.lower - room(bounds, p)) {
            wrong(primal, "the optimal value is at least " + exactText(bounds.lower));
        }
        if (std::isnan(own(dual))) {
            return;
        }
        if (d > bounds.upper + room(bounds, d)) {
            wrong(dual, "the optimal value is at most " + exactText(bounds.upper));
        }
        // A larger gap than that is true as well.
        if (!std::isnan(own(gap)) && !(g >= p - d - room(bounds, p) - room(bounds, d))) {
            wrong(gap, "primal − dual is " + exactText(p - d));
        }
    }

    const std::vector<ColumnDescription>& m_columns;
    const Places& m_places;
    std::size_t m_point;
    const std::vector<double>& m_row;
    const RecomputedPoint& m_computed;
    PathCheck& m_check;
    std::int64_t m_differences = 0;
};

} // namespace

void PathCheck::addWrong(std::string example) {
    ++wrong;
    keep(wrongExamples, std::move(example));
}

void PathCheck::addDifference(std::string example) {
    ++differences;
    keep(examples, std::move(example));
}

void PathCheck::addUnproven(std::string reason) {
    if (unproven++ == 0) {
        unprovenReason = std::move(reason);
    }
}

PathCheck comparePath(const StoredPath& stored, const std::vector<ColumnDescription>& columns,
                      const std::vector<RecomputedPoint>& computed, const std::vector<ProvenPoint>& proven) {
    PathCheck check;
    const Places places = placesOf(columns, stored);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!places[c]) {
            check.addDifference("path.csv has no column " + columns[c].key);
        }
    }
    if (stored.rows.size() != computed.size()) {
        check.addWrong("path.csv has " + std::to_string(stored.rows.size()) + " points, the path computed again " +
                       std::to_string(computed.size()));
    }
    const std::size_t common = std::min(stored.rows.size(), computed.size());
    check.points = static_cast<std::int32_t>(common);
    for (std::size_t p = 0; p < common; ++p) {
        const auto known = std::find_if(proven.begin(), proven.end(), [p](const ProvenPoint& point) {
            return point.point == static_cast<std::int32_t>(p);
        });
        PointCheck point(columns, places, p, stored.rows[p], computed[p], check);
        point.compareBits();
        point.compareValues(known == proven.end() ? nullptr : &*known);
    }
    return check;
}

} // namespace lambdascope
