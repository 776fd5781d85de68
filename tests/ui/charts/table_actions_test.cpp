// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/table_actions.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QMenu>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeView>

namespace lambdascope {
namespace {

using Kind = TypedTable::Kind;
constexpr int kNumber = Qt::UserRole + 1;

class TableActionsTest : public testing::Test {
  protected:
    TableActionsTest() {
        model.setHorizontalHeaderLabels({"Lane", "CPU", "Rate", "Hidden", "k"});
        addRow({"naive", "83.2 s", "too short", "x", "10"}, 83.2456, -INFINITY);
        addRow({"PGB", "1.5 s", "97 %", "y", "–"}, 1.5, 0.97123);
        addRow({"a_b", "250 ms", "3 %", "z", "5"}, 0.25, 0.03);
        view.setModel(&model);
        view.setColumnHidden(3, true);
        TableActions::setDigits({});
    }
    ~TableActionsTest() override { TableActions::setDigits({}); }

    void addRow(const QStringList& texts, double cpu, double rate) {
        QList<QStandardItem*> row;
        for (const QString& text : texts) {
            row << new QStandardItem(text);
        }
        row[1]->setData(cpu, kNumber);
        row[2]->setData(rate, kNumber);
        model.appendRow(row);
    }

    QStandardItemModel model;
    QTableView view;
    TableActions actions{view, {kNumber, {Kind::Text, Kind::Seconds, Kind::Share}}, "Some runs"};
};

TEST_F(TableActionsTest, CtrlCCopiesWhatIsShown) {
    ASSERT_TRUE(view.actions().contains(actions.copyAction()));
    EXPECT_EQ(actions.copyAction()->shortcut(), QKeySequence(QKeySequence::Copy));
    actions.copyAction()->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(),
              "Lane\tCPU\tRate\tk\nnaive\t83.2 s\ttoo short\t10\nPGB\t1.5 s\t97 %\t–\na_b\t250 ms\t3 %\t5\n");
}

TEST_F(TableActionsTest, TypedFormsHoldTheNumbersBehindTheWords) {
    actions.copyAs(TableFormat::Csv);
    EXPECT_EQ(QApplication::clipboard()->text(),
              "Lane,CPU,Rate,k\nnaive,83.2456,,10\nPGB,1.5,0.97123,\na_b,0.25,0.03,5\n");
    EXPECT_TRUE(actions.text(TableFormat::Latex).contains("naive & 83.2 & too short & 10 \\\\"));
    EXPECT_TRUE(actions.text(TableFormat::Latex).contains("Lane & CPU (s) & Rate (\\%) & k"));
    EXPECT_TRUE(actions.text(TableFormat::Markdown).contains("| PGB   |     1.5 |      97.1 |   – |"))
        << actions.text(TableFormat::Markdown).toStdString();
}

TEST_F(TableActionsTest, ChosenDigitsAreRememberedForAllTables) {
    TableActions::setDigits(2);
    EXPECT_TRUE(actions.text(TableFormat::Csv).contains("naive,83,,10\nPGB,1.5,0.97,"));
    QTableView other;
    other.setModel(&model);
    TableActions more(other, {kNumber, {Kind::Text, Kind::Number}}, "other");
    EXPECT_TRUE(more.text(TableFormat::Csv).contains("naive,83,"));
    TableActions::setDigits(99);
    EXPECT_EQ(TableActions::digits(), std::nullopt);
}

TEST_F(TableActionsTest, TwoSelectedRowsAreTakenAloneAndOneTakesAll) {
    view.setSelectionMode(QAbstractItemView::MultiSelection);
    view.selectRow(2);
    EXPECT_EQ(actions.shownText().count('\n'), 4);
    view.selectRow(0);
    EXPECT_EQ(actions.text(TableFormat::Csv), "Lane,CPU,Rate,k\nnaive,83.2456,,10\na_b,0.25,0.03,5\n");
}

TEST_F(TableActionsTest, NamesOfRowsComeFirstAndTreesFromTheTopDown) {
    model.setVerticalHeaderLabels({"first", "second", "third"});
    EXPECT_TRUE(actions.text(TableFormat::Csv).startsWith(",Lane,CPU,Rate,k\nfirst,naive,"));
    QStandardItemModel nested;
    auto* top = new QStandardItem("experiment");
    top->appendRow(new QStandardItem("lane"));
    nested.appendRow(top);
    nested.appendRow(new QStandardItem("last"));
    nested.setHorizontalHeaderLabels({"Run"});
    QTreeView tree;
    tree.setModel(&nested);
    const TableActions treeActions(tree, {}, "tree");
    EXPECT_EQ(treeActions.text(TableFormat::Csv), "Run\nexperiment\nlane\nlast\n");
}

TEST_F(TableActionsTest, SavesByTheEndingAndSaysWhatWentWrong) {
    const QTemporaryDir folder;
    for (const auto& [ending, beginning] :
         {std::pair("csv", "Lane,CPU"), std::pair("tex", "% needs \\usepackage"), std::pair("md", "| Lane")}) {
        const QString path = folder.filePath(QString("t.") + ending);
        EXPECT_EQ(actions.saveTo(path), QString());
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().startsWith(beginning)) << ending;
    }
    EXPECT_TRUE(actions.saveTo(folder.filePath("t.doc")).contains(".csv, .tex or .md"));
    EXPECT_TRUE(actions.saveTo(folder.filePath("none/t.csv")).contains("cannot be written"));
}

TEST_F(TableActionsTest, TheMenuOffersFormsDigitsAndAFile) {
    QMenu menu;
    actions.addTo(menu);
    ASSERT_EQ(menu.actions().size(), 2);
    QStringList forms;
    for (const QAction* form : menu.actions()[0]->menu()->actions()) {
        forms << form->text();
    }
    EXPECT_EQ(forms, QStringList({"CSV", "LaTeX (booktabs)", "Markdown", "", "Digits"}));
    EXPECT_EQ(view.contextMenuPolicy(), Qt::CustomContextMenu);
}

} // namespace
} // namespace lambdascope
