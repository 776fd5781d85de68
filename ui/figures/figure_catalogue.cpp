// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_catalogue.h"

#include "ui/figures/embedding_figures.h"
#include "ui/figures/figure_kinds.h"
#include "ui/figures/figure_parts.h"
#include "ui/figures/measure_figures.h"

#include <algorithm>

namespace lambdascope {

using figures::text;

namespace {

using Runs = std::vector<ShownRun>;

/// The kind of figure that "prefix:lane" asks for, and the lane; null when the prefix is none of the kinds.
template <class Kind>
const Kind* kindOf(const std::vector<Kind>& kinds, const QString& name, QString& lane) {
    const qsizetype colon = name.indexOf(QLatin1Char(':'));
    for (const Kind& kind : kinds) {
        if (colon > 0 && name.left(colon) == QLatin1String(kind.prefix)) {
            lane = name.mid(colon + 1);
            return &kind;
        }
    }
    return nullptr;
}

/// Takes "@12" off a name that shows one path point; false when what follows is no number.
bool splitPoint(QString& name, int& index) {
    const qsizetype at = name.lastIndexOf(QLatin1Char('@'));
    const QStringList ofAPoint{QStringLiteral("convergence"), QStringLiteral("matrix:"),
                               QStringLiteral("embedding:"),  QStringLiteral("slice:"),
                               QStringLiteral("lifetimes:"),  QStringLiteral("plane:"),
                               QStringLiteral("arcs:"),       QStringLiteral("screened-arcs:")};
    const bool isOfAPoint = std::any_of(ofAPoint.begin(), ofAPoint.end(),
                                        [&name](const QString& beginning) { return name.startsWith(beginning); });
    if (at <= 0 || !isOfAPoint) {
        return true;
    }
    bool isNumber = false;
    index = name.mid(at + 1).toInt(&isNumber);
    name.truncate(at);
    return isNumber;
}

const ShownRun* findLane(const Runs& runs, const QString& lane) {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const ShownRun& run) { return run.name == lane; });
    return found == runs.end() ? nullptr : &*found;
}

/// A name taken apart.
struct FigureOfLane {
    bool isRead = false; ///< false when what follows "@" is no number
    QString base;        ///< without the point
    const LaneFigure* kind = nullptr;
    const LensFigure* lensKind = nullptr; ///< at most one of the two; none for figures of all runs
    QString lane;
    int point = -1; ///< of the embedding; −1 for figures of no point
    int index = -1;
};

/// Takes ":Paris" off what follows the kind of a figure of a point; the names of lanes may hold colons themselves.
void splitObject(const Runs& runs, FigureOfLane& asked) {
    asked.point = -1;
    if (asked.lensKind == nullptr || !asked.lensKind->isOfPoint) {
        return;
    }
    const QString both = std::exchange(asked.lane, QString());
    for (qsizetype colon = both.indexOf(QLatin1Char(':')); colon > 0;
         colon = both.indexOf(QLatin1Char(':'), colon + 1)) {
        const ShownRun* run = findLane(runs, both.left(colon));
        const int point = run == nullptr ? -1 : pointNamed(lastEmbedding(*run), both.mid(colon + 1));
        if (point >= 0) {
            asked.lane = run->name;
            asked.point = point;
        }
    }
}

FigureOfLane readName(const Runs& runs, const QString& name, int index) {
    FigureOfLane asked{true, name, nullptr, nullptr, {}, index};
    const auto read = [&runs, &asked] {
        asked.kind = kindOf(laneFigures(), asked.base, asked.lane);
        asked.lensKind = kindOf(lensFigures(), asked.base, asked.lane);
        splitObject(runs, asked);
    };
    read();
    // The name of a lane may look like that of a point.
    if (findLane(runs, asked.lane) == nullptr) {
        asked.isRead = splitPoint(asked.base, asked.index);
        read();
    }
    return asked;
}

Failure noSuchFigure(const Runs& runs, const QString& name, const LensSource& lenses) {
    const QStringList names = figureNames(runs) + lensFigureNames(runs, lenses);
    return Failure{
        singleFault(ErrorCode::BadUsage, {"figure",
                                          "There is no figure '" + name.toStdString() + "' for these runs.",
                                          "Use one of: " + names.join(QStringLiteral(", ")).toStdString() + ".",
                                          {}})};
}

Result<Figure> nonEmpty(Figure figure, const QString& name) {
    if (isEmpty(figure)) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {"figure",
                                                 "The runs hold nothing to draw '" + name.toStdString() + "' from.",
                                                 "Those that can be drawn are listed by --figure list.",
                                                 {}})};
    }
    return figure;
}

} // namespace

QStringList figureNames(const std::vector<ShownRun>& runs) {
    QStringList names;
    const int last = lastFinishedIndex(runs);
    for (const CommonFigure& figure : commonFigures()) {
        if (!isEmpty(figure.build(runs, last))) {
            names << QString::fromLatin1(figure.name);
        }
    }
    const std::vector<Measure> measures = measuresOf(runs);
    for (const ColumnFigure& figure : columnFigures()) {
        for (const Measure& measure : measures) {
            if (!figure.isListed(measure.role)) {
                continue;
            }
            names << QString::fromLatin1(figure.prefix) + QLatin1Char(':') + measure.key;
        }
    }
    for (const LaneFigure& figure : laneFigures()) {
        for (const ShownRun& run : runs) {
            if (figure.exists(run)) {
                names << QString::fromLatin1(figure.prefix) + QLatin1Char(':') + run.name;
            }
        }
    }
    return names;
}

QStringList lensFigureNames(const std::vector<ShownRun>& runs, const LensSource& lenses) {
    QStringList names;
    for (const LensFigure& figure : lensFigures()) {
        for (const ShownRun& run : runs) {
            if (lenses.open && figure.exists(*run.record) && lenses.has(run)) {
                const QString name = QString::fromLatin1(figure.prefix) + QLatin1Char(':') + run.name;
                // One for all of its points.
                names << (figure.isOfPoint ? name + QLatin1Char(':') + lastEmbedding(run).pointLabels.value(0, "0")
                                           : name);
            }
        }
    }
    return names;
}

const ShownRun* laneOfFigure(const std::vector<ShownRun>& runs, const QString& name) {
    const FigureOfLane asked = readName(runs, name, -1);
    return findLane(runs, asked.lane);
}

QString figureDescription(const QString& name) {
    QString lane;
    if (const LaneFigure* figure = kindOf(laneFigures(), name, lane)) {
        return text(figure->description).arg(lane);
    }
    if (const LensFigure* figure = kindOf(lensFigures(), name, lane)) {
        const qsizetype colon = figure->isOfPoint ? lane.lastIndexOf(QLatin1Char(':')) : -1;
        return colon < 0 ? text(figure->description).arg(lane)
                         : text(figure->description).arg(lane.left(colon), lane.mid(colon + 1));
    }
    if (const ColumnFigure* figure = kindOf(columnFigures(), name, lane)) {
        return text(figure->description).arg(lane);
    }
    for (const CommonFigure& figure : commonFigures()) {
        if (name == QLatin1String(figure.name)) {
            return text(figure.description);
        }
    }
    return name;
}

Result<Figure> figureByName(const std::vector<ShownRun>& runs, const QString& name, int index,
                            const LensSource& lenses) {
    const FigureOfLane asked = readName(runs, name, index);
    if (!asked.isRead) {
        return noSuchFigure(runs, name, lenses);
    }
    if (asked.kind != nullptr || asked.lensKind != nullptr) {
        const ShownRun* run = findLane(runs, asked.lane);
        if (run == nullptr || (asked.lensKind != nullptr && (!lenses.open || !lenses.has(*run)))) {
            return noSuchFigure(runs, name, lenses);
        }
        if (asked.kind != nullptr) {
            return nonEmpty(asked.kind->build(*run, asked.index), name);
        }
        auto lens = lenses.open(*run);
        if (!lens) {
            return Failure{lens.error()};
        }
        const int point = asked.index >= 0 ? asked.index : lastFinishedIndex({*run});
        auto figure = asked.lensKind->build({*run, point, asked.point, **lens, lenses.progress});
        return figure ? nonEmpty(std::move(*figure), name) : figure;
    }
    QString key;
    if (const ColumnFigure* figure = kindOf(columnFigures(), name, key)) {
        return isEmpty(Figure(figure->build(runs, key))) ? noSuchFigure(runs, name, lenses)
                                                         : Result<Figure>(Figure(figure->build(runs, key)));
    }
    for (const CommonFigure& figure : commonFigures()) {
        if (asked.base == QLatin1String(figure.name)) {
            return nonEmpty(figure.build(runs, asked.index >= 0 ? asked.index : lastFinishedIndex(runs)), name);
        }
    }
    return noSuchFigure(runs, name, lenses);
}

QString figureFileStem(const QString& name) {
    QString stem = name;
    for (QChar& letter : stem) {
        if (!letter.isLetterOrNumber() && !QStringLiteral("-_+.").contains(letter)) {
            letter = QLatin1Char('-');
        }
    }
    return stem;
}

} // namespace lambdascope
