// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/check_table.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::benchmarks {

namespace {

constexpr std::size_t kMostChecks = 8;

const LaneMeasurement* laneNamed(const std::vector<LaneMeasurement>& lanes, const std::string& name) {
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const auto& lane) { return lane.name == name; });
    return found == lanes.end() ? nullptr : &*found;
}

/// Mean path rate over the part of the path between two shares of its length.
double meanBetween(const LaneMeasurement& lane, double from, double to) {
    const auto count = static_cast<double>(lane.points.size());
    const auto first = static_cast<std::size_t>(from * count);
    const auto end = static_cast<std::size_t>(to * count);
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
        sum += lane.points[i].pathRate;
    }
    return end > first ? sum / static_cast<double>(end - first) : 0;
}

/// A point that was solved before a check keeps the rate it had.
double rateAfter(const MeasuredPoint& point, std::size_t check) {
    return point.checkRates.empty() ? 0 : point.checkRates[std::min(check, point.checkRates.size() - 1)];
}

} // namespace

void printCheckTable(const std::vector<LaneMeasurement>& lanes) {
    std::printf("\nMean path rate in %% by thirds of the path:\n\n| lane | large λ | middle | small λ | last λ |\n"
                "|---|---|---|---|---|\n");
    for (const LaneMeasurement& lane : lanes) {
        if (lane.audit.decisions > 0) {
            std::printf("| %s | %.1f | %.1f | %.1f | %.1f |\n", lane.name.c_str(), 100 * meanBetween(lane, 0, 1.0 / 3),
                        100 * meanBetween(lane, 1.0 / 3, 2.0 / 3), 100 * meanBetween(lane, 2.0 / 3, 1),
                        100 * lane.points.back().pathRate);
        }
    }
    const LaneMeasurement* projected = laneNamed(lanes, "PGB, sphere");
    const LaneMeasurement* relaxed = laneNamed(lanes, "RRPB, sphere");
    if (projected == nullptr || relaxed == nullptr) {
        return;
    }
    std::printf("\nPGB and RRPB at the same check of the same λ (check 0 is the path screening; both lanes must have "
                "got that far):\n\n| check | λ | PGB %% | RRPB %% | PGB higher at | RRPB higher at | equal at |\n"
                "|---|---|---|---|---|---|---|\n");
    const std::size_t common = std::min(projected->points.size(), relaxed->points.size());
    for (std::size_t check = 0; check < kMostChecks; ++check) {
        double sums[2] = {0, 0};
        int higher[3] = {0, 0, 0};
        int count = 0;
        for (std::size_t i = 0; i < common; ++i) {
            const MeasuredPoint& a = projected->points[i];
            const MeasuredPoint& b = relaxed->points[i];
            if (std::min(a.checkRates.size(), b.checkRates.size()) <= check) {
                continue;
            }
            const double rates[2] = {rateAfter(a, check), rateAfter(b, check)};
            sums[0] += rates[0];
            sums[1] += rates[1];
            ++higher[rates[0] > rates[1] ? 0 : rates[0] < rates[1] ? 1 : 2];
            ++count;
        }
        if (count > 0) {
            std::printf("| %zu | %d | %.2f | %.2f | %d | %d | %d |\n", check, count, 100 * sums[0] / count,
                        100 * sums[1] / count, higher[0], higher[1], higher[2]);
        }
    }
}

} // namespace lambdascope::benchmarks
