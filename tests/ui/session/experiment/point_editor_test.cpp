// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/session/experiment/point_editor.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QUndoStack>

namespace lambdascope {
namespace {

class PointEditorTest : public testing::Test {
  protected:
    void open(const char* source) {
        Json json = tinyDocument({{"points", 3}});
        json["data"] = {{"source", source}};
        document.load(json);
        editor.open();
        ASSERT_TRUE(waitUntil([&] { return editor.isOpen() || !editor.trouble().isEmpty(); }));
    }
    std::string edits() { return document.value("data.edits").get<std::string>(); }

    QUndoStack stack;
    ExperimentDocument document{tinyCatalog(), &stack};
    PointEditor editor{document};
};

TEST_F(PointEditorTest, APaintedSetBeginsEmptyAndTakesRowsOfNewClasses) {
    open("painted");
    EXPECT_TRUE(editor.isPainted());
    EXPECT_EQ(editor.features(), 2);
    EXPECT_EQ(editor.rows(), 0);
    editor.add(0.5, 1, "B");
    editor.add(0.5, 1, "A"); // at the same place
    EXPECT_EQ(editor.text(), "add 0.5 1 B; add 0.5 1 A");
    EXPECT_EQ(editor.classes(), (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(edits(), "") << "nothing is kept before it is said so";
    editor.relabel(0, "C");
    EXPECT_EQ(editor.classes(), (std::vector<std::string>{"A", "C"}));
    editor.erase(0);
    EXPECT_EQ(editor.text(), "add 0.5 1 A");
    EXPECT_EQ(editor.classes(), (std::vector<std::string>{"A"}));
}

TEST_F(PointEditorTest, AStrokeIsOneStepThatCanBeUndoneAndRedone) {
    open("painted");
    editor.add(1, 2, "A");
    editor.keep("painting 1 rows");
    for (int i = 1; i <= 20; ++i) {
        editor.move(0, 0, 1 + 0.1 * i, 1, 2);
    }
    editor.keep("moving row 0");
    editor.move(0, 0, 7, 1, 7);
    editor.keep("moving row 0");
    EXPECT_EQ(edits(), "add 7 7 A");
    EXPECT_EQ(stack.undoText(), "moving row 0");
    stack.undo();
    EXPECT_EQ(editor.text(), "add 3 2 A") << "two strokes that follow at once stay two steps";
    stack.undo();
    EXPECT_EQ(editor.text(), "add 1 2 A");
    EXPECT_DOUBLE_EQ(editor.value(0, 0), 1);
    stack.redo();
    EXPECT_EQ(editor.text(), "add 3 2 A");
    editor.move(0, 0, 9, 1, 9);
    editor.revert();
    EXPECT_EQ(editor.text(), "add 3 2 A");
}

TEST_F(PointEditorTest, RowsOfDataAreMovedRelabelledAndLeftOut) {
    open("iris");
    ASSERT_EQ(editor.rows(), 150);
    ASSERT_EQ(editor.features(), 4);
    const double home = editor.value(3, 2);
    const double beside = editor.value(3, 1);
    const std::string name = editor.className(3);
    editor.move(3, 2, home + 1, 0, 5);
    EXPECT_TRUE(editor.isChanged(3));
    EXPECT_EQ(editor.value(3, 1), beside) << "features that are not shown stay";
    editor.relabel(3, "virginica");
    editor.move(3, 2, home, 0, editor.valueIn({}, 3, 0));
    EXPECT_EQ(editor.text(), "relabel 3 virginica") << "it is where it was read";
    editor.relabel(3, name);
    EXPECT_EQ(editor.edits(), RowEdits());
    editor.erase(4);
    editor.move(4, 0, 1, 1, 1);
    editor.relabel(4, "virginica");
    EXPECT_EQ(editor.text(), "omit 4") << "an omitted row is not touched";
    EXPECT_EQ(editor.rows(), 150);
    editor.clear();
    EXPECT_EQ(editor.text(), "");
    editor.add(1, 1, "setosa");
    EXPECT_EQ(editor.text(), "") << "a row of four features is not painted in a plane";
}

TEST_F(PointEditorTest, EditsAreReadBackFromASavedExperiment) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("edited.json");
    for (const char* source : {"painted", "iris", "toy:two-moons?n=20"}) {
        open(source);
        ASSERT_TRUE(waitUntil([&] { return editor.isOpen(); }));
        if (editor.features() == 2) {
            for (const std::string name : {"A", "semi;colon", "say \"so\"", " blank", "new\nline"}) {
                editor.add(0.1, 1e-17, editor.isPainted() ? name : editor.classes().front());
            }
        } else {
            editor.relabel(2, editor.classes().back());
            editor.erase(7);
        }
        editor.move(1, 0, 1.0 / 3, 1, -1e300);
        editor.keep("edits");
        const RowEdits before = editor.edits();
        ASSERT_TRUE(document.saveFile(file).has_value());

        ExperimentDocument other(tinyCatalog());
        PointEditor again(other);
        ASSERT_TRUE(other.loadFile(file).has_value());
        again.open();
        ASSERT_TRUE(waitUntil([&] { return again.isOpen(); })) << again.trouble().toStdString();
        EXPECT_EQ(again.edits(), before) << source;
        EXPECT_EQ(again.rows(), editor.rows());
        EXPECT_EQ(again.classes(), editor.classes());
        EXPECT_EQ(again.trouble(), QString()) << again.trouble().toStdString();
    }
}

TEST_F(PointEditorTest, SaysWhyDataCannotBeEdited) {
    open("no-such-file.csv");
    EXPECT_FALSE(editor.isOpen());
    EXPECT_TRUE(editor.trouble().contains("no-such-file")) << editor.trouble().toStdString();
    document.setValue("data.source", "toy:two-moons?n=6000");
    ASSERT_TRUE(waitUntil([&] { return editor.trouble().contains("5000"); })) << editor.trouble().toStdString();
    document.setValue("data.source", "painted");
    ASSERT_TRUE(waitUntil([&] { return editor.isOpen(); }));
    document.setValue("data.edits", "move 3 1 1");
    EXPECT_TRUE(editor.trouble().contains("no row 3")) << editor.trouble().toStdString();
    document.setValue("data.edits", "add 1 1 A");
    EXPECT_TRUE(editor.trouble().isEmpty());
    EXPECT_EQ(editor.rows(), 1);
}

TEST_F(PointEditorTest, TakesNoMoreRowsThanItShows) {
    open("painted");
    for (int i = 0; i < PointEditor::kMostRows + 5; ++i) {
        editor.add(i, i, "A");
    }
    EXPECT_EQ(editor.rows(), PointEditor::kMostRows);
}

} // namespace
} // namespace lambdascope
