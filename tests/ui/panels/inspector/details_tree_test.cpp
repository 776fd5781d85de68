// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/details_tree.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QScrollBar>

namespace lambdascope {

namespace {

std::vector<DetailGroup> rows(int count) {
    std::vector<DetailGroup> groups{{QStringLiteral("Lane: STE"), {}, false}};
    for (int i = 0; i < count; ++i) {
        groups[0].rows.emplace_back(QStringLiteral("Error on held-out comparisons"),
                                    QStringLiteral("a value of several words, such as cities of Europe"));
    }
    groups[0].rows.emplace_back(QStringLiteral("Duality gap"), QStringLiteral("0.000670573812"));
    return groups;
}

/// Shows the rows in a tree so wide. Layouts are delayed until the event loop turns.
void showRows(DetailsTree& tree, int width, int count) {
    tree.resize(width, 300);
    tree.fill(rows(count));
    tree.show();
    for (int turn = 0; turn < 5; ++turn) {
        QCoreApplication::processEvents();
    }
}

} // namespace

TEST(DetailsTree, ItsColumnsEndWhereTheScrollBarBegins) {
    DetailsTree tree;
    showRows(tree, 240, 1);
    ASSERT_FALSE(tree.verticalScrollBar()->isVisible());
    EXPECT_EQ(tree.columnWidth(0) + tree.columnWidth(1), tree.viewport()->width());
    showRows(tree, 240, 40);
    ASSERT_TRUE(tree.verticalScrollBar()->isVisible());
    EXPECT_EQ(tree.columnWidth(0) + tree.columnWidth(1), tree.viewport()->width());
    showRows(tree, 400, 40);
    EXPECT_EQ(tree.columnWidth(0) + tree.columnWidth(1), tree.viewport()->width());
}

TEST(DetailsTree, RowsAreAsHighAsTheirWrappedTexts) {
    DetailsTree tree;
    for (const int width : {400, 240, 600, 240}) {
        showRows(tree, width, 40);
        const QTreeWidgetItem* row = tree.topLevelItem(0)->child(0);
        const QRect cell = tree.visualItemRect(row);
        const QRect room(0, 0, tree.columnWidth(1) - 6, 10000);
        EXPECT_GE(cell.height(), tree.fontMetrics().boundingRect(room, Qt::TextWordWrap, row->text(1)).height())
            << width;
    }
}

TEST(DetailsTree, AFoldedGroupOpensWithAClickAndStaysAsItIs) {
    DetailsTree tree;
    std::vector<DetailGroup> groups = rows(2);
    groups.push_back({QStringLiteral("12 more numbers of it"), groups.front().rows, false, true});
    const auto fill = [&](const char* value) {
        groups.back().rows.back().second = value;
        tree.resize(300, 300);
        tree.fill(groups);
        tree.show();
        QCoreApplication::processEvents();
    };
    fill("1");
    EXPECT_TRUE(tree.topLevelItem(0)->isExpanded());
    QTreeWidgetItem* folded = tree.topLevelItem(1);
    EXPECT_FALSE(folded->isExpanded());
    EXPECT_TRUE(folded->text(0).startsWith(QStringLiteral("▸"))) << "and shows that it opens";
    Q_EMIT tree.itemClicked(folded, 0);
    EXPECT_TRUE(folded->isExpanded());
    EXPECT_TRUE(folded->text(0).startsWith(QStringLiteral("▾")));
    fill("2");
    EXPECT_TRUE(tree.topLevelItem(1)->isExpanded()) << "at the next point, too";
    groups.erase(groups.begin() + 1);
    fill("3");
    EXPECT_TRUE(tree.topLevelItem(0)->isExpanded());
}

TEST(DetailsTree, NumbersAreNotCut) {
    DetailsTree tree;
    showRows(tree, 230, 40);
    EXPECT_GT(tree.columnWidth(1), tree.fontMetrics().horizontalAdvance(QStringLiteral("0.000670573812")));
}

} // namespace lambdascope
