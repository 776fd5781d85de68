// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/study_figures.h"

#include "ui/figures/figure_parts.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace lambdascope {

using namespace figures;

namespace {

constexpr double logSpan = 100;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// An axis of the study besides that of seeds.
struct Axis {
    QString name;
    std::size_t column = 0; ///< of its first field among combinationColumns()
    std::vector<std::string> fields;
    std::vector<std::string> keys;  ///< its values in their order, those of all its fields together
    std::vector<std::string> texts; ///< of each: its first field where that tells them apart, else all fields
    std::vector<double> numbers;    ///< of `texts`; empty when one of them is none

    [[nodiscard]] std::string keyOf(const StudyRow& row) const {
        std::string key;
        for (std::size_t field = 0; field < fields.size(); ++field) {
            key += row.values[column + field] + '\n';
        }
        return key;
    }
    [[nodiscard]] std::size_t placeOf(const StudyRow& row) const {
        return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), keyOf(row)) - keys.begin());
    }
    /// Where a value stands: its number, or the middle of its place among names.
    [[nodiscard]] double at(const StudyRow& row) const {
        return numbers.empty() ? static_cast<double>(placeOf(row)) + 0.5 : numbers[placeOf(row)];
    }
};

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value)
                                                                                            : std::nullopt;
}

std::vector<Axis> axesOf(const Study& study) {
    std::vector<Axis> axes;
    std::size_t column = 0;
    for (const StudyAxis& given : study.axes) {
        if (given.isSeeds) {
            continue;
        }
        Axis axis;
        axis.name = QString::fromStdString(given.fields.front());
        axis.column = column;
        axis.fields = given.fields;
        std::set<std::string> firsts;
        for (const std::vector<Json>& values : given.values) {
            firsts.insert(valueText(values.front()));
        }
        for (const std::vector<Json>& values : given.values) {
            std::string key;
            std::string all;
            for (const Json& value : values) {
                key += valueText(value) + '\n';
                all += (all.empty() ? "" : ", ") + valueText(value);
            }
            axis.keys.push_back(std::move(key));
            axis.texts.push_back(firsts.size() == given.values.size() ? valueText(values.front()) : std::move(all));
        }
        for (const std::string& value : axis.texts) {
            if (const auto number = numberOf(value)) {
                axis.numbers.push_back(*number);
            }
        }
        if (axis.numbers.size() != axis.texts.size()) {
            axis.numbers.clear();
        }
        column += given.fields.size();
        axes.push_back(std::move(axis));
    }
    return axes;
}

QStringList namesOf(const std::vector<std::string>& texts) {
    QStringList names;
    for (const std::string& value : texts) {
        names << QString::fromStdString(value);
    }
    return names;
}

/// Files are called by their names without folders and endings.
QStringList shownNamesOf(const Axis& axis) {
    QStringList names = namesOf(axis.texts);
    for (QString& name : names) {
        name = axis.name == QLatin1String("data.source") && !name.startsWith(QLatin1String("toy:"))
                   ? name.section('/', -1).section('.', 0, 0)
                   : name;
    }
    return names;
}

AxisSpec specOf(const Axis& axis) {
    AxisSpec spec;
    spec.title = axis.name;
    if (axis.numbers.empty()) {
        spec.names = shownNamesOf(axis);
    } else {
        const auto [low, high] = std::minmax_element(axis.numbers.begin(), axis.numbers.end());
        spec.scale = *low > 0 && *high / *low >= logSpan ? AxisScale::Log : AxisScale::Linear;
    }
    return spec;
}

AxisSpec measureAxis(const QString& measure) {
    AxisSpec spec;
    spec.title = studyMeasureText(measure);
    spec.unit =
        isTimeMeasure(measure.toStdString()) && measure != QLatin1String("cpu_ratio") ? QStringLiteral("s") : QString();
    return spec;
}

/// What tells a curve from others of its lane: "source = wine, gamma = 0.5".
QString othersText(const std::vector<Axis>& axes, int along, const StudyRow& row) {
    QStringList parts;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Axis& axis = axes[i];
        const bool isAll = axis.texts[axis.placeOf(row)] != row.values[axis.column];
        for (std::size_t field = 0; static_cast<int>(i) != along && field < (isAll ? axis.fields.size() : 1); ++field) {
            parts << QString::fromStdString(axis.fields[field]).section('.', -1) + " = " +
                         QString::fromStdString(row.values[axis.column + field]);
        }
    }
    return parts.join(QLatin1String(", "));
}

QString titleOf(const StudyResults& results) {
    const std::size_t finished = results.count(CellState::Finished);
    const QString name = QString::fromStdString(results.study.name);
    return finished == results.cells.size()
               ? name
               : text("%1 (%2 of %3 cells)").arg(name).arg(finished).arg(results.cells.size());
}

} // namespace

QStringList studyAxisNames(const Study& study) {
    QStringList names;
    for (const Axis& axis : axesOf(study)) {
        names << axis.name;
    }
    return names;
}

QStringList studyMeasureKeys(const StudyResults& results) {
    return namesOf(measureKeys(results));
}

QStringList studyLaneNames(const StudyResults& results) {
    QStringList names;
    for (const StudyCell& cell : results.cells) {
        for (const std::string& lane : cell.laneNames) {
            if (const QString name = QString::fromStdString(lane); !names.contains(name)) {
                names << name;
            }
        }
    }
    return names;
}

QString studyMeasureText(const QString& key) {
    static const std::map<QString, const char*> texts = {
        {"points", "Path points"},
        {"iterations", "Iterations"},
        {"cpu", "CPU time"},
        {"cpu_solve", "CPU time, solving"},
        {"cpu_screen", "CPU time, screening"},
        {"cpu_ratio", "CPU over baseline's"},
        {"wall", "Wall time"},
        {"path_rate", "Screened on arrival"},
        {"final_rate", "Screened while solving"},
        {"after_rate", "Screened in all"},
        {"objective", "Objective at the last point"},
        {"test_error", "Test error at the last point"},
        {"train_error", "Training error at the last point"},
        {"knn_error", "k-NN error at the last point"},
        {"f_measure", "F-measure at the last point"},
    };
    const auto found = texts.find(key);
    return found == texts.end() ? key : text(found->second);
}

CurveFigure studyCurves(const StudyResults& results, const QString& measure, int axis, const QString& lane) {
    const std::vector<Axis> axes = axesOf(results.study);
    const std::vector<StudyRow> rows = studyRows(results);
    const QStringList lanes = studyLaneNames(results);
    const bool isOverLanes = axis < 0 || axis >= static_cast<int>(axes.size());
    CurveFigure figure;
    figure.title = titleOf(results);
    figure.y = measureAxis(measure);
    if (isOverLanes) {
        figure.x.title = text("lane");
        figure.x.names = lanes;
    } else {
        figure.x = specOf(axes[static_cast<std::size_t>(axis)]);
    }
    if (!figure.x.names.isEmpty()) {
        figure.xRange = ValueRange{0, static_cast<double>(figure.x.names.size())};
    }
    std::map<QString, int> dashes; // by combination of the other axes
    for (const StudyRow& row : rows) {
        const QString name = QString::fromStdString(row.lane);
        if (!lane.isEmpty() && name != lane) {
            continue;
        }
        const QString others = othersText(axes, isOverLanes ? -1 : axis, row);
        const auto dash = dashes.emplace(others, static_cast<int>(dashes.size())).first->second;
        const QString id = isOverLanes ? others : name + '\n' + others;
        auto curve =
            std::find_if(figure.curves.begin(), figure.curves.end(), [&](const Curve& each) { return each.id == id; });
        if (curve == figure.curves.end()) {
            Curve added;
            added.id = id;
            added.name = isOverLanes        ? (others.isEmpty() ? text("mean") : others)
                         : others.isEmpty() ? name
                         : lane.isEmpty()   ? name + QStringLiteral(" · ") + others
                                            : others;
            const bool hasOwnColours = isOverLanes || !lane.isEmpty();
            added.style.colourIndex = hasOwnColours ? dash : static_cast<int>(lanes.indexOf(name));
            added.style.dash = static_cast<DashStyle>(static_cast<int>(DashStyle::Solid) + dash % 5);
            added.style.marker =
                static_cast<MarkerShape>(static_cast<int>(MarkerShape::Circle) + added.style.colourIndex % 8);
            added.style.dash = figure.x.names.isEmpty() ? added.style.dash : DashStyle::NoLine;
            added.bandName = text("95 % limit");
            figure.curves.append(added);
            curve = figure.curves.end() - 1;
        }
        const double x =
            isOverLanes ? static_cast<double>(lanes.indexOf(name)) + 0.5 : axes[static_cast<std::size_t>(axis)].at(row);
        const auto found = row.measures.find(measure.toStdString());
        curve->points.append({x, found == row.measures.end() ? none : found->second.mean});
        const bool hasBand = figure.x.names.isEmpty(); // there is nothing between two words
        if (hasBand && found != row.measures.end() && found->second.low && found->second.high) {
            curve->band.append({x, *found->second.low, *found->second.high});
        }
    }
    for (Curve& curve : figure.curves) {
        std::sort(curve.points.begin(), curve.points.end(),
                  [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
        std::sort(curve.band.begin(), curve.band.end(),
                  [](const BandPoint& a, const BandPoint& b) { return a.x < b.x; });
    }
    return figure;
}

HeatmapFigure studyHeatmap(const StudyResults& results, const QString& measure, int xAxis, int yAxis,
                           const QString& lane) {
    HeatmapFigure figure;
    const std::vector<Axis> axes = axesOf(results.study);
    const auto count = static_cast<int>(axes.size());
    if (xAxis < 0 || yAxis < 0 || xAxis >= count || yAxis >= count || xAxis == yAxis) {
        return figure;
    }
    const Axis& x = axes[static_cast<std::size_t>(xAxis)];
    const Axis& y = axes[static_cast<std::size_t>(yAxis)];
    figure.title = titleOf(results) + QStringLiteral(": ") + lane;
    figure.x.title = x.name;
    figure.y.title = y.name;
    figure.xNames = shownNamesOf(x);
    figure.yNames = shownNamesOf(y);
    for (std::size_t i = 0; i < x.texts.size(); ++i) {
        figure.xValues.append(x.numbers.empty() ? static_cast<double>(i) : x.numbers[i]);
    }
    for (std::size_t i = 0; i < y.texts.size(); ++i) {
        figure.yValues.append(y.numbers.empty() ? static_cast<double>(i) : y.numbers[i]);
    }
    const AxisSpec value = measureAxis(measure);
    figure.valueTitle = value.label();
    figure.values.fill(0, figure.columns() * figure.rows());
    QVector<int> counts(figure.values.size(), 0);
    for (const StudyRow& row : studyRows(results)) {
        const auto found = row.measures.find(measure.toStdString());
        if (QString::fromStdString(row.lane) != lane) {
            continue;
        }
        const auto column = static_cast<qsizetype>(x.placeOf(row));
        const auto line = static_cast<qsizetype>(y.placeOf(row));
        const auto place = line * figure.columns() + column;
        figure.values[place] += found == row.measures.end() ? none : found->second.mean;
        ++counts[place];
    }
    for (qsizetype i = 0; i < figure.values.size(); ++i) {
        figure.values[i] = counts[i] > 0 ? figure.values[i] / counts[i] : none;
    }
    return figure;
}

} // namespace lambdascope
