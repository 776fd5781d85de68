// SPDX-License-Identifier: GPL-3.0-or-later
// A box in one view marks the same items in all others, and the Inspector tells what they have in common.
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/marks_bar.h"
#include "ui/panels/views/bounds_tab.h"
#include "ui/panels/views/embedding_tab.h"
#include "ui/panels/views/plane_tab.h"

#include <QPushButton>
#include <QTest>

#include <map>
#include <set>

namespace lambdascope {
namespace {

using Items = std::set<qint64>;

Json smallOrdinalExperiment() {
    return {{"family", "ordinal"},
            {"data", {{"source", "toy:ordinal-gaussian?n=24&d=2"}, {"scale", "none"}}},
            {"problem", {{"comparisons", "points"}, {"train", 600}, {"test", 200}, {"dimensions", 2}}},
            {"path", {{"epochs", 5}}},
            {"lanes", {{{"name", "STE"}}, {{"name", "SOE"}, {"model", "SOE"}}}}};
}

/// A run with the views that draw its samples and items, none of which knows another.
class MarksTest : public testing::Test {
  protected:
    void start(const Json& document, std::size_t lane, int point, bool isEnded = true) {
        run = std::make_unique<FinishedRun>(document, RunWishes{.embeddings = true}, isEnded);
        map = std::make_unique<EmbeddingTab>(run->runs, run->cursor, run->lens);
        plane = std::make_unique<PlaneTab>(run->runs, run->cursor, run->lens);
        bounds = std::make_unique<BoundsTab>(run->runs, run->cursor, run->lens);
        inspector = std::make_unique<InspectorPanel>(run->runs, run->cursor, run->lens, builtInCatalog());
        inspector->selectRun(run->lane(lane));
        inspector->resize(320, 500);
        inspector->show();
        for (RunTab* tab : std::initializer_list<RunTab*>{map.get(), plane.get(), bounds.get()}) {
            tab->resize(900, 600);
            tab->show();
            tab->refreshNow();
            tab->choose(run->lane(lane));
        }
        moveTo(point);
    }
    void moveTo(int point) {
        run->cursor.moveTo(point);
        for (RunTab* tab : std::initializer_list<RunTab*>{map.get(), plane.get(), bounds.get()}) {
            tab->refreshNow();
        }
        inspector->refreshNow();
    }
    [[nodiscard]] ItemBrush& brush() const { return run->lens.brush(); }
    [[nodiscard]] QString told() const { return inspector->findChild<MarksBar*>()->text(); }
    [[nodiscard]] bool isShown(const FigureView* view) const {
        return waitUntil([view] { return !isEmpty(view->figure()); }, 60000);
    }
    /// Draws a box over the part of a view, in shares of its drawing.
    static void drawBox(const FigureView* view, const QRectF& shares) {
        QWidget* surface = view->focusProxy();
        const auto at = [surface](const QPointF& share) {
            return QPointF(share.x() * surface->width(), share.y() * surface->height());
        };
        QTest::mousePress(surface, Qt::LeftButton, Qt::ShiftModifier, at(shares.topLeft()).toPoint());
        const QPointF end = at(shares.bottomRight());
        QMouseEvent move(QEvent::MouseMove, end, surface->mapToGlobal(end), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QApplication::sendEvent(surface, &move);
        QTest::mouseRelease(surface, Qt::LeftButton, Qt::ShiftModifier, end.toPoint());
    }
    static Items itemsOf(const FigureView* view) {
        const QVector<qint64> all = view->itemsWithin(view->focusProxy()->rect());
        return {all.begin(), all.end()};
    }
    /// Those that a view shows as marked.
    static Items markedIn(const FigureView* view) {
        Items marked;
        const FigureView::Marks marks = view->marks();
        for (const qint64 item : itemsOf(view)) {
            if (marks && marks(item)) {
                marked.insert(item);
            }
        }
        return marked;
    }
    [[nodiscard]] std::optional<ItemBrush::Answer> answerOf(std::size_t lane) const {
        for (const ItemBrush::Answer& answer : brush().answers()) {
            if (answer.run == run->lane(lane)) {
                return answer;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool waitForAnswers() const {
        return waitUntil(
            [this] {
                const auto answers = brush().answers();
                return !answers.empty() && std::all_of(answers.begin(), answers.end(), [](const auto& answer) {
                    return answer.decided || answer.relations || !answer.trouble.isEmpty();
                });
            },
            60000);
    }
    /// By set, what the lens says of each of some items one by one ("": undecided). Of samples, it says so of all items
    /// that begin there, which `begin` then has.
    std::map<std::string, std::int64_t> countOneByOne(RunLens& lens, const Items& samples, int point,
                                                      Items* begin = nullptr) const {
        std::map<std::string, std::int64_t> counts;
        for (const qint64 sample : samples) {
            const auto items = as<ItemExplainer>(lens).itemsOfSample(sample, point, 1'000'000, {});
            EXPECT_TRUE(items);
            for (const NotableItem& item : *items) {
                ++counts[item.set];
                if (begin != nullptr) {
                    begin->insert(item.item);
                }
            }
        }
        return counts;
    }
    void expectAnswer(std::size_t lane, std::map<std::string, std::int64_t> counts) const {
        const auto answer = answerOf(lane);
        ASSERT_TRUE(answer && answer->decided);
        std::int64_t decided = 0;
        for (std::size_t set = 0; set < answer->sets.size(); ++set) {
            EXPECT_EQ(answer->decided->ofSets[set], counts[answer->sets[set]]) << answer->sets[set];
            decided += counts[answer->sets[set]];
        }
        EXPECT_EQ(answer->decided->decided, decided);
        EXPECT_EQ(answer->decided->items, decided + counts[""]);
    }

    std::unique_ptr<FinishedRun> run;
    std::unique_ptr<EmbeddingTab> map;
    std::unique_ptr<PlaneTab> plane;
    std::unique_ptr<BoundsTab> bounds;
    std::unique_ptr<InspectorPanel> inspector;
};

TEST_F(MarksTest, SamplesOfTheMapMarkTheTripletsTheyAreAnchorsOf) {
    start(smallMetricExperiment(), 2, 6);
    ASSERT_TRUE(isShown(map->cloud()) && isShown(bounds->lifetimes()));
    EXPECT_TRUE(told().isEmpty());
    drawBox(map->cloud(), {0.1, 0.1, 0.4, 0.8});
    const Items samples = markedIn(map->cloud());
    ASSERT_GT(samples.size(), 5U);
    ASSERT_LT(samples.size(), itemsOf(map->cloud()).size());
    ASSERT_TRUE(waitForAnswers()) << told().toStdString();

    const auto lens = run->direct(2);
    Items triplets;
    auto counts = countOneByOne(*lens, samples, 6, &triplets);
    EXPECT_EQ(brush().count(ItemBrush::Kind::Items), static_cast<std::int64_t>(triplets.size()));
    Items bars;
    for (const qint64 item : itemsOf(bounds->lifetimes())) {
        if (triplets.contains(item)) {
            bars.insert(item);
        }
    }
    EXPECT_GT(bars.size(), 3U);
    EXPECT_EQ(markedIn(bounds->lifetimes()), bars);
    EXPECT_FALSE(bounds->slice()->marks()); // balls are no items

    expectAnswer(2, counts);
    expectAnswer(1, countOneByOne(*run->direct(1), samples, 6));
    ASSERT_TRUE(answerOf(0)->decided);
    EXPECT_TRUE(answerOf(0)->sets.empty()); // no bounds
    EXPECT_TRUE(told().contains(QStringLiteral("%1 samples marked: %2 triplets whose anchor is among them.")
                                    .arg(samples.size())
                                    .arg(triplets.size())))
        << told().toStdString();
    EXPECT_TRUE(told().contains(QStringLiteral("(point 7): %1 screened (").arg(counts["R"] + counts["L"])))
        << told().toStdString();
    for (const char* set : {"R", "L"}) {
        const QString words = QStringLiteral(" %1 in %2").arg(counts[set]).arg(QLatin1String(set));
        EXPECT_EQ(told().contains(words), counts[set] > 0) << told().toStdString();
    }
    EXPECT_TRUE(told().contains(QStringLiteral("; %1 undecided.").arg(counts[""]))) << told().toStdString();
    EXPECT_TRUE(told().contains(QStringLiteral("Other lanes: naive 0 (0 %), GB "))) << told().toStdString();
    EXPECT_TRUE(inspector->text().contains(told()));

    // The marks stay while λ moves, and the answer goes along at once.
    moveTo(1);
    EXPECT_EQ(markedIn(map->cloud()), samples);
    expectAnswer(2, countOneByOne(*lens, samples, 1));
    EXPECT_TRUE(told().contains("(point 2)")) << told().toStdString();
}

TEST_F(MarksTest, TripletsOfTheLifetimesMarkTheirAnchors) {
    start(smallMetricExperiment(), 2, 6);
    ASSERT_TRUE(isShown(map->cloud()) && isShown(bounds->lifetimes()));
    const ShapeView* bars = bounds->lifetimes();
    const auto count = static_cast<int>(bars->shapeFigure().shapes.size());
    const QRectF box(bars->shapeRect(count / 4).center(), bars->shapeRect(count / 2).center());
    const QSizeF size = bars->focusProxy()->size();
    drawBox(bars, QRectF(box.left() / size.width(), box.top() / size.height(), box.width() / size.width(),
                         box.height() / size.height()));
    const Items triplets = markedIn(bounds->lifetimes());
    ASSERT_GT(triplets.size(), 3U);
    ASSERT_LT(triplets.size(), itemsOf(bounds->lifetimes()).size());
    ASSERT_TRUE(waitForAnswers());
    const auto lens = run->direct(2);
    Items anchors;
    std::map<std::string, std::int64_t> counts;
    for (const qint64 item : triplets) {
        const auto why = as<ItemExplainer>(*lens).explain(item, 6, {});
        ASSERT_TRUE(why);
        ++counts[why->set];
        const QString title = QString::fromStdString(why->title); // "triplet (4, 9, 71)"
        anchors.insert(title.mid(9, title.indexOf(',') - 9).toLongLong());
    }
    EXPECT_EQ(markedIn(map->cloud()), anchors);
    expectAnswer(2, counts);
    EXPECT_TRUE(
        told().contains(QStringLiteral("%1 triplets marked, of %2 sample").arg(triplets.size()).arg(anchors.size())))
        << told().toStdString();
}

TEST_F(MarksTest, SamplesOfThePlaneAreMarkedAmongTheLifetimes) {
    start(smallSvmExperiment(), 1, 2);
    ASSERT_TRUE(isShown(plane->plane()) && isShown(bounds->lifetimes()));
    drawBox(plane->plane(), {0.2, 0.2, 0.6, 0.7});
    const Items samples = markedIn(plane->plane());
    ASSERT_GT(samples.size(), 5U);
    ASSERT_LT(samples.size(), 120U);
    ASSERT_TRUE(waitForAnswers());
    Items bars;
    for (const qint64 item : itemsOf(bounds->lifetimes())) {
        if (samples.contains(item)) {
            bars.insert(item);
        }
    }
    EXPECT_GT(bars.size(), 0U);
    EXPECT_EQ(markedIn(bounds->lifetimes()), bars);
    for (const int point : {2, 3}) {
        moveTo(point);
        expectAnswer(1, countOneByOne(*run->direct(1), samples, point));
        expectAnswer(2, countOneByOne(*run->direct(2), samples, point));
    }
    EXPECT_TRUE(told().startsWith(QStringLiteral("%1 samples marked.").arg(samples.size()))) << told().toStdString();
    inspector->selectRun(run->lane(0));
    inspector->refreshNow();
    EXPECT_TRUE(told().contains("Full has no bounds and screens none of them.")) << told().toStdString();
}

TEST_F(MarksTest, UnlabeledSamplesOfAPuPlaneAreCounted) {
    start(smallPuExperiment(), 1, 3);
    ASSERT_TRUE(isShown(plane->plane())) << plane->plane()->emptyText().toStdString();
    drawBox(plane->plane(), {0.1, 0.1, 0.9, 0.6});
    const Items samples = markedIn(plane->plane());
    ASSERT_GT(samples.size(), 5U);
    EXPECT_FALSE(samples.contains(-1)); // labelled ones are not screened
    ASSERT_TRUE(waitForAnswers());
    auto counts = countOneByOne(*run->direct(1), samples, 3);
    expectAnswer(1, counts);
    EXPECT_GT(static_cast<std::int64_t>(samples.size()) - counts[""], 0);
    EXPECT_TRUE(told().contains("in σ = 0")) << told().toStdString();
}

TEST_F(MarksTest, WhereNothingIsScreenedTheComparisonsAmongMarkedObjectsAreTold) {
    start(smallOrdinalExperiment(), 1, 4);
    ASSERT_TRUE(isShown(map->cloud()));
    drawBox(map->cloud(), {0.1, 0.05, 0.95, 0.7});
    const Items objects = markedIn(map->cloud());
    ASSERT_GT(objects.size(), 5U);
    ASSERT_LT(objects.size(), 24U);
    const auto lens = run->direct(1);
    for (const int point : {4, 2}) {
        moveTo(point);
        const auto among = as<RelationFinder>(*lens).relationsAmong(
            ItemSet::of(std::vector<std::int64_t>(objects.begin(), objects.end())), point, {});
        ASSERT_TRUE(among);
        ASSERT_GT(among->training.holding, 0);
        const QString words = QStringLiteral("comparisons among them alone: %1 of %2 violated (")
                                  .arg(among->training.violated)
                                  .arg(among->training.violated + among->training.holding);
        EXPECT_TRUE(waitUntil([&] { return told().contains(words); })) << told().toStdString();
    }
    EXPECT_TRUE(told().contains("Runs of this family screen nothing.")) << told().toStdString();
    ASSERT_TRUE(waitForAnswers());
    EXPECT_TRUE(waitUntil([&] { return told().contains("Other lanes: STE "); })) << told().toStdString();
}

TEST_F(MarksTest, AreClearedByAClickOnEmptyGroundAndByTheButton) {
    start(smallSvmExperiment(), 1, 2);
    ASSERT_TRUE(isShown(plane->plane()));
    const auto bar = inspector->findChild<MarksBar*>();
    EXPECT_TRUE(bar->isHidden());
    drawBox(plane->plane(), {0.2, 0.2, 0.6, 0.7});
    EXPECT_FALSE(bar->isHidden());
    Q_EMIT plane->plane()->emptyPlaceClicked();
    EXPECT_TRUE(brush().isEmpty());
    EXPECT_TRUE(bar->isHidden());
    EXPECT_FALSE(plane->plane()->marks());
    EXPECT_TRUE(told().isEmpty());
    drawBox(plane->plane(), {0.2, 0.2, 0.6, 0.7});
    ASSERT_TRUE(waitForAnswers());
    buttonOf(*bar, "Unmark")->click();
    EXPECT_TRUE(brush().isEmpty());
    drawBox(plane->plane(), {0.2, 0.2, 0.6, 0.7});
    drawBox(plane->plane(), {0.2, 0.2, 0.3, 0.3});
    ASSERT_TRUE(waitForAnswers()); // of the last box alone
    EXPECT_EQ(answerOf(1)->decided->items, static_cast<std::int64_t>(markedIn(plane->plane()).size()));
    Q_EMIT plane->plane()->itemsMarked({});
    EXPECT_TRUE(brush().isEmpty());
}

TEST_F(MarksTest, OfARunThatComputesAreShownAndCountedWhenItHasEnded) {
    start(smallMetricExperiment(), 2, 6, false);
    ASSERT_TRUE(isShown(map->cloud()));
    drawBox(map->cloud(), {0.1, 0.1, 0.4, 0.8});
    EXPECT_GT(markedIn(map->cloud()).size(), 5U);
    EXPECT_TRUE(waitUntil([&] { return brush().count(ItemBrush::Kind::Items).has_value(); }));
    EXPECT_TRUE(told().contains("This run still computes")) << told().toStdString();
    std::vector<RunEvent> ends;
    for (std::size_t lane = 0; lane < 3; ++lane) {
        ends.emplace_back();
        ends.back().run = run->lane(lane);
        ends.back().body = RunFinished{};
    }
    run->runs.apply(ends);
    ASSERT_TRUE(waitForAnswers());
    EXPECT_TRUE(waitUntil([&] { return answerOf(2)->decided.has_value(); }, 60000)) << told().toStdString();
}

TEST_F(MarksTest, GoWithTheirExperimentAndNotToAnother) {
    start(smallSvmExperiment(), 1, 2);
    ASSERT_TRUE(isShown(plane->plane()));
    drawBox(plane->plane(), {0.2, 0.2, 0.6, 0.7});
    ASSERT_TRUE(waitForAnswers());
    FinishedRun other(smallSvmExperiment(3));
    RunRecord copy = *other.runs.record(other.lane(1));
    const RunId added = run->runs.add({copy}, RunOrigin::Folder).front();
    EXPECT_FALSE(brush().covers(added));
    plane->refreshNow();
    plane->choose(added);
    plane->refreshNow();
    EXPECT_FALSE(plane->plane()->marks()); // its samples have other numbers
    plane->choose(run->lane(1));
    plane->refreshNow();
    EXPECT_TRUE(plane->plane()->marks());
    run->runs.remove({run->lane(0), run->lane(1), run->lane(2)});
    EXPECT_TRUE(brush().isEmpty());
}

} // namespace
} // namespace lambdascope
