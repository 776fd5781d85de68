// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/number_line.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <set>

namespace lambdascope {

namespace {

struct Case {
    const char* name;
    Json document;
};

Json puExperiment() {
    return {{"family", "pu"},
            {"data", {{"source", "toy:svm-figure1?n=160"}, {"scale", "none"}}},
            {"problem", {{"kernel", "rbf"}, {"gamma", 0.3}}},
            {"path", {{"values", {0.1, 0.03, 0.01}}}},
            {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}}}}};
}

Json metricRules() {
    Json document = smallMetricExperiment();
    document["lanes"] = {{{"name", "linear"}, {"bounds", {"PGB"}}, {"rule", "linear"}},
                         {{"name", "semidefinite"}, {"bounds", {"RRPB"}}, {"rule", "semidefinite"}}};
    return document;
}

/// Lanes that fix triplets for ranges of λ.
Json metricRanges() {
    Json document = smallMetricExperiment();
    document["lanes"] = Json::array();
    for (const char* bound : {"RRPB", "MGB"}) {
        document["lanes"].push_back({{"name", bound}, {"bounds", {bound}}, {"range", true}, {"schedule", "every"}});
    }
    return document;
}

/// Triplets and quadruplets, similar and dissimilar pairs, each with a threshold or a weight of its own.
Json comparisonsFromAFile(const QString& folder) {
    const auto write = [&folder](const char* name, const QByteArray& text) {
        QFile file(folder + '/' + name);
        EXPECT_TRUE(file.open(QFile::WriteOnly) && file.write(text) == text.size());
        return file.fileName().toStdString();
    };
    QByteArray rows;
    QByteArray comparisons = "base 1\nform triplet\n";
    for (int i = 0; i < 40; ++i) {
        rows += QByteArray::number(i * 29 % 40 / 20.0 - 1) + ',' + QByteArray::number(i * 17 % 40 / 20.0 - 1) + '\n';
        const auto row = [i](int step) { return ' ' + QByteArray::number((i + step) % 40 + 1); };
        comparisons += row(0) + row(7) + row(13) + " 0.5\nsimilar" + row(0) + row(3) + " 0.5\ndissimilar" + row(1) +
                       row(25) + " 2\nquadruplet" + row(0) + row(5) + row(26) + row(30) + '\n';
    }
    return {{"family", "metric"},
            {"data", {{"source", write("rows.csv", rows)}, {"labels", "none"}}},
            {"problem", {{"constraints", "file"}, {"file", write("comparisons.txt", comparisons)}}},
            {"path", {{"max_points", 8}, {"ratio", 0.4}}},
            {"lanes", {{{"name", "PGB"}, {"bounds", {"PGB"}}, {"schedule", "every"}}}}};
}

/// BT1 of one solution fixes samples for a range of C.
Json svmRanges() {
    Json document = smallSvmExperiment();
    document["data"]["source"] = "toy:svm-figure1?n=400"; // so many that looks pay
    document["problem"] = {{"kernel", "rbf"}, {"gamma", 0.5}, {"gamma_unit", "absolute"}};
    document["path"] = {{"kind", "grid"}, {"ratio", 1.03}, {"max_c", 3}};
    document["lanes"] = {{{"name", "BT1"}, {"bounds", {"BT1"}}}};
    return document;
}

std::vector<Case> cases(const QString& folder) {
    return {{"metric", smallMetricExperiment()},
            {"metricRules", metricRules()},
            {"metricRanges", metricRanges()},
            {"comparisons", comparisonsFromAFile(folder)},
            {"svm", smallSvmExperiment()},
            {"svmRanges", svmRanges()},
            {"pu", puExperiment()}};
}

/// All that an explanation says of bounds, used ones first.
std::vector<const BoundDecision*> decisionsOf(const ItemExplanation& why) {
    std::vector<const BoundDecision*> all;
    if (why.reference) {
        all.push_back(&why.reference->decision);
    }
    for (const auto* decisions : {&why.used, &why.rivals}) {
        for (const BoundDecision& decision : *decisions) {
            all.push_back(&decision);
        }
    }
    return all;
}

/// The set that an interval lies in as a whole; empty when it touches an edge.
std::string setOf(const SetScale& scale, const ValueInterval& values) {
    for (std::size_t i = 0; i < scale.sets.size(); ++i) {
        const bool isAbove = i == 0 || values.low > scale.edges[i - 1].value;
        const bool isBelow = i == scale.edges.size() || values.high < scale.edges[i].value;
        if (isAbove && isBelow) {
            return scale.sets[i];
        }
    }
    return {};
}

/// An item that a solution further up the path fixes for a range: the place that is explained lies in that range, the
/// solution before it, and what is drawn first is what that solution says here.
void expectFixedByRange(const ItemExplanation& why, double axisValue) {
    const FixingReference& reference = *why.reference;
    EXPECT_LE(reference.low, axisValue);
    EXPECT_GE(reference.high, axisValue);
    EXPECT_NE(reference.axisValue, axisValue);
    EXPECT_FALSE(why.set.empty());
    EXPECT_EQ(reference.decision.set, why.set);
    ASSERT_TRUE(reference.decision.values);
}

/// The interval of a decision decides as the decision did, by the same numbers.
void expectSame(const BoundDecision& decision, const SetScale& scale) {
    const ValueInterval& values = *decision.values;
    const double size = 1 + std::abs(decision.left);
    EXPECT_LE(values.low, values.high) << decision.bound;
    if (std::abs(decision.room) > 1e-9 * size) { // no rounding of the last digits can turn it
        EXPECT_EQ(setOf(scale, values), decision.set) << decision.bound << ' ' << decision.inequality;
    }
    EXPECT_TRUE(std::any_of(scale.edges.begin(), scale.edges.end(), [&](const SetScale::Edge& edge) {
        return std::abs(edge.value - decision.threshold) < 1e-12;
    })) << decision.threshold;
    // The left side of the inequality is an end of the interval, error bounds apart.
    const double nearest = std::min({std::abs(decision.left - values.low), std::abs(decision.left - values.high),
                                     std::abs(decision.left + values.low)});
    if (std::isfinite(decision.left)) {
        EXPECT_LE(nearest, 1e-6 * size) << decision.inequality << ": " << decision.left;
    }
    // The optimum's own value lies inside, and the solution is near the optimum.
    const double slack = 0.02 * (1 + std::abs(*scale.atSolution));
    EXPECT_GE(*scale.atSolution, values.low - slack) << decision.bound;
    EXPECT_LE(*scale.atSolution, values.high + slack) << decision.bound;
}

void expectDrawn(const ItemExplanation& why, NumberLine& line) {
    line.setExplanation(why);
    line.resize(280, line.sizeHint().height());
    int row = 0;
    for (const BoundDecision* decision : decisionsOf(why)) {
        if (!decision->values) {
            continue;
        }
        ASSERT_LT(row, static_cast<int>(line.rows().size()));
        const NumberLine::Row& shown = line.rows()[static_cast<std::size_t>(row)];
        EXPECT_EQ(shown.values.low, decision->values->low);
        EXPECT_EQ(shown.values.high, decision->values->high);
        EXPECT_EQ(shown.set.toStdString(), decision->set);
        EXPECT_EQ(shown.name.contains(", from "), why.reference && decision == &why.reference->decision);
        const QRectF bar = line.barOf(row);
        EXPECT_NEAR(bar.left(), std::clamp(line.placeOf(decision->values->low), 0.0, 280.0), 1e-9);
        const double right = std::clamp(line.placeOf(decision->values->high), 0.0, 280.0);
        EXPECT_NEAR(bar.right(), std::max(right, bar.left() + 1), 1e-9);
        if (!decision->set.empty() && std::abs(decision->room) > 1e-9 * (1 + std::abs(decision->left))) {
            for (const SetScale::Edge& edge : why.scale.edges) { // a bar that decides crosses no edge
                const double x = line.placeOf(edge.value);
                EXPECT_FALSE(line.placeOf(decision->values->low) < x && line.placeOf(decision->values->high) > x);
            }
        }
        if (std::isfinite(decision->values->low)) {
            EXPECT_TRUE(
                line.rowText(row).contains(QString::fromStdString(shortText(std::abs(decision->values->low), 4))));
        }
        ++row;
    }
    EXPECT_EQ(row, static_cast<int>(line.rows().size()));
    for (const SetScale::Edge& edge : why.scale.edges) {
        EXPECT_GT(line.placeOf(edge.value), 0);
        EXPECT_LT(line.placeOf(edge.value), 280);
    }
}

} // namespace

TEST(NumberLineTest, IntervalsAreThoseOfTheDecisionsOfEachFamily) {
    const QTemporaryDir scratch;
    for (const Case& one : cases(scratch.path())) {
        SCOPED_TRACE(one.name);
        FinishedRun run(one.document);
        NumberLine line;
        std::set<std::string> met;
        int drawn = 0;
        int byRange = 0;
        const std::size_t lanes = one.document.at("lanes").size();
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const auto lens = run.direct(lane);
            const auto points = static_cast<std::int32_t>(run.cursor.axis().size());
            for (const std::int32_t point : {points / 2, points - 1}) {
                std::vector<std::int64_t> items{0, 1, 2, 5, 17, 33};
                if (const auto notable = as<ItemExplainer>(*lens).notableItems(point, 10, {})) {
                    for (const NotableItem& item : *notable) {
                        items.push_back(item.item);
                    }
                }
                for (const std::int64_t item : items) {
                    const auto why = as<ItemExplainer>(*lens).explain(item, point, {});
                    ASSERT_TRUE(why) << why.error().describe();
                    met.insert(why->set);
                    if (why->reference) {
                        expectFixedByRange(*why, run.cursor.axis()[static_cast<std::size_t>(point)]);
                        ++byRange;
                    }
                    for (const BoundDecision* decision : decisionsOf(*why)) {
                        if (decision->values) {
                            expectSame(*decision, why->scale);
                            ++drawn;
                        } else {
                            EXPECT_TRUE(decision->rule == "semidefinite" || decision->rule == "analytic");
                        }
                    }
                    expectDrawn(*why, line);
                }
            }
        }
        EXPECT_GT(drawn, 20);
        EXPECT_GE(met.size(), 2U) << "items of several sets, or of one and undecided ones";
        if (std::string_view(one.name).ends_with("Ranges")) {
            EXPECT_GT(byRange, 0);
        }
    }
}

TEST(NumberLineTest, ShowsNothingWithoutABound) {
    NumberLine line;
    EXPECT_TRUE(line.isHidden());
    ItemExplanation why;
    why.scale = {"f", 0.5, {{1, "1"}}, {"L", "R"}};
    line.setExplanation(why);
    EXPECT_TRUE(line.isEmpty());
    EXPECT_TRUE(line.isHidden());
    BoundDecision endless;
    endless.bound = "GAP";
    endless.values = ValueInterval{-INFINITY, INFINITY};
    why.used = {endless};
    line.setExplanation(why);
    line.resize(200, 80);
    EXPECT_FALSE(line.isEmpty());
    EXPECT_EQ(line.barOf(0).left(), 0);
    EXPECT_EQ(line.barOf(0).right(), 200);
    EXPECT_TRUE(line.rowText(0).contains("−∞ … ∞"));
    EXPECT_FALSE(line.grab().isNull());
}

} // namespace lambdascope
