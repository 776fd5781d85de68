// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "ui/panels/experiment/field_editor.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

namespace lambdascope {

namespace {

FieldDescription numberField(FieldKind kind, const std::string& emptyWord = {}) {
    FieldDescription field;
    field.key = field.label = "x";
    field.kind = kind;
    field.emptyWord = emptyWord;
    return field;
}

FieldDescription choiceField(FieldKind kind) {
    FieldDescription field = numberField(kind);
    field.choices = {{"a", "First", "one"}, {"b", "Second", "two"}, {"c", "Third", "three"}};
    return field;
}

/// An editor, and the values it reported.
class Edited {
  public:
    explicit Edited(const FieldDescription& field) : editor(makeFieldEditor(field, {}, nullptr)) {
        QObject::connect(editor.get(), &FieldEditor::edited, editor.get(),
                         [this](const Json& value) { values.push_back(value); });
    }
    template <class Widget>
    Widget* input() const {
        return editor->findChild<Widget*>();
    }
    std::unique_ptr<FieldEditor> editor;
    std::vector<Json> values;
};

} // namespace

TEST(FieldEditor, ShowsAndGivesBackEveryDefaultOfTheCatalog) {
    std::vector<const SectionSchema*> sections = {&builtInCatalog().data, &builtInCatalog().run};
    for (const FamilySchema& family : builtInCatalog().families) {
        sections.insert(sections.end(), {&family.problem, &family.solver, &family.path, &family.lane});
    }
    int count = 0;
    for (const SectionSchema* section : sections) {
        for (const FieldDescription& field : section->fields) {
            const std::unique_ptr<FieldEditor> editor(makeFieldEditor(field, {}, nullptr));
            editor->setValue(field.defaultValue);
            EXPECT_EQ(editor->value(), field.defaultValue) << section->key << "." << field.key;
            EXPECT_FALSE(editor->inputs().empty()) << field.key;
            ++count;
        }
    }
    EXPECT_GT(count, 10);
}

TEST(FieldEditor, NumbersAreNeverRewrittenWhileTyping) {
    Edited edited(numberField(FieldKind::Real));
    edited.editor->setValue(1);
    auto* line = edited.input<QLineEdit>();
    line->clear();
    for (const char* key : {"1", "e", "-", "0", "6"}) {
        QTest::keyClicks(line, key);
        edited.editor->setValue(edited.values.back()); // as the document answers
    }
    EXPECT_EQ(line->text(), "1e-06");
    EXPECT_EQ(edited.values.back(), 1e-6);
    EXPECT_EQ(edited.values[1], "1e"); // half-typed: a text, for the field to complain about
    edited.editor->setValue(0.5);
    EXPECT_EQ(line->text(), "0.5");
}

TEST(FieldEditor, NumbersKeepAllDigits) {
    Edited edited(numberField(FieldKind::Real));
    for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789}) {
        edited.editor->setValue(value);
        EXPECT_EQ(edited.editor->value().get<double>(), value);
    }
}

TEST(FieldEditor, LongTextsAreNotCut) {
    Edited edited(numberField(FieldKind::Text));
    const std::string text(100'000, 'x');
    edited.editor->setValue(text);
    EXPECT_EQ(edited.editor->value().get<std::string>().size(), text.size());
}

TEST(FieldEditor, EmptyWordHasASwitch) {
    Edited edited(numberField(FieldKind::Integer, "all"));
    edited.editor->setValue("all");
    auto* line = edited.input<QLineEdit>();
    auto* all = edited.input<QToolButton>();
    EXPECT_TRUE(all->isChecked());
    EXPECT_FALSE(line->isEnabled());
    EXPECT_EQ(line->placeholderText(), "all");
    all->click();
    QTest::keyClicks(line, "12");
    EXPECT_EQ(edited.values.back(), 12);
    all->click();
    EXPECT_EQ(edited.values.back(), "all");
    edited.editor->setValue(3);
    EXPECT_FALSE(all->isChecked());
    EXPECT_EQ(line->text(), "3");
}

TEST(FieldEditor, ChoiceShowsForeignWordsUntilAnotherIsPicked) {
    Edited edited(choiceField(FieldKind::Choice));
    edited.editor->setValue("zebra");
    auto* box = edited.input<QComboBox>();
    EXPECT_EQ(box->currentText(), "zebra");
    EXPECT_EQ(edited.editor->value(), "zebra");
    box->setCurrentIndex(1);
    Q_EMIT box->activated(1);
    EXPECT_EQ(edited.values.back(), "b");
    edited.editor->setValue("a");
    EXPECT_EQ(box->count(), 3);
    EXPECT_EQ(box->itemData(2, Qt::ToolTipRole).toString(), "three");
}

TEST(FieldEditor, ChoicesKeepTheOrderTheyWereGivenIn) {
    Edited edited(choiceField(FieldKind::Choices));
    edited.editor->setValue({"c"});
    const auto boxes = edited.editor->findChildren<QCheckBox*>();
    ASSERT_EQ(boxes.size(), 3);
    EXPECT_TRUE(boxes[2]->isChecked());
    boxes[0]->click();
    EXPECT_EQ(edited.values.back(), Json({"c", "a"}));
    boxes[2]->click();
    EXPECT_EQ(edited.values.back(), Json::array({"a"}));
}

// "rdinal-gaussian?n=100&d=10" was all that could be read of a generator.
TEST(FieldEditor, AGeneratorShowsItsNameAndAFileItsEnd) {
    Edited edited(numberField(FieldKind::File));
    auto* line = edited.input<QLineEdit>();
    edited.editor->setValue("toy:ordinal-gaussian?n=100&d=10");
    EXPECT_EQ(line->cursorPosition(), 0);
    edited.editor->setValue("/data/of/somebody/with/a/long/path/to/comparisons.csv");
    EXPECT_EQ(line->cursorPosition(), line->text().size());
}

TEST(FieldEditor, RealListTakesAnySeparatorAndKeepsBadPieces) {
    Edited edited(numberField(FieldKind::RealList));
    auto* line = edited.input<QLineEdit>();
    QTest::keyClicks(line, "1, 0.5;2 x");
    EXPECT_EQ(edited.values.back(), Json({1, 0.5, 2, "x"}));
    edited.editor->setValue(Json::array());
    EXPECT_EQ(line->text(), "");
}

} // namespace lambdascope
