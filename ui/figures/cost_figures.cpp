// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/cost_figures.h"

#include "core/record/time_comparison.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lambdascope {

using namespace figures;

namespace {

/// Looks of the parts of a bar: far apart in colour, and each with a hatch of its own.
struct PartLook {
    int colourIndex;
    Hatch hatch;
};
constexpr std::array kPartLooks{PartLook{1, Hatch::Rising}, PartLook{0, Hatch::None}, PartLook{2, Hatch::Falling},
                                PartLook{7, Hatch::Crossed}, PartLook{3, Hatch::None}};

double sumAt(const std::vector<CpuPart>& ledger, std::size_t point) {
    double sum = 0;
    for (const CpuPart& part : ledger) {
        sum += point < part.seconds.size() ? part.seconds[point] : 0;
    }
    return sum;
}

bool comparesWithAnother(const ShownRun& run) {
    return run.baseline != nullptr && run.baseline != run.record;
}

/// Whether both lanes have used time enough for a ratio.
bool canTell(const ShownRun& run) {
    return compareTimes(*run.record, *run.baseline).shortest() >= kShortestTold;
}

/// A value at path points whose indices rise.
class IndexedValues {
  public:
    void append(std::int32_t index, double value) { m_values.emplace_back(index, value); }
    /// NaN where there is none.
    [[nodiscard]] double at(std::int32_t index) const {
        const auto found =
            std::lower_bound(m_values.begin(), m_values.end(), index,
                             [](const auto& entry, std::int32_t wanted) { return entry.first < wanted; });
        return found != m_values.end() && found->first == index ? found->second
                                                                : std::numeric_limits<double>::quiet_NaN();
    }

  private:
    std::vector<std::pair<std::int32_t, double>> m_values;
};

IndexedValues cpuByIndex(const RunRecord& record) {
    const std::vector<CpuPart> ledger = cpuLedger(record);
    IndexedValues seconds;
    for (std::size_t i = 0; i < record.finishedPointCount(); ++i) {
        seconds.append(record.points()[i].index, sumAt(ledger, i));
    }
    return seconds;
}

/// Mean of the values from `first` to before `end`.
double meanOf(const std::vector<double>& values, std::size_t first, std::size_t end) {
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                           values.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
           static_cast<double>(end - first);
}

/// A bar per point, or one for the mean of neighbours where a screen has no room for so many.
void addBars(ShapeFigure& figure, const ShownRun& run, const std::vector<CpuPart>& ledger) {
    constexpr std::size_t kMostBars = 600;
    const auto& points = run.record->points();
    const std::size_t count = run.record->finishedPointCount();
    const std::size_t together = (count + kMostBars - 1) / kMostBars;
    for (std::size_t i = 0; i < count; i += together) {
        const std::size_t end = std::min(i + together, count);
        const ValueRange one = barRange(points, count, i, figure.x.scale);
        const ValueRange last = barRange(points, count, end - 1, figure.x.scale);
        double total = 0;
        for (const CpuPart& part : ledger) {
            total += meanOf(part.seconds, i, end);
        }
        QString place = placeText(*run.record, points[i]);
        place += end - i > 1 ? text(" and %1 points on, on average").arg(end - i - 1) : QString();
        double height = 0;
        for (std::size_t part = 0; part < ledger.size(); ++part) {
            const double seconds = meanOf(ledger[part].seconds, i, end);
            if (!(seconds > 0)) {
                continue;
            }
            Shape bar;
            bar.group = static_cast<int>(part);
            bar.x = {std::min(one.low, last.low), std::max(one.high, last.high)};
            bar.y = {height, height + seconds};
            bar.text = text("%1: %2 s\n%3 % of %4 s\n%5")
                           .arg(QString::fromStdString(ledger[part].label), number(seconds),
                                QString::number(100 * seconds / total, 'f', 1), number(total), place);
            figure.shapes.append(bar);
            height += seconds;
        }
    }
}

/// `line` with the time of another lane at the points of a run.
Curve timeLine(const ShownRun& run, const RunRecord& other, Curve line) {
    const IndexedValues times = cpuByIndex(other);
    for (std::size_t i = 0; i < run.record->finishedPointCount(); ++i) {
        const PointRecord& point = run.record->points()[i];
        if (const double seconds = times.at(point.index); std::isfinite(seconds)) {
            line.points.append({point.axisValue, seconds});
        }
    }
    return line;
}

FigureTable tableOf(const ShownRun& run, const std::vector<CpuPart>& ledger) {
    FigureTable table;
    table.numberColumns << QString::fromStdString(run.record->start().axisLabel);
    for (const CpuPart& part : ledger) {
        table.numberColumns << text("%1 (s)").arg(QString::fromStdString(part.label));
    }
    table.numberColumns << text("All (s)");
    IndexedValues baseline;
    IndexedValues ratios;
    if (comparesWithAnother(run)) {
        table.numberColumns << text("Baseline (s)") << text("Cumulative ratio");
        baseline = cpuByIndex(*run.baseline);
        for (const AxisValue& ratio : tellingTimeRatio(*run.record, *run.baseline).values) {
            ratios.append(ratio.index, ratio.value);
        }
    }
    table.numbers.reserve(table.numberColumns.size() * static_cast<qsizetype>(run.record->finishedPointCount()));
    for (std::size_t i = 0; i < run.record->finishedPointCount(); ++i) {
        const PointRecord& point = run.record->points()[i];
        table.numbers << point.axisValue;
        for (const CpuPart& part : ledger) {
            table.numbers << part.seconds[i];
        }
        table.numbers << sumAt(ledger, i);
        if (comparesWithAnother(run)) {
            table.numbers << baseline.at(point.index) << ratios.at(point.index);
        }
    }
    return table;
}

} // namespace

double highestCpu(const std::vector<ShownRun>& runs) {
    double highest = 0;
    for (const ShownRun& run : runs) {
        for (const RunRecord* record : {run.record, run.baseline}) {
            const std::vector<CpuPart> ledger = record != nullptr ? cpuLedger(*record) : std::vector<CpuPart>();
            for (std::size_t i = 0; record != nullptr && i < record->finishedPointCount(); ++i) {
                highest = std::max(highest, sumAt(ledger, i));
            }
        }
    }
    return 1.05 * highest;
}

QString breakEvenText(const ShownRun& run) {
    if (run.baseline == nullptr || run.record->finishedPointCount() == 0) {
        return {};
    }
    if (run.baseline == run.record) {
        return text("baseline");
    }
    if (!canTell(run)) {
        return text("too short to tell");
    }
    if (!screens(*run.record)) { // nothing was spent that could be earned back
        const std::vector<AxisValue> ratios = cumulativeCpuRatio(*run.record, *run.baseline);
        return ratios.empty() ? QString() : text("%1 × the time of the baseline").arg(number(ratios.back().value));
    }
    const auto place = breakEven(*run.record, *run.baseline);
    if (!place) {
        return text("costs more than it saves");
    }
    if (place->index == run.record->points().front().index) {
        return text("pays from the start");
    }
    return text("pays from %1 = %2")
        .arg(QString::fromStdString(run.record->start().axisLabel), number(place->axisValue));
}

ShapeFigure ledgerFigure(const ShownRun& run, double highest) {
    ShapeFigure figure;
    const QString verdict = breakEvenText(run);
    figure.title = text("CPU time of %1").arg(run.name);
    figure.title += verdict.isEmpty() ? QString() : QStringLiteral(": ") + verdict;
    figure.x = pathAxis({run});
    figure.y = {text("CPU time"), text("s"), AxisScale::Linear, false};
    figure.recipe = recipeOf(*run.record);
    const std::vector<CpuPart> ledger = cpuLedger(*run.record);
    for (std::size_t part = 0; part < ledger.size(); ++part) {
        const PartLook look = kPartLooks[part % kPartLooks.size()];
        figure.groups.append({QString::fromStdString(ledger[part].key), QString::fromStdString(ledger[part].label),
                              look.colourIndex, look.hatch, true});
    }
    addBars(figure, run, ledger);
    if (comparesWithAnother(run)) {
        const QString name = text("%1, all").arg(QString::fromStdString(run.baseline->start().laneName));
        figure.curves.append(
            timeLine(run, *run.baseline,
                     {QStringLiteral("baseline"), name, {}, {7, {}, DashStyle::Dash, MarkerShape::None, 1.6}}));
        if (const auto place = breakEven(*run.record, *run.baseline); place && screens(*run.record) && canTell(run)) {
            figure.marks.append({Qt::Vertical, place->axisValue, text("break-even")});
        }
    }
    if (run.limit != nullptr) {
        figure.curves.append(timeLine(run, *run.limit,
                                      {QStringLiteral("limit"),
                                       text("no rule can do better"),
                                       {},
                                       {4, {}, DashStyle::Dash, MarkerShape::None, 2.0}}));
    }
    const double top = highest > 0 ? highest : highestCpu({run});
    figure.yRange = ValueRange{0, top > 0 ? top : 1};
    figure.table = tableOf(run, ledger);
    return figure;
}

} // namespace lambdascope
