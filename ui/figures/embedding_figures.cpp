// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/embedding_figures.h"

#include "core/common/number_text.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lambdascope {

using namespace figures;

namespace {

/// Colours of the theme that no common colour blindness confuses: blue and vermillion.
constexpr int kHoldingColour = 0;
constexpr int kViolatedColour = 1;
/// Of comparisons screened into R and into L; those left to the solver stand out as violated ones do.
constexpr std::array kDecidedColours = {0, 2};

/// Points of an embedding. Where coordinates go on behind them, they are of the places where the points are known to
/// be.
std::size_t pointCount(const Embedding& embedding) {
    const std::size_t places = embedding.coordinates.size() / 2;
    return embedding.classes.empty() ? places : std::min(places, embedding.classes.size());
}

/// The matrix whose rows are the points of an embedding; null when it is not kept.
const MatrixValues* matrixOf(const RunRecord& record, const PointRecord& point) {
    if (point.embedding == nullptr || point.solution == nullptr || !hasRelations(record)) {
        return nullptr; // of screened problems a point is a sample, and the matrix no coordinates
    }
    const auto points = static_cast<std::int64_t>(pointCount(*point.embedding));
    const bool isThere = !point.solution->empty() && point.solution->front().values.rows() == points;
    return isThere ? &point.solution->front().values : nullptr;
}

/// `count` of them, from number `first` on.
QVector<CloudPoint> pairs(const std::vector<float>& coordinates, std::size_t first, std::size_t count) {
    QVector<CloudPoint> points;
    points.reserve(static_cast<qsizetype>(count));
    for (std::size_t k = first; k < first + count; ++k) {
        points.append({coordinates[2 * k], coordinates[2 * k + 1]});
    }
    return points;
}

void addLabels(CloudFigure& figure, const Embedding& embedding) {
    const auto count = static_cast<std::size_t>(figure.points.size());
    if (embedding.names && embedding.names->size() == count) {
        for (const std::string& name : *embedding.names) {
            figure.pointLabels << QString::fromStdString(name);
        }
    }
    const bool isLabelled = embedding.classes.size() == count &&
                            std::all_of(embedding.classes.begin(), embedding.classes.end(), [&](std::int32_t c) {
                                return c >= 0 && static_cast<std::size_t>(c) < embedding.classNames.size();
                            });
    if (isLabelled) {
        figure.classes = QVector<int>(embedding.classes.begin(), embedding.classes.end());
        for (const std::string& name : embedding.classNames) {
            figure.classNames << QString::fromStdString(name);
        }
    }
}

/// Arcs of one colour: solid over the pair that is to be closer, dotted over the other one.
struct ArcKind {
    QString id;
    QString nearText;
    QString farText;
    int colour = 0;
    bool isPale = false;
};

/// "12 of 210 violated".
QString countedText(const QString& what, std::int64_t drawn, std::int64_t all) {
    const QString total = QString::fromStdString(groupedText(all));
    return drawn == all ? text("%1 %2").arg(total, what)
                        : text("%1 of %2 %3").arg(QString::fromStdString(groupedText(drawn)), total, what);
}

std::vector<ArcKind> answeredKinds(const PointRelations& relations) {
    const std::int64_t violated = relations.training.violated + relations.heldOut.violated;
    const std::int64_t holding = relations.training.holding + relations.heldOut.holding;
    const std::int64_t drawn = static_cast<std::int64_t>(relations.relations.size()) - relations.drawnViolated;
    return {
        {QStringLiteral("holding"), text("%1: the closer pair").arg(countedText(text("satisfied"), drawn, holding)),
         text("the farther pair"), kHoldingColour, true},
        {QStringLiteral("violated"),
         text("%1: should be the closer pair").arg(countedText(text("violated"), relations.drawnViolated, violated)),
         text("should be the farther pair"), kViolatedColour}};
}

/// Those left to the solver, then those of each set.
std::vector<ArcKind> decidedKinds(const PointRelations& relations) {
    std::vector<std::int64_t> drawn(relations.sets.size() + 1);
    for (const PointRelations::Relation& relation : relations.relations) {
        const int kind = relation.set + 1;
        drawn[static_cast<std::size_t>(kind)] += relation.isHeldOut ? 0 : 1;
    }
    const std::int64_t decided = std::accumulate(relations.decided.begin(), relations.decided.end(), std::int64_t{0});
    const std::int64_t left = relations.training.holding + relations.training.violated - decided;
    std::vector<ArcKind> kinds;
    const auto add = [&](const QString& what, std::int64_t shown, std::int64_t all, int colour, bool isPale) {
        kinds.push_back({what, countedText(what, shown, all), text("their farther pairs"), colour, isPale});
    };
    add(text("left to the solver"), drawn[0], left, kViolatedColour, false);
    for (std::size_t set = 0; set < relations.sets.size(); ++set) {
        add(text("screened into %1").arg(QString::fromStdString(relations.sets[set])), drawn[set + 1],
            relations.decided[set], kDecidedColours[set % kDecidedColours.size()], set == 0);
    }
    return kinds;
}

QString percent(double share) {
    return QStringLiteral("%1\u00A0%").arg(QString::fromStdString(shortText(100 * share, 3)));
}

} // namespace

bool hasRelations(const RunRecord& record) {
    const RunStarted& start = record.start();
    const bool embedsObjects = start.facts.isObject() && start.facts.contains("p"); // in p dimensions
    return (start.itemNoun.empty() || embedsObjects) && hasEmbeddings(record);
}

int axesToChoose(const ShownRun& run, int index) {
    const PointRecord* point = run.record->finishedPoint(index);
    const MatrixValues* matrix = point == nullptr ? nullptr : matrixOf(*run.record, *point);
    return matrix == nullptr ? 0 : static_cast<int>(matrix->cols());
}

std::shared_ptr<const Solution> keptSolution(const ShownRun& run, int index) {
    const PointRecord* point = run.record->finishedPoint(index);
    return point != nullptr && matrixOf(*run.record, *point) != nullptr ? point->solution : nullptr;
}

CloudFigure embeddingFigure(const ShownRun& run, int index, EmbeddingAxes axes) {
    CloudFigure figure;
    figure.recipe = recipeOf(*run.record);
    const PointRecord* point = run.record->finishedPoint(index);
    figure.title = run.name;
    if (point == nullptr || point->embedding == nullptr) {
        return figure;
    }
    const Embedding& embedding = *point->embedding;
    figure.title = text("Map of %1 at %2 = %3")
                       .arg(run.name, QString::fromStdString(run.record->start().axisLabel),
                            QString::number(point->axisValue, 'g', 4));
    const MatrixValues* matrix = axes.arePrincipal() ? nullptr : matrixOf(*run.record, *point);
    if (matrix != nullptr && std::max(axes.x, axes.y) < matrix->cols()) {
        const QString name = QString::fromStdString(point->solution->front().name);
        figure.x.title = text("Column %1 of %2").arg(axes.x + 1).arg(name);
        figure.y.title = text("Column %1 of %2").arg(axes.y + 1).arg(name);
        for (std::int64_t row = 0; row < matrix->rows(); ++row) {
            figure.points.append(
                {static_cast<float>((*matrix)(row, axes.x)), static_cast<float>((*matrix)(row, axes.y))});
        }
    } else {
        figure.x.title = QString::fromStdString(embedding.xLabel);
        figure.y.title = QString::fromStdString(embedding.yLabel);
        const std::size_t count = pointCount(embedding);
        figure.points = pairs(embedding.coordinates, 0, count);
        if (count > 0 && embedding.coordinates.size() == 4 * count) {
            figure.shadows = pairs(embedding.coordinates, count, count);
            figure.shadowsName = text("known coordinates");
            figure.pointsName = text("learned by %1").arg(run.name);
        }
    }
    addLabels(figure, embedding);
    return figure;
}

void addRelations(CloudFigure& figure, int point, const PointRelations& relations, ArcColours colours) {
    figure.title += QStringLiteral(", ") + relationsText(pointName(figure, point), relations);
    const bool areDecisions = colours == ArcColours::Decisions && !relations.sets.empty();
    const std::vector<ArcKind> kinds = areDecisions ? decidedKinds(relations) : answeredKinds(relations);
    const int first = static_cast<int>(figure.linkGroups.size());
    for (const ArcKind& kind : kinds) {
        const bool isPale = kind.isPale;
        figure.linkGroups +=
            {{kind.id + QStringLiteral(" near"), kind.nearText, kind.colour, DashStyle::Solid, true, true, isPale},
             {kind.id + QStringLiteral(" far"), kind.farText, kind.colour, DashStyle::Dot, true, true, isPale}};
    }
    // Arcs bend to the left of their way: those of one kind lie on one side of a pair, violated ones on the other.
    const auto add = [&figure](std::int32_t one, std::int32_t other, bool holds, int group) {
        const auto [low, high] = std::minmax(one, other);
        const CloudPoint from = figure.points.value(holds ? low : high);
        const CloudPoint to = figure.points.value(holds ? high : low);
        figure.links.append({from, to, group});
    };
    // What comes first in the list is drawn last, on top: violated ones.
    for (auto relation = relations.relations.rbegin(); relation != relations.relations.rend(); ++relation) {
        if (areDecisions && relation->isHeldOut) {
            continue;
        }
        const int kind = areDecisions ? relation->set + 1 : (relation->holds ? 0 : 1);
        add(relation->nearFrom, relation->nearTo, relation->holds, first + 2 * kind);
        add(relation->farFrom, relation->farTo, relation->holds, first + 2 * kind + 1);
    }
}

CloudFigure relationsFigure(const ShownRun& run, int index, int point, const PointRelations& relations,
                            ArcColours colours) {
    CloudFigure figure = embeddingFigure(run, index);
    addRelations(figure, point, relations, colours);
    return figure;
}

QString relationsText(const QString& point, const PointRelations& relations) {
    const QString noun = QString::fromStdString(relations.noun);
    QStringList parts;
    const auto add = [&parts](const QString& words, const PointRelations::Count& count) {
        if (count.violated + count.holding > 0) {
            parts << words.arg(QString::fromStdString(groupedText(count.violated)),
                               QString::fromStdString(groupedText(count.violated + count.holding)),
                               percent(count.error));
        }
    };
    add(text("%1 of %2 violated (%3)"), relations.training);
    add(text("held-out %1 of %2 (%3)"), relations.heldOut);
    return parts.isEmpty() ? text("%1: no %2 speak of it").arg(point, noun)
                           : text("%1: %2 %3").arg(point, noun, parts.join(QStringLiteral(", ")));
}

QString pointName(const CloudFigure& figure, int point) {
    return figure.pointLabels.value(point, text("point %1").arg(point));
}

int pointNamed(const CloudFigure& figure, const QString& name) {
    if (const qsizetype named = figure.pointLabels.indexOf(name); named >= 0) {
        return static_cast<int>(named);
    }
    bool isNumber = false;
    const int number = name.toInt(&isNumber);
    return isNumber && number >= 0 && number < figure.points.size() ? number : -1;
}

} // namespace lambdascope
