// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/record_metrics.h"

#include "core/run/known_lane.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace lambdascope {

namespace {

/// CPU seconds of one point over all columns that account for CPU time.
std::vector<double> cpuPerPoint(const RunRecord& record) {
    std::vector<double> solve = columnByRole(record, ColumnRole::CpuSolve);
    std::vector<double> screen = columnByRole(record, ColumnRole::CpuScreen);
    if (solve.empty()) {
        return screen;
    }
    for (std::size_t i = 0; i < screen.size(); ++i) {
        solve[i] += screen[i];
    }
    return solve;
}

/// Calls visit(point, cpu of record, cpu of baseline) for each path index that both have finished.
template <class Visit>
void visitCommonPoints(const RunRecord& record, const RunRecord& baseline, Visit visit) {
    const std::vector<double> own = cpuPerPoint(record);
    const std::vector<double> base = cpuPerPoint(baseline);
    std::size_t j = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const PointRecord& point = record.points()[i];
        while (j < base.size() && baseline.points()[j].index < point.index) {
            ++j;
        }
        if (j < base.size() && baseline.points()[j].index == point.index) {
            visit(point, own[i], base[j]);
        }
    }
}

std::vector<double> difference(const std::vector<double>& total, const std::vector<double>& part) {
    std::vector<double> result;
    for (std::size_t i = 0; i < total.size() && i < part.size(); ++i) {
        result.push_back(total[i] - part[i]);
    }
    return result;
}

} // namespace

std::vector<double> columnByRole(const RunRecord& record, ColumnRole role) {
    std::vector<double> sums;
    const auto& columns = record.start().columns;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].role != role) {
            continue;
        }
        sums.resize(record.finishedPointCount(), 0);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += record.points()[i].values[column];
        }
    }
    return sums;
}

std::vector<double> columnValues(const RunRecord& record, std::size_t column) {
    std::vector<double> values(record.finishedPointCount());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = record.points()[i].values.at(column);
    }
    return values;
}

std::vector<AxisValue> cpuRatio(const RunRecord& record, const RunRecord& baseline) {
    std::vector<AxisValue> ratios;
    visitCommonPoints(record, baseline, [&](const PointRecord& point, double own, double base) {
        if (base > 0) {
            ratios.push_back({point.index, point.axisValue, own / base});
        }
    });
    return ratios;
}

std::optional<double> totalCpuRatio(const RunRecord& record, const RunRecord& baseline) {
    double own = 0;
    double base = 0;
    visitCommonPoints(record, baseline, [&](const PointRecord&, double ownPoint, double basePoint) {
        own += ownPoint;
        base += basePoint;
    });
    return base > 0 ? std::optional(own / base) : std::nullopt;
}

std::vector<CpuPart> cpuLedger(const RunRecord& record) {
    const auto collect = [&record](auto isWanted) {
        std::vector<CpuPart> parts;
        const auto& columns = record.start().columns;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (isWanted(columns[column].role)) {
                parts.push_back({columns[column].key, columns[column].label, columnValues(record, column)});
            }
        }
        return parts;
    };
    std::vector<CpuPart> parts = collect([](ColumnRole role) { return role == ColumnRole::CpuPart; });
    if (parts.empty()) {
        parts = collect([](ColumnRole role) { return role == ColumnRole::CpuSolve || role == ColumnRole::CpuScreen; });
    }
    return parts;
}

std::vector<AxisValue> cumulativeCpuRatio(const RunRecord& record, const RunRecord& baseline) {
    std::vector<AxisValue> ratios;
    double ownSum = 0;
    double baseSum = 0;
    visitCommonPoints(record, baseline, [&](const PointRecord& point, double own, double base) {
        ownSum += own;
        baseSum += base;
        if (baseSum > 0) {
            ratios.push_back({point.index, point.axisValue, ownSum / baseSum});
        }
    });
    return ratios;
}

std::optional<AxisValue> breakEven(const RunRecord& record, const RunRecord& baseline) {
    const std::vector<AxisValue> ratios = cumulativeCpuRatio(record, baseline);
    const auto last = std::find_if(ratios.rbegin(), ratios.rend(), [](const AxisValue& at) { return at.value > 1; });
    const auto first = last.base(); // the point behind the last one that was too dear
    return first == ratios.end() ? std::nullopt : std::optional(*first);
}

ActiveCounts activeCounts(const RunRecord& record) {
    const std::vector<double> total = columnByRole(record, ColumnRole::ItemsTotal);
    return {difference(total, columnByRole(record, ColumnRole::PathFixed)),
            difference(total, columnByRole(record, ColumnRole::FinalFixed))};
}

bool hasChecks(const RunRecord& record) {
    return std::any_of(record.points().begin(), record.points().end(),
                       [](const PointRecord& point) { return !point.screenings.empty(); });
}

bool screens(const RunRecord& record) {
    return record.columnWithRole(ColumnRole::AfterRate) || record.columnWithRole(ColumnRole::AfterFixed) ||
           hasChecks(record);
}

std::vector<double> ratesWhereLooked(const RunRecord& record, ColumnRole role) {
    const auto hasLooked = [role](const PointRecord& point) {
        if (point.screenings.empty() || role != ColumnRole::PathRate) {
            return !point.screenings.empty();
        }
        // A step to where the solution is to be expected may come first. What decides where nothing was screened on
        // arrival came later.
        const Screened& first = point.screenings.front();
        return first.iteration <= 1 && first.fixedLow + first.fixedHigh == 0;
    };
    std::vector<double> rates = columnByRole(record, role);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (rates[i] == 0 && !hasLooked(record.points()[i])) {
            rates[i] = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return rates;
}

std::string oracleSource(const RunRecord& record) {
    const Json& facts = record.start().facts;
    return facts.isObject() ? facts.value(kOracleFact, std::string()) : std::string();
}

const RunRecord* oracleOf(const RunRecord& record, const std::vector<const RunRecord*>& lanes) {
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const RunRecord* lane) {
        return lane != &record && oracleSource(*lane) == record.start().laneName;
    });
    return found == lanes.end() ? nullptr : *found;
}

const RunRecord* baselineOf(const RunRecord& record, const std::vector<const RunRecord*>& lanes) {
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const RunRecord* lane) {
        return lane->start().isBaseline && lane->start().laneGroup == record.start().laneGroup;
    });
    return found == lanes.end() ? nullptr : *found;
}

std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& lanes) {
    std::vector<const RunRecord*> pointers;
    std::transform(lanes.begin(), lanes.end(), std::back_inserter(pointers),
                   [](const RunRecord& lane) { return &lane; });
    return pointers;
}

std::vector<RunRecord> recordsOf(const std::vector<RunEvent>& events) {
    std::vector<RunRecord> records;
    for (const RunEvent& event : events) {
        auto found =
            std::find_if(records.begin(), records.end(), [&](const RunRecord& r) { return r.id() == event.run; });
        if (found == records.end()) {
            records.emplace_back(event.run);
            found = std::prev(records.end());
        }
        found->apply(event);
    }
    return records;
}

} // namespace lambdascope
