// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/study_figures.h"

#include "ui/charts/axis_mapping.h"
#include "ui/charts/curve_geometry.h"
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

constexpr double kLogSpan = 100;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// An axis of the study besides that of seeds.
struct Axis {
    QString name;           ///< key of its first field
    QString title;          ///< what forms call that
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
        axis.title = given.labels.empty() ? axis.name : QString::fromStdString(given.labels.front());
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
    spec.title = axis.title;
    if (axis.numbers.empty()) {
        spec.names = shownNamesOf(axis);
    } else {
        const auto [low, high] = std::minmax_element(axis.numbers.begin(), axis.numbers.end());
        spec.scale = *low > 0 && *high / *low >= kLogSpan ? AxisScale::Log : AxisScale::Linear;
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

/// What a picture is of: a measure along an axis, of one lane or all, for one value of an axis or all.
struct PictureSpec {
    QString measure;
    int along = -1; ///< the lanes when it is none
    QString lane;
    int by = -1;
    std::size_t place = 0; ///< of the value of `by`
};

/// What tells a curve from others of its lane: "source = wine, gamma = 0.5".
QString othersText(const std::vector<Axis>& axes, const PictureSpec& choice, const StudyRow& row) {
    QStringList parts;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Axis& axis = axes[i];
        const bool isSaid =
            static_cast<int>(i) == choice.along || static_cast<int>(i) == choice.by || axis.keys.size() == 1;
        const bool isAll = axis.texts[axis.placeOf(row)] != row.values[axis.column];
        for (std::size_t field = 0; !isSaid && field < (isAll ? axis.fields.size() : 1); ++field) {
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

QStringList studyAxisTitles(const Study& study) {
    QStringList titles;
    for (const Axis& axis : axesOf(study)) {
        titles << axis.title;
    }
    return titles;
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
        {"map", "MAP at the last point"},
        {"precision", "Precision at the last point"},
        {"recall", "Recall at the last point"},
        {"auc", "AUC at the last point"},
        {"test_f", "F-measure of held-out rows at the last point"},
    };
    const auto found = texts.find(key);
    return found == texts.end() ? key : text(found->second);
}

namespace {

/// Gives all one scale of the measure, logarithmic for values above 0 that span so much that the small ones would lie
/// on the axis; and, if there are several, one range.
void shareMeasureAxis(QList<CurveFigure>& figures) {
    QVector<Curve> curves;
    for (const CurveFigure& figure : figures) {
        curves += figure.curves;
    }
    const CurveFloors floors = curveFloors(curves);
    const ValueRange data = dataRangeY(curves, AxisScale::Linear, floors);
    const AxisScale scale = data.low > 0 && data.high >= kLogSpan * data.low ? AxisScale::Log : AxisScale::Linear;
    const ValueRange range = paddedRange(dataRangeY(curves, scale, floors), 0.05);
    for (CurveFigure& figure : figures) {
        figure.y.scale = scale;
        if (figures.size() > 1) {
            figure.yRange =
                ValueRange{AxisMapping::fromAxis(range.low, scale), AxisMapping::fromAxis(range.high, scale)};
        }
    }
}

CurveFigure curvesOf(const std::vector<Axis>& axes, const std::vector<StudyRow>& rows, const QStringList& lanes,
                     const PictureSpec& choice) {
    const bool isOverLanes = choice.along < 0 || choice.along >= static_cast<int>(axes.size());
    const auto along = static_cast<std::size_t>(std::max(choice.along, 0));
    CurveFigure figure;
    figure.y = measureAxis(choice.measure);
    if (isOverLanes) {
        figure.x.title = text("lane");
        figure.x.names = lanes;
    } else {
        figure.x = specOf(axes[along]);
    }
    if (!figure.x.names.isEmpty()) {
        figure.xRange = ValueRange{0, static_cast<double>(figure.x.names.size())};
    }
    const bool hasBand = figure.x.names.isEmpty(); // there is nothing between two words
    std::map<QString, int> dashes;                 // by combination of the other axes
    for (const StudyRow& row : rows) {
        const QString name = QString::fromStdString(row.lane);
        const bool isOther = choice.by >= 0 && axes[static_cast<std::size_t>(choice.by)].placeOf(row) != choice.place;
        if (isOther || (!choice.lane.isEmpty() && name != choice.lane)) {
            continue;
        }
        const QString others = othersText(axes, choice, row);
        const auto dash = dashes.emplace(others, static_cast<int>(dashes.size())).first->second;
        const QString id = isOverLanes ? others : name + '\n' + others;
        auto curve =
            std::find_if(figure.curves.begin(), figure.curves.end(), [&](const Curve& each) { return each.id == id; });
        if (curve == figure.curves.end()) {
            Curve added;
            added.id = id;
            added.name = isOverLanes             ? (others.isEmpty() ? text("mean") : others)
                         : others.isEmpty()      ? name
                         : choice.lane.isEmpty() ? name + QStringLiteral(" · ") + others
                                                 : others;
            const bool hasOwnColours = isOverLanes || !choice.lane.isEmpty();
            added.style.colourIndex = hasOwnColours ? dash : static_cast<int>(lanes.indexOf(name));
            added.style.dash = static_cast<DashStyle>(static_cast<int>(DashStyle::Solid) + dash % 5);
            added.style.marker =
                static_cast<MarkerShape>(static_cast<int>(MarkerShape::Circle) + added.style.colourIndex % 8);
            added.style.dash = hasBand ? added.style.dash : DashStyle::NoLine;
            added.bandName = text("95 % limit");
            figure.curves.append(added);
            curve = figure.curves.end() - 1;
        }
        const double x = isOverLanes ? static_cast<double>(lanes.indexOf(name)) + 0.5 : axes[along].at(row);
        const auto found = row.measures.find(choice.measure.toStdString());
        curve->points.append({x, found == row.measures.end() ? kNone : found->second.mean});
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

} // namespace

CurveFigure studyCurves(const StudyResults& results, const QString& measure, int axis, const QString& lane) {
    QList<CurveFigure> figures = {curvesOf(axesOf(results.study), studyRows(results, measure.toStdString()),
                                           studyLaneNames(results), PictureSpec{measure, axis, lane, -1, 0})};
    shareMeasureAxis(figures);
    figures.front().title = titleOf(results);
    return figures.front();
}

QList<CurveFigure> studyPanels(const StudyResults& results, const QString& measure, int axis, int by,
                               const QString& lane) {
    const std::vector<Axis> axes = axesOf(results.study);
    QList<CurveFigure> figures;
    if (by < 0 || by >= static_cast<int>(axes.size()) || by == axis) {
        return figures;
    }
    const std::vector<StudyRow> rows = studyRows(results, measure.toStdString());
    const QStringList lanes = studyLaneNames(results);
    const Axis& each = axes[static_cast<std::size_t>(by)];
    const QStringList names = shownNamesOf(each);
    for (qsizetype place = 0; place < names.size(); ++place) {
        figures.append(
            curvesOf(axes, rows, lanes, PictureSpec{measure, axis, lane, by, static_cast<std::size_t>(place)}));
        figures.back().title = each.name.section('.', -1) + QStringLiteral(" = ") + names[place];
    }
    shareMeasureAxis(figures);
    return figures;
}

StudyLayout firstLayout(const Study& study, int mostPanels) {
    const std::vector<Axis> axes = axesOf(study);
    const auto isWords = [](const Axis& axis) { return axis.numbers.empty(); };
    const auto numbers = std::find_if_not(axes.begin(), axes.end(), isWords);
    const auto words = std::find_if(axes.begin(), axes.end(), isWords);
    if (numbers == axes.end()) {
        return {axes.empty() ? -1 : 0, -1};
    }
    const bool hasPanels = words != axes.end() && words->keys.size() <= static_cast<std::size_t>(mostPanels);
    return {static_cast<int>(numbers - axes.begin()), hasPanels ? static_cast<int>(words - axes.begin()) : -1};
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
    figure.x.title = x.title;
    figure.y.title = y.title;
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
    figure.values.fill(0, qsizetype(figure.columns()) * figure.rows());
    QVector<int> counts(figure.values.size(), 0);
    for (const StudyRow& row : studyRows(results, measure.toStdString())) {
        const auto found = row.measures.find(measure.toStdString());
        if (QString::fromStdString(row.lane) != lane) {
            continue;
        }
        const auto column = static_cast<qsizetype>(x.placeOf(row));
        const auto line = static_cast<qsizetype>(y.placeOf(row));
        const auto place = line * figure.columns() + column;
        figure.values[place] += found == row.measures.end() ? kNone : found->second.mean;
        ++counts[place];
    }
    for (qsizetype i = 0; i < figure.values.size(); ++i) {
        figure.values[i] = counts[i] > 0 ? figure.values[i] / counts[i] : kNone;
    }
    return figure;
}

} // namespace lambdascope
