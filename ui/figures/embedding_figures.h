// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/point_relations.h"
#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// Two columns of the matrix whose rows are the points; −1: the plane that the run keeps, its principal axes.
struct EmbeddingAxes {
    int x = -1;
    int y = -1;
    bool operator==(const EmbeddingAxes&) const = default;

    [[nodiscard]] bool arePrincipal() const { return x < 0 || y < 0; }
};

/// Whether the lens of a run says what relates the points of its embeddings: where nothing is screened, that is what
/// there is to ask about a point.
[[nodiscard]] bool hasRelations(const RunRecord& record);

/// How many axes there are to choose from at a finished point; 0 when only its plane is kept.
[[nodiscard]] int axesToChoose(const ShownRun& run, int index);

/// The solution of a finished point whose rows are the points of its embedding; null when it is not kept.
[[nodiscard]] std::shared_ptr<const Solution> keptSolution(const ShownRun& run, int index);

/// Embedding of the finished point `index`; empty when there is none. On its principal axes it also shows where the
/// points are known to be, if the run says so.
[[nodiscard]] CloudFigure embeddingFigure(const ShownRun& run, int index, EmbeddingAxes axes = {});

/// What the colours of arcs tell apart: relations that hold and violated ones, or what screening decided about those of
/// training; then held-out ones are not drawn.
enum class ArcColours { Answers, Decisions };

/// Draws what is said about a point as arcs: for each relation one over the pair that is to be closer and one over the
/// other pair. Arcs of violated ones bend to the other side. The legend says how many of how many, the title how many
/// of all are violated.
void addRelations(CloudFigure& figure, int point, const PointRelations& relations,
                  ArcColours colours = ArcColours::Answers);

/// Relations drawn, two arcs each: more would be a thicket.
constexpr std::size_t kMostArcs = 120;
/// The embedding at a finished point with what is said about one of its points.
[[nodiscard]] CloudFigure relationsFigure(const ShownRun& run, int index, int point, const PointRelations& relations,
                                          ArcColours colours);

/// "Paris: comparisons 12 of 210 violated (5.71 %), held-out 3 of 40 (7.5 %)".
[[nodiscard]] QString relationsText(const QString& point, const PointRelations& relations);

/// Name of a point of a cloud; "point 3" without names.
[[nodiscard]] QString pointName(const CloudFigure& figure, int point);
/// The point with a name, or with a number, which count from 0; -1 for none.
[[nodiscard]] int pointNamed(const CloudFigure& figure, const QString& name);

} // namespace lambdascope
