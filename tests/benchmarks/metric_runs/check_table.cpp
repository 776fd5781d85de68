// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/check_table.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::benchmarks {

namespace {

constexpr std::size_t kMostChecks = 10;

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

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Two lanes at the same check of the same λ, over all λ at which both got that far.
struct CheckComparison {
    std::vector<double> radiusRatios;
    double firstRates = 0;
    double secondRates = 0;
    int firstHigher = 0;
    int secondHigher = 0;

    CheckComparison(const LaneMeasurement& first, const LaneMeasurement& second, std::size_t check) {
        for (std::size_t i = 0; i < std::min(first.points.size(), second.points.size()); ++i) {
            const auto& a = first.points[i].checks;
            const auto& b = second.points[i].checks;
            if (std::min(a.size(), b.size()) > check) {
                firstRates += a[check].rate;
                secondRates += b[check].rate;
                firstHigher += a[check].rate > b[check].rate ? 1 : 0;
                secondHigher += b[check].rate > a[check].rate ? 1 : 0;
                radiusRatios.push_back(a[check].radius / b[check].radius);
            }
        }
    }
};

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
    const LaneMeasurement* projected = laneNamed(lanes, "PGB, every 2");
    const LaneMeasurement* relaxed = laneNamed(lanes, "RRPB, every 2");
    if (projected == nullptr || relaxed == nullptr) {
        return;
    }
    std::printf(
        "\nPGB and RRPB at the same check of the same λ, a check every 2 iterations (check 0 is the path "
        "screening; both lanes must have got that far):\n\n| check | λ | PGB %% | RRPB %% | PGB higher at | RRPB "
        "higher at | median of r(PGB)/r(RRPB) |\n|---|---|---|---|---|---|---|\n");
    for (std::size_t check = 0; check < kMostChecks; ++check) {
        const CheckComparison both(*projected, *relaxed, check);
        const std::size_t count = both.radiusRatios.size();
        if (count > 0) {
            std::printf("| %zu | %zu | %.2f | %.2f | %d | %d | %.2f |\n", check, count,
                        100 * both.firstRates / static_cast<double>(count),
                        100 * both.secondRates / static_cast<double>(count), both.firstHigher, both.secondHigher,
                        median(both.radiusRatios));
        }
    }
}

} // namespace lambdascope::benchmarks
