// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/figure_catalogue.h"

#include "ui/panels/views/cost_figures.h"
#include "ui/panels/views/embedding_figures.h"
#include "ui/panels/views/figure_parts.h"
#include "ui/panels/views/lens_figures.h"
#include "ui/panels/views/measure_figures.h"
#include "ui/panels/views/plane_figure.h"
#include "ui/panels/views/quality_figures.h"
#include "ui/panels/views/solution_figures.h"

#include <algorithm>

namespace lambdascope {

using figures::text;

namespace {

using Runs = std::vector<ShownRun>;

/// A figure of all runs together.
struct CommonFigure {
    const char* name;
    const char* description;
    std::function<CurveFigure(const Runs& runs, int index)> build;
};

std::vector<CommonFigure> withQualities(std::vector<CommonFigure> figures) {
    for (const Quality& quality : qualities()) {
        figures.push_back({quality.name, quality.description,
                           [&quality](const Runs& runs, int) { return qualityFigure(runs, quality); }});
    }
    return figures;
}

const std::vector<CommonFigure>& commonFigures() {
    static const std::vector<CommonFigure> figures = withQualities({
        {"path-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate on arrival at each path point"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::Path); }},
        {"final-rate", QT_TRANSLATE_NOOP("Figures", "Screening rate at the end of each path point"),
         [](const Runs& runs, int) { return rateFigure(runs, ScreeningStage::Final); }},
        {"cpu-ratio", QT_TRANSLATE_NOOP("Figures", "CPU time relative to the lane without screening"),
         [](const Runs& runs, int) { return cpuRatioFigure(runs); }},
        {"cpu", QT_TRANSLATE_NOOP("Figures", "CPU seconds per path point"),
         [](const Runs& runs, int) { return cpuFigure(runs); }},
        {"growth", QT_TRANSLATE_NOOP("Figures", "CPU time by size of the problem, with slopes"),
         [](const Runs& runs, int) { return growthFigure(runs); }},
        {"active", QT_TRANSLATE_NOOP("Figures", "Items left to the solver"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::LeftToSolver); }},
        {"removed", QT_TRANSLATE_NOOP("Figures", "Items removed by screening"),
         [](const Runs& runs, int) { return itemsFigure(runs, ItemSide::Removed); }},
        {"iterations", QT_TRANSLATE_NOOP("Figures", "Iterations per path point"),
         [](const Runs& runs, int) { return iterationsFigure(runs); }},
        {"sets", QT_TRANSLATE_NOOP("Figures", "Items by set at the solution"),
         [](const Runs& runs, int) { return setsFigure(runs); }},
        {"convergence", QT_TRANSLATE_NOOP("Figures", "Optimality by iteration at one path point"),
         [](const Runs& runs, int index) { return convergenceFigure(runs, index); }},
    });
    return figures;
}

/// A figure of all runs of one column: "race:test_error".
struct ColumnFigure {
    const char* prefix;
    const char* description; ///< with the label of the column as %1
    CurveFigure (*build)(const Runs& runs, const QString& key);
    bool (*isListed)(ColumnRole role); ///< others can be asked for by name
};

const std::vector<ColumnFigure>& columnFigures() {
    static const std::vector<ColumnFigure> figures = {
        {"measure", QT_TRANSLATE_NOOP("Figures", "%1 along the path"), measureFigure,
         [](ColumnRole role) { return !isMeasure(role); }},
        {"race", QT_TRANSLATE_NOOP("Figures", "%1 by CPU time spent"), raceFigure,
         [](ColumnRole role) { return role == ColumnRole::Objective || role == ColumnRole::HeldOutError; }},
    };
    return figures;
}

/// The last finished point, up to `index` when that is not negative, that has something; `index` when there is none.
template <class Has>
int latestWith(const RunRecord& record, int index, Has has) {
    int latest = index;
    for (const PointRecord& point : record.points()) {
        const bool counts = point.isFinished && (index < 0 || point.index <= index);
        latest = counts && has(point) ? static_cast<int>(point.index) : latest;
    }
    return latest;
}

CloudFigure lastEmbedding(const ShownRun& run) {
    return embeddingFigure(run,
                           latestWith(*run.record, -1, [](const PointRecord& p) { return p.embedding != nullptr; }));
}

/// A figure of one lane: "heatmap:PGB".
struct LaneFigure {
    const char* prefix;
    const char* description; ///< with the lane as %1
    bool (*exists)(const ShownRun& run);
    Figure (*build)(const ShownRun& run, int index); ///< a negative index is the last one that there is
};

const std::vector<LaneFigure>& laneFigures() {
    static const std::vector<LaneFigure> figures = {
        {"cost", QT_TRANSLATE_NOOP("Figures", "What the CPU time of %1 went to, by path point"),
         [](const ShownRun& run) { return !isEmpty(Figure(ledgerFigure(run))); },
         [](const ShownRun& run, int) { return Figure(ledgerFigure(run)); }},
        {"heatmap", QT_TRANSLATE_NOOP("Figures", "Dynamic screening rate of %1 by path point and check"),
         [](const ShownRun& run) { return screens(*run.record); },
         [](const ShownRun& run, int) { return Figure(heatmapFigure(run)); }},
        {"matrix", QT_TRANSLATE_NOOP("Figures", "Matrix learned by %1"),
         [](const ShownRun& run) { return hasSolutions(*run.record); },
         [](const ShownRun& run, int index) {
             return solutionFigure(run, latestWith(*run.record, index,
                                                   [](const PointRecord& point) { return point.solution != nullptr; }));
         }},
        {"embedding", QT_TRANSLATE_NOOP("Figures", "Embedding learned by %1"),
         [](const ShownRun& run) { return hasEmbeddings(*run.record); },
         [](const ShownRun& run, int index) {
             return Figure(embeddingFigure(run, latestWith(*run.record, index, [](const PointRecord& point) {
                                               return point.embedding != nullptr;
                                           })));
         }},
    };
    return figures;
}

/// What a figure of a lane is made from.
struct LensQuestion {
    const ShownRun& run;
    int index;
    int point; ///< of the embedding; −1 for figures of no point
    RunLens& lens;
    const RunLens::Progress& progress;
};

/// A figure of one lane that needs its lens: "slice:PGB", or "arcs:STE:Paris" for one of a point of its embedding.
struct LensFigure {
    const char* prefix;
    const char* description; ///< with the lane as %1, the point as %2
    bool (*exists)(const RunRecord& record);
    Result<Figure> (*build)(const LensQuestion& asked);
    bool isOfPoint = false;
};

Result<Figure> sliceFrom(const LensQuestion& asked) {
    auto slice = asked.lens.slice(asked.index, {});
    return slice ? Result<Figure>(sliceFigure(asked.run, asked.index, *slice, -1, false)) : Failure{slice.error()};
}

Result<Figure> lifetimesFrom(const LensQuestion& asked) {
    auto lifetimes = asked.lens.lifetimes(asked.index, mostLifetimes, {});
    return lifetimes ? Result<Figure>(lifetimesFigure(asked.run, *lifetimes)) : Failure{lifetimes.error()};
}

Result<Figure> rangesFrom(const LensQuestion& asked) {
    auto grid = asked.lens.ranges(asked.progress, {});
    return grid ? Result<Figure>(rangeFigure(asked.run, *grid)) : Failure{grid.error()};
}

Result<Figure> planeFrom(const LensQuestion& asked) {
    auto plane = asked.lens.plane(asked.index, {}, {});
    return plane ? Result<Figure>(planeFigure(asked.run, asked.index, *plane)) : Failure{plane.error()};
}

Result<Figure> arcsFrom(const LensQuestion& asked) {
    auto relations = asked.lens.relations(asked.point, asked.index, mostArcs, {});
    return relations ? Result<Figure>(relationsFigure(asked.run, asked.index, asked.point, *relations))
                     : Failure{relations.error()};
}

const std::vector<LensFigure>& lensFigures() {
    static const std::vector<LensFigure> figures = {
        {"slice", QT_TRANSLATE_NOOP("Figures", "Balls that the bounds of %1 know the optimum to lie in"), screens,
         sliceFrom},
        {"lifetimes", QT_TRANSLATE_NOOP("Figures", "For how long what %1 decides stays decided"), screens,
         lifetimesFrom},
        {"ranges", QT_TRANSLATE_NOOP("Figures", "How much each reference of %1 decides along the path"), screens,
         rangesFrom},
        {"plane", QT_TRANSLATE_NOOP("Figures", "Plane of two features: what %1 knows about every place"), hasPlane,
         planeFrom},
        {"arcs", QT_TRANSLATE_NOOP("Figures", "What is said about %2, and which of it %1 violates"), hasRelations,
         arcsFrom, true},
    };
    return figures;
}

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
                               QStringLiteral("arcs:")};
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
        if (!isEmpty(Figure(figure.build(runs, last)))) {
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
                names << (figure.isOfPoint ? name + QLatin1Char(':') + lastEmbedding(run).pointLabels.value(0, "1")
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
