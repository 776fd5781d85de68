// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/comparison_figures.h"

#include "core/record/time_comparison.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace lambdascope {

using namespace figures;

namespace {

constexpr int kSolving = 0; // groups of the bars
constexpr int kScreening = 1;
constexpr int kSpread = 2;
constexpr double kBarMargin = 0.16; // of the room of a bar, on each side

/// Path indices that all runs have finished, rising; runs without any point do not count.
std::vector<std::int32_t> commonIndices(const std::vector<ShownRun>& runs) {
    std::vector<std::int32_t> common;
    bool isFirst = true;
    for (const ShownRun& run : runs) {
        std::vector<std::int32_t> own;
        own.reserve(run.record->finishedPointCount());
        for (std::size_t i = 0; i < run.record->finishedPointCount(); ++i) {
            own.push_back(run.record->points()[i].index);
        }
        if (own.empty()) {
            continue;
        }
        std::vector<std::int32_t> both;
        std::set_intersection(own.begin(), own.end(), common.begin(), common.end(), std::back_inserter(both));
        common = std::exchange(isFirst, false) ? std::move(own) : std::move(both);
    }
    return common;
}

struct Total {
    double solve = 0;
    double screen = 0;
    double lower = 0;
    double upper = 0;
    bool hasQuartiles = false;
};

Total totalOf(const RunRecord& record, const std::vector<std::int32_t>& indices) {
    Total total;
    const PointTimes times = pointTimes(record);
    const std::vector<double> screen = columnByRole(record, ColumnRole::CpuScreen);
    total.hasQuartiles = times.hasQuartiles;
    auto next = indices.begin();
    for (std::size_t i = 0; i < record.finishedPointCount(); ++i) {
        next = std::find_if(next, indices.end(), [&](std::int32_t index) { return index >= record.points()[i].index; });
        if (next != indices.end() && *next == record.points()[i].index) {
            const double own = i < screen.size() ? screen[i] : 0;
            total.screen += own;
            total.solve += times.median[i] - own;
            total.lower += times.lower[i];
            total.upper += times.upper[i];
        }
    }
    return total;
}

Total scaled(const Total& total, double factor) {
    Total result = total;
    for (double* part : {&result.solve, &result.screen, &result.lower, &result.upper}) {
        *part *= factor;
    }
    return result;
}

/// Lanes of several groups may differ by orders of magnitude, and each is compared with the baseline of its own: their
/// bars are drawn over that one's where all have it.
bool areOverBaselines(const std::vector<ShownRun>& runs) {
    const auto isOfFirst = [&](const ShownRun& run) {
        return run.record->start().laneGroup == runs.front().record->start().laneGroup;
    };
    return !std::all_of(runs.begin(), runs.end(), isOfFirst) &&
           std::all_of(runs.begin(), runs.end(), [](const ShownRun& run) {
               return run.baseline != nullptr && run.baseline->cpuSolve() + run.baseline->cpuScreen() > 0;
           });
}

QString totalText(const ShownRun& run, const Total& total) {
    QString words = text("%1: %2 s of CPU\n%3 s solving, %4 s screening")
                        .arg(run.name, number(total.solve + total.screen), number(total.solve), number(total.screen));
    if (run.baseline != nullptr && run.baseline != run.record) {
        const QString verdict = QString::fromStdString(timeText(compareTimes(*run.record, *run.baseline)));
        words += verdict.isEmpty()
                     ? QString()
                     : text("\n%1 (against %2)").arg(verdict, QString::fromStdString(run.baseline->start().laneName));
    }
    return words;
}

Shape barOf(int place, int group, double low, double high, const QString& words) {
    Shape bar;
    bar.group = group;
    bar.x = {place + kBarMargin, place + 1 - kBarMargin};
    bar.y = {low, high};
    bar.text = words;
    return bar;
}

Shape spreadOf(int place, const Total& total, const QString& words) {
    constexpr double kTick = 0.08;
    const double middle = place + 0.5;
    Shape line;
    line.kind = Shape::Kind::Outline;
    line.group = kSpread;
    line.outline = {{middle - kTick, total.lower}, {middle + kTick, total.lower}, {middle, total.lower},
                    {middle, total.upper},         {middle - kTick, total.upper}, {middle + kTick, total.upper}};
    line.x = {middle - kTick, middle + kTick};
    line.y = {total.lower, total.upper};
    line.text = words;
    return line;
}

/// A line across all bars.
Shape limitOf(int places, const Total& total, int group, const QString& words) {
    const double all = total.solve + total.screen;
    Shape line;
    line.kind = Shape::Kind::Outline;
    line.group = group;
    line.outline = {{0, all}, {static_cast<double>(places), all}};
    line.x = {0, static_cast<double>(places)};
    line.y = {all, all};
    line.text = words;
    return line;
}

double combined(double value, double reference, Contrast contrast) {
    return contrast == Contrast::Difference ? value - reference : value / reference;
}

/// The points and the band of a curve, by place.
struct Places {
    std::map<double, double> values;
    std::map<double, BandPoint> bands;

    explicit Places(const Curve& curve) {
        for (const QPointF& point : curve.points) {
            values[point.x()] = point.y();
        }
        for (const BandPoint& band : curve.band) {
            bands[band.x] = band;
        }
    }
};

Curve contrasted(const Curve& curve, const Places& reference, Contrast contrast, double least) {
    Curve result = curve;
    result.points.clear();
    result.band.clear();
    const Places own(curve);
    for (const QPointF& point : curve.points) {
        const auto other = reference.values.find(point.x());
        if (other == reference.values.end() || point.y() < least || other->second < least) {
            continue;
        }
        const double value = combined(point.y(), other->second, contrast);
        if (!std::isfinite(value)) {
            continue;
        }
        result.points.append({point.x(), value});
        const auto ownBand = own.bands.find(point.x());
        const auto otherBand = reference.bands.find(point.x());
        if (ownBand != own.bands.end() && otherBand != reference.bands.end()) {
            result.band.append({point.x(), combined(ownBand->second.low, otherBand->second.high, contrast),
                                combined(ownBand->second.high, otherBand->second.low, contrast)});
        }
    }
    return result;
}

} // namespace

ShapeFigure totalsFigure(const std::vector<ShownRun>& runs) {
    ShapeFigure figure;
    const std::vector<std::int32_t> indices = commonIndices(runs);
    if (indices.empty()) {
        return figure;
    }
    const bool areWhole = std::all_of(runs.begin(), runs.end(), [&](const ShownRun& run) {
        return run.record->hasEnded() && run.record->finishedPointCount() == indices.size();
    });
    figure.title = areWhole ? text("CPU time of the whole path")
                            : text("CPU time of the %1 points that all lanes have").arg(indices.size());
    const bool isRatio = areOverBaselines(runs);
    figure.y = isRatio ? AxisSpec{text("CPU, over that of the group's baseline"), {}, AxisScale::Linear, false}
                       : AxisSpec{text("CPU time"), text("s"), AxisScale::Linear, false};
    figure.recipe = recipeOf(runs);
    figure.groups = {{QStringLiteral("solving"), text("Solving"), 0, Hatch::None},
                     {QStringLiteral("screening"), text("Screening"), 1, Hatch::Rising}};
    figure.table.numberColumns = {text("Solving (s)"), text("Screening (s)"), text("All (s)"),
                                  text("Lower quartile (s)"), text("Upper quartile (s)")};
    figure.table.textColumns = {text("Lane"), text("Verdict")};
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool hasBars =
        std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) { return oracleSource(*run.record).empty(); });
    std::vector<std::pair<const ShownRun*, Total>> limits;
    double highest = 0;
    bool hasSpread = false;
    int place = 0;
    std::string group = runs.front().record->start().laneGroup;
    for (const ShownRun& run : runs) {
        if (run.record->finishedPointCount() == 0) {
            continue;
        }
        const Total total = totalOf(*run.record, indices);
        const QString words = totalText(run, total);
        figure.table.numbers << total.solve << total.screen << total.solve + total.screen
                             << (total.hasQuartiles ? total.lower : kNone)
                             << (total.hasQuartiles ? total.upper : kNone);
        figure.table.texts << run.name << words.section('\n', 2);
        const Total base = isRatio ? totalOf(*run.baseline, indices) : Total{1};
        const Total drawn = scaled(total, 1 / std::max(base.solve + base.screen, std::numeric_limits<double>::min()));
        highest = std::max({highest, drawn.solve + drawn.screen, drawn.hasQuartiles ? drawn.upper : 0});
        const std::string& laneGroup = run.record->start().laneGroup;
        const bool isOther = laneGroup != std::exchange(group, laneGroup);
        if (isOther && place > 0) {
            figure.x.names << QString(); // a gap between groups
            ++place;
        }
        if (hasBars && !oracleSource(*run.record).empty()) { // no competitor, but what rules can save
            limits.emplace_back(&run, drawn);
            continue;
        }
        figure.x.names << run.name;
        figure.shapes.append(barOf(place, kSolving, 0, drawn.solve, words));
        if (total.screen > 0) {
            figure.shapes.append(barOf(place, kScreening, drawn.solve, drawn.solve + drawn.screen, words));
        }
        if (total.hasQuartiles) {
            hasSpread = true;
            figure.shapes.append(spreadOf(place, drawn, words));
        }
        ++place;
    }
    if (hasSpread) {
        ShapeGroup lines{QStringLiteral("quartiles"), text("Quartiles of repeats"), 7, Hatch::None};
        lines.dash = DashStyle::Solid;
        figure.groups.append(lines);
    }
    for (const auto& [run, total] : limits) {
        figure.shapes.append(limitOf(place, total, static_cast<int>(figure.groups.size()), totalText(*run, total)));
        ShapeGroup line{QStringLiteral("limit ") + run->id,
                        text("Limit of %1").arg(QString::fromStdString(oracleSource(*run->record))), 7, Hatch::None};
        line.dash = DashStyle::Dash;
        figure.groups.append(line);
    }
    figure.xRange = ValueRange{0, static_cast<double>(place)};
    figure.yRange = ValueRange{0, highest > 0 ? 1.05 * highest : 1};
    return figure;
}

CurveFigure contrastFigure(const CurveFigure& figure, const QString& reference, Contrast contrast) {
    const auto found = std::find_if(figure.curves.begin(), figure.curves.end(),
                                    [&](const Curve& curve) { return curve.id == reference; });
    if (found == figure.curves.end()) {
        return figure;
    }
    const bool isRatio = contrast == Contrast::Ratio;
    CurveFigure result = figure;
    result.curves.clear();
    result.marks.clear();
    result.yRange.reset();
    result.title = (isRatio ? text("%1: ratio to %2") : text("%1: difference from %2")).arg(figure.title, found->name);
    result.y.title = (isRatio ? text("%1 / %2") : text("%1 − %2")).arg(figure.y.title, found->name);
    result.y.scale = isRatio ? AxisScale::Log : AxisScale::Linear;
    const bool areSeconds = figure.y.unit == text("s");
    if (isRatio) {
        result.y.unit.clear();
    }
    const double least = isRatio && areSeconds ? kShortestTold : -std::numeric_limits<double>::infinity();
    const Places places(*found);
    for (const Curve& curve : figure.curves) {
        if (curve.id == reference) {
            continue;
        }
        if (Curve next = contrasted(curve, places, contrast, least); !next.points.isEmpty()) {
            result.curves.append(next);
        }
    }
    if (!result.curves.isEmpty()) {
        result.marks.append({Qt::Horizontal, isRatio ? 1.0 : 0.0, found->name});
    }
    return result;
}

} // namespace lambdascope
