// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "ui/models/runs_proxy_model.h"
#include "ui/models/runs_tree_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QUndoStack>

namespace lambdascope {
namespace {

class RunsTreeModelTest : public testing::Test {
  protected:
    void start(std::int64_t first, int points = 3, bool isEnded = true) {
        m_runs.beginBatch();
        m_runs.apply(tinyEvents({.id = RunId{first}, .points = points, .isEnded = isEnded}));
        m_runs.apply(tinyEvents({.id = RunId{first + 1},
                                 .lane = "half",
                                 .isBaseline = false,
                                 .points = points,
                                 .share = 0.5,
                                 .cpuPerPoint = 0.5,
                                 .isEnded = isEnded}));
    }
    static LibraryExperiment kept(std::int64_t id, const char* name) {
        LibraryExperiment experiment;
        experiment.id = LibraryExperimentId{id};
        experiment.name = name;
        experiment.family = "tiny";
        experiment.createdAt = "2031-04-05T06:07:08Z";
        for (int i = 0; i < 2; ++i) {
            LibraryRun run;
            run.id = LibraryRunId{10 * id + i};
            run.lane = i == 0 ? "plain" : "half";
            run.state = i == 0 ? RunRecord::State::Finished : RunRecord::State::Interrupted;
            run.finishedPoints = i == 0 ? 100 : 78;
            run.plannedPoints = i == 0 ? 0 : 95;
            run.cpuSolve = 2;
            experiment.runs.push_back(run);
        }
        return experiment;
    }
    QString text(const QModelIndex& row, int column) const { return row.siblingAtColumn(column).data().toString(); }
    QStringList tops() const {
        QStringList names;
        for (int row = 0; row < m_tree.rowCount(); ++row) {
            const RunsTreeModel::Group* group = m_tree.groupAt(m_tree.index(row, 0));
            names << (group->kept ? text(m_tree.index(row, 0), RunsModel::Name)
                                  : QString::number(group->runs.front().value));
        }
        return names;
    }

    QUndoStack m_undo;
    RunCollection m_runs{&m_undo};
    RunsModel m_lanes{m_runs};
    RunsTreeModel m_tree{m_lanes};
    QAbstractItemModelTester m_tester{&m_tree, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(RunsTreeModelTest, TheNewestExperimentStandsOnTopAboveWhatIsKept) {
    m_tree.setKept({kept(9, "newer"), kept(3, "older")});
    start(1);
    start(11);
    EXPECT_EQ(tops(), (QStringList{"11", "1", "newer", "older"}));
    const QModelIndex top = m_tree.index(0, 0);
    ASSERT_EQ(m_tree.rowCount(top), 2);
    EXPECT_EQ(text(top, RunsModel::Name), "tiny experiment");
    EXPECT_EQ(text(top, RunsModel::State), "finished");
    EXPECT_EQ(text(m_tree.index(1, 0, top), RunsModel::Ratio), "0.25 ×") << "lanes say what the flat model says";
    EXPECT_EQ(m_tree.indexOf(RunId{12}), m_tree.index(1, 0, top));
    m_tree.setKept({kept(10, "newest"), kept(9, "newer")});
    EXPECT_EQ(tops(), (QStringList{"11", "1", "newest", "newer"}));
    m_tree.setKept({});
    EXPECT_EQ(tops(), (QStringList{"11", "1"}));
}

TEST_F(RunsTreeModelTest, SaysHowFarWhatWasInterruptedIs) {
    m_tree.setKept({kept(9, "kept")});
    const QModelIndex top = m_tree.index(0, 0);
    EXPECT_EQ(text(top, RunsModel::State), "interrupted at 78 of 100") << "the finished lane knows how many there are";
    EXPECT_EQ(text(m_tree.index(1, 0, top), RunsModel::State), "interrupted at 78 of 95");
    EXPECT_EQ(text(m_tree.index(0, 0, top), RunsModel::State), "finished");
    start(1, 3, false);
    EXPECT_TRUE(text(m_tree.index(0, 0), RunsModel::State).startsWith("running"));
}

TEST_F(RunsTreeModelTest, ATickOfAnExperimentIsThatOfAllItsLanes) {
    start(1);
    const QModelIndex top = m_tree.index(0, 0);
    EXPECT_EQ(top.data(Qt::CheckStateRole).toInt(), Qt::Checked);
    m_runs.setShown(RunId{1}, false);
    EXPECT_EQ(top.data(Qt::CheckStateRole).toInt(), Qt::PartiallyChecked);
    EXPECT_TRUE(m_tree.setData(top, Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_TRUE(m_runs.shownIds().empty());
    EXPECT_TRUE(m_tree.setData(m_tree.index(1, 0, top), Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(m_runs.shownIds(), std::vector{RunId{2}});
    EXPECT_TRUE(m_tree.setData(m_tree.index(1, 0, top), "mine"));
    EXPECT_EQ(text(m_tree.index(1, 0, top), RunsModel::Name), "mine");
    EXPECT_FALSE(m_tree.setData(top, "mine")) << "experiments keep their names";
    m_tree.setKept({kept(9, "kept")});
    QSignalSpy ticked(&m_tree, &RunsTreeModel::keptTicked);
    EXPECT_TRUE(m_tree.setData(m_tree.index(0, 0, m_tree.index(1, 0)), Qt::Checked, Qt::CheckStateRole));
    ASSERT_EQ(ticked.count(), 1);
    EXPECT_EQ(ticked[0], (QVariantList{qint64{9}, QStringLiteral("plain")}));
}

TEST_F(RunsTreeModelTest, DeletedLanesComeBackWhereTheyWere) {
    start(1);
    start(11);
    m_runs.remove({RunId{11}});
    EXPECT_EQ(tops(), (QStringList{"12", "1"}));
    m_runs.remove({RunId{12}});
    EXPECT_EQ(tops(), QStringList{"1"});
    m_undo.undo();
    m_undo.undo();
    EXPECT_EQ(tops(), (QStringList{"11", "1"}));
    EXPECT_EQ(m_tree.rowCount(m_tree.index(0, 0)), 2);
}

TEST_F(RunsTreeModelTest, SearchesWhatTheLibrarySaysAndHowFarRunsAre) {
    RunsProxyModel proxy;
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
    proxy.setSourceModel(&m_tree);
    LibraryExperiment older = kept(3, "older");
    older.tags = {"paper"};
    older.isStarred = true;
    LibraryExperiment mine = kept(5, "mine");
    mine.notes = "of this session";
    mine.createdAt = "2031-04-05T06:07:08Z";
    start(1);
    start(11, 3, false);
    m_tree.setKept({kept(9, "newer"), older}, {{RunId{2}, mine}});
    const auto found = [&](const char* text) {
        proxy.setQuery(*RunQuery::parse(text, 0));
        QStringList names;
        for (int row = 0; row < proxy.rowCount(); ++row) {
            const RunsTreeModel::Group* group = m_tree.groupAt(proxy.mapToSource(proxy.index(row, 0)));
            names << (group->kept ? QString::fromStdString(group->kept->name)
                                  : QString::number(group->runs.front().value));
            EXPECT_EQ(proxy.rowCount(proxy.index(row, 0)), 2) << "with all lanes";
        }
        return names;
    };
    EXPECT_EQ(found(""), (QStringList{"11", "1", "newer", "older"}));
    EXPECT_EQ(found("lane:half"), (QStringList{"11", "1", "newer", "older"}));
    EXPECT_EQ(found("is:starred tag:pap"), QStringList{"older"});
    EXPECT_EQ(found("older"), QStringList{"older"});
    EXPECT_EQ(found("state:running"), QStringList{"11"});
    EXPECT_EQ(found("note:session"), QStringList{"1"});
    EXPECT_EQ(found("state:done"), QStringList{"1"});
    EXPECT_EQ(found("before:2031-05 -state:interrupted"), QStringList{"1"}) << "11 is of now";
    EXPECT_EQ(text(m_tree.index(3, 0), RunsModel::Name), QStringLiteral("★ older"));
}

TEST_F(RunsTreeModelTest, NewLabelsLeaveTheRowsAlone) {
    m_tree.setKept({kept(9, "newer"), kept(3, "older")});
    const QPersistentModelIndex row = m_tree.index(1, 0);
    const QPersistentModelIndex lane = m_tree.index(1, 0, row);
    LibraryExperiment starred = kept(3, "older");
    starred.isStarred = true;
    QSignalSpy removed(&m_tree, &QAbstractItemModel::rowsRemoved);
    m_tree.setKept({kept(9, "newer"), starred});
    EXPECT_EQ(removed.count(), 0);
    EXPECT_TRUE(lane.isValid());
    EXPECT_EQ(text(row, RunsModel::Name), QStringLiteral("★ older"));
    EXPECT_EQ(m_tree.indexOf(LibraryExperimentId{3}), QModelIndex(row));
    start(1);
    EXPECT_EQ(lane.parent().row(), 2) << "rows keep their parents when others come above";
}

TEST_F(RunsTreeModelTest, KeptExperimentsAreRenamedByTheLibrary) {
    m_tree.setKept({kept(9, "newer")});
    QString name;
    QObject::connect(&m_tree, &RunsTreeModel::keptRenamed, &m_tree,
                     [&](const LibraryExperiment& experiment, const QString& to) {
                         name = QString::number(experiment.id.value) + to;
                     });
    EXPECT_TRUE(m_tree.flags(m_tree.index(0, 0)) & Qt::ItemIsEditable);
    EXPECT_FALSE(m_tree.flags(m_tree.index(0, 0, m_tree.index(0, 0))) & Qt::ItemIsEditable) << "its lanes are not";
    EXPECT_TRUE(m_tree.setData(m_tree.index(0, 0), "best", Qt::EditRole));
    EXPECT_EQ(name, "9best");
}

TEST_F(RunsTreeModelTest, SortsLanesWithinTheirExperiment) {
    RunsProxyModel proxy;
    proxy.setSourceModel(&m_tree);
    start(1);
    start(11);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        proxy.sort(RunsModel::Cpu, order);
        const QModelIndex top = proxy.index(0, 0);
        EXPECT_EQ(proxy.mapToSource(top), m_tree.index(0, 0)) << "experiments stay where they are";
        EXPECT_EQ(proxy.index(0, RunsModel::Lane, top).data().toString(),
                  order == Qt::AscendingOrder ? "half" : "plain");
    }
}

} // namespace
} // namespace lambdascope
