// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/gram_task.h"

#include "core/common/state_archive.h"
#include "core/numeric/procrustes.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/path/ordinal_task.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/solver/gram_descent.h"

#include <limits>

namespace lambdascope::ordinal {

namespace {

/// Weighted share of comparisons with d(i,j) ≥ d(l,k) by the Gram matrix; NaN for an empty set.
double violatedShareOf(const ComparisonSet& set, const Eigen::MatrixXd& gram, StopCheck& stopCheck) {
    if (set.size() == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto squared = [&gram](ObjectIndex a, ObjectIndex b) { return gram(a, a) + gram(b, b) - 2 * gram(a, b); };
    double violated = 0;
    for (std::size_t q = 0; q < set.items().size() && !stopCheck.spend(20); ++q) {
        const Comparison& c = set.items()[q];
        violated += squared(c.i, c.j) < squared(c.l, c.k) ? 0 : set.relativeWeight(q);
    }
    return violated / static_cast<double>(set.size());
}

} // namespace

std::vector<ColumnDescription> gramColumns(const PreparedOrdinal& prepared) {
    std::vector<ColumnDescription> columns = {
        {"train_error", "Error on training comparisons", "", ColumnRole::Other, false},
        {"test_error", "Error on held-out comparisons", "", ColumnRole::HeldOutError, false},
        {"gram_error", "Error on held-out comparisons, all axes", "", ColumnRole::Other, false},
        {"rank", "Axes of G", "", ColumnRole::Other, true},
        {"shown", "Share of G in the axes shown", "", ColumnRole::Other, false},
    };
    if (prepared.reference().rows() > 0) {
        columns.push_back({"procrustes", "Distance to the reference", "", ColumnRole::Other, false});
    }
    if (prepared.hasRetrieval()) {
        columns.push_back({"map", "MAP of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        columns.push_back({"precision", "Precision@K of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        columns.push_back({"recall", "Recall@K of held-out rows", "", ColumnRole::HeldOutMeasure, false});
    }
    return columns;
}

void setGramValues(const PreparedOrdinal& prepared, const Points& x, double trace, Eigen::Index rank, double gramError,
                   ReportRow& row) {
    row.leave("test_error");
    if (prepared.hasRetrieval()) {
        row.leave("map");
        row.leave("precision");
        row.leave("recall");
    }
    const bool hasReference = prepared.reference().rows() > 0;
    if (x.size() == 0) {
        for (const char* key : {"train_error", "gram_error", "rank", "shown"}) {
            row.leave(key);
        }
        if (hasReference) {
            row.leave("procrustes");
        }
        return;
    }
    StopCheck never;
    row.set("train_error", violatedShare(prepared.train(), x, never));
    row.set("gram_error", gramError);
    row.set("rank", rank);
    row.set("shown", trace > 0 ? x.squaredNorm() / trace : 0.0);
    if (hasReference) {
        row.set("procrustes", alignPoints(x, prepared.reference()).distance);
    }
}

std::vector<MeasuredValue> heldOutMeasures(const PreparedOrdinal& prepared,
                                           const std::vector<ColumnDescription>& columns, const Points& x,
                                           RunContext& context) {
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    std::vector<MeasuredValue> measures;
    const auto add = [&](const char* key, double value) { measures.push_back({placeOfColumn(columns, key), value}); };
    add("test_error", violatedShare(prepared.test(), x, stopCheck));
    if (prepared.hasRetrieval()) {
        const RetrievalMeasures found = prepared.retrieval(x, stopCheck);
        add("map", found.meanAveragePrecision);
        add("precision", found.precision);
        add("recall", found.recall);
    }
    return measures;
}

GramTask::GramTask(const PreparedOrdinal& prepared, const triplets::Lane& lane)
    : TripletTask(*prepared.gram(), lane, gramColumns(prepared), prepared.gram()->makeKnownLane(prepared, lane),
                  prepared.gram()->finishedPoints(lane)),
      m_prepared(prepared), m_frames(prepared.labels(), prepared.reference()) {}

Json GramTask::facts() const {
    Json facts = m_prepared.facts();
    const triplets::ComparisonSet& set = m_prepared.gram()->set();
    facts["method"] = "convex";
    facts["model"] = "GNMDS";
    facts["gamma"] = m_prepared.gram()->gamma();
    facts["items"] = set.size();
    facts["pairs"] = set.pairs();
    facts["comparisons_repeated"] = set.repeated();
    facts["comparisons_contradicting"] = set.contradictions();
    facts["lambda_max"] = m_prepared.gram()->top().lambdaMax;
    return facts;
}

void GramTask::measure(const triplets::SolvedPoint& solved, ReportRow& row) const {
    const triplets::MetricPoint& gram = solved.point;
    if (gram.factor.rows() == 0) { // stopped before anything was solved
        setGramValues(m_prepared, {}, 0, 0, 0, row);
        return;
    }
    StopCheck never;
    setGramValues(m_prepared, longestAxes(gram.factor, m_prepared.config().dimensions), gram.trace, gram.factor.cols(),
                  violatedShareOf(m_prepared.test(), gram.matrix, never), row);
}

PointEvaluation GramTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const triplets::TripletWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    const Points x = longestAxes(warm->solved.point.factor, m_prepared.config().dimensions);
    showEmbedding(x, {}, m_frames, context, evaluation);
    if (context.wishes().measures) {
        evaluation.measures = heldOutMeasures(m_prepared, columns(), x, context);
    }
    evaluation.ranges = rangesOf(warm->solved, context);
    return evaluation;
}

void GramTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    TripletTask::transfer(archive, warmStart, context);
    archive(m_frames);
}

} // namespace lambdascope::ordinal
