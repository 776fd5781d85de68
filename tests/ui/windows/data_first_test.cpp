// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/windows/window_fixture.h"
#include "ui/panels/experiment/data_page.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/experiment/paint_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>

#include <cstdio>
#include <cstdlib>

namespace lambdascope {
namespace {

const std::string kThreeClasses = "city,width,height,kind\nRome,1,5,ant\nOslo,2,4,bee\nBern,3,6,ant\n"
                                  "Kyiv,2,7,fly\nRiga,4,1,bee\nBonn,7,2,ant\nBari,6,3,fly\n";

template <class Widget>
Widget* named(QWidget& parent, const QString& accessibleName) {
    for (Widget* child : parent.findChildren<Widget*>()) {
        if (child->accessibleName() == accessibleName) {
            return child;
        }
    }
    return nullptr;
}

QStringList rowOf(const QTableWidget& table, int row) {
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column) {
        cells << table.item(row, column)->text();
    }
    return cells;
}

QString wordsOf(const QWidget& page) {
    QStringList words;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        words << (label->isHidden() ? QString() : label->text());
    }
    return words.join('\n');
}

class DataFirst : public WindowTest {
  protected:
    bool isSettled() {
        const auto state = window->form().dataPreview().state();
        return state == DataPreview::State::Ready || state == DataPreview::State::Failed;
    }
    void openData(const std::string& text) {
        workbench->open(write("my.csv", text));
        ASSERT_TRUE(waitUntil([&] { return isSettled(); }));
        ASSERT_NE(window->dataPage(), nullptr);
    }
    QTableWidget& table(const QString& name) { return *named<QTableWidget>(*window->dataPage(), name); }
};

TEST_F(DataFirst, OpenedDataAreShownBeforeAnythingRuns) {
    openData(kThreeClasses);
    EXPECT_TRUE(window->showsData());
    EXPECT_FALSE(window->showsWelcome());
    EXPECT_TRUE(workbench->runs().ids().empty());
    const QTableWidget& head = table("First rows");
    ASSERT_EQ(head.rowCount(), 7);
    EXPECT_EQ(head.horizontalHeaderItem(3)->text(), "kind");
    EXPECT_EQ(rowOf(head, 2), QStringList({"Bern", "3", "6", "ant"}));
    EXPECT_EQ(head.verticalHeaderItem(2)->text(), "4") << "the line in the file";
    EXPECT_EQ(rowOf(table("Classes"), 0), QStringList({"ant", "3", "42.9 %"}));
    EXPECT_EQ(rowOf(table("Features"), 0), QStringList({"width", "1", "7", "3.5714", "0"}));
    EXPECT_TRUE(table("What is wrong").isHidden());
    const auto words = [&] { return wordsOf(*window->dataPage()); };
    ASSERT_TRUE(waitUntil([&] { return words().contains("but an SVM separates two"); }));
    EXPECT_TRUE(words().contains("CSV, 7 rows × 2 features, 3 classes")) << words().toStdString();
    EXPECT_TRUE(words().contains("row names from column 1"));
    EXPECT_TRUE(words().contains("the data have 3 classes (ant, bee, fly), but an SVM separates two"));
    EXPECT_TRUE(words().contains("Choose k at most 2")) << "of triplets";
}

TEST_F(DataFirst, WhatIsWrongStandsInAListAndInItsCell) {
    std::string text = "a,b,label\n";
    for (int i = 0; i < 40; ++i) {
        text +=
            i == 30 ? "5,oops,x\n" : std::to_string(i) + "," + std::to_string(i * i) + (i % 2 == 0 ? ",x\n" : ",y\n");
    }
    openData(text);
    EXPECT_TRUE(window->showsData());
    ASSERT_EQ(table("What is wrong").rowCount(), 1);
    EXPECT_EQ(rowOf(table("What is wrong"), 0).mid(0, 2), QStringList({"32", "3"}));
    EXPECT_TRUE(table("What is wrong").item(0, 3)->text().startsWith("Correct the value"));
    const QTableWidget& head = table("First rows");
    EXPECT_EQ(head.verticalHeaderItem(head.rowCount() - 1)->text(), "32");
    const QTableWidgetItem* wrong = head.item(head.rowCount() - 1, 1);
    EXPECT_EQ(wrong->text(), "oops");
    EXPECT_TRUE(wrong->toolTip().contains("is not a number"));
    EXPECT_NE(wrong->background().style(), Qt::NoBrush);
    EXPECT_EQ(head.item(0, 1)->background().style(), Qt::NoBrush);
    EXPECT_FALSE(workbench->document().isRunnable());
}

TEST_F(DataFirst, GapsAndLabelsAreSettledHereAndCanBeTakenBack) {
    openData("a,b,label\n1,?,x\n2,5,y\n3,6,x\n4,7,y\n9,2,y\n");
    EXPECT_EQ(window->form().dataPreview().state(), DataPreview::State::Failed);
    EXPECT_EQ(rowOf(table("Features"), 1).last(), "1") << "what is known is told nevertheless";
    auto* missing = named<QComboBox>(*window->dataPage(), "Missing values");
    ASSERT_NE(missing, nullptr);
    missing->setCurrentIndex(missing->findData("drop-rows"));
    Q_EMIT missing->activated(missing->currentIndex());
    EXPECT_EQ(workbench->document().value("data.missing"), "drop-rows");
    ASSERT_TRUE(waitUntil([&] { return window->form().dataPreview().state() == DataPreview::State::Ready; }));
    EXPECT_TRUE(table("What is wrong").isHidden());
    auto* labels = named<QComboBox>(*window->dataPage(), "Labels");
    ASSERT_GE(labels->findData("b"), 0) << "columns by name";
    labels->setCurrentIndex(labels->findData("none"));
    Q_EMIT labels->activated(labels->currentIndex());
    ASSERT_TRUE(waitUntil([&] { return wordsOf(*window->dataPage()).contains("No labels"); }));
    workbench->undoStack().undo();
    workbench->undoStack().undo();
    EXPECT_EQ(workbench->document().value("data.missing"), "fail");
    EXPECT_EQ(missing->currentData().toString(), "fail");
}

/// With LAMBDASCOPE_PREVIEW_FILE in the environment that file is opened instead, and the times are printed.
TEST_F(DataFirst, TheBeginningOfALargeFileIsShownBeforeTheRest) {
    const char* given = std::getenv("LAMBDASCOPE_PREVIEW_FILE");
    std::string text = "a,b,c,label\n";
    for (int i = 0; text.size() < 4'000'000; ++i) {
        text += std::to_string(i) + "," + std::to_string(i % 97) + ".5," + std::to_string(i * 7919 % 10007) + ",k" +
                std::to_string(i % 4) + "\n";
    }
    const QString path = given != nullptr ? QString::fromLocal8Bit(given) : write("large.csv", text);
    DataPreview& preview = window->form().dataPreview();
    ASSERT_TRUE(waitUntil([&] { return preview.state() != DataPreview::State::Loading; })); // of the first experiment
    QElapsedTimer clock;
    std::vector<qint64> times;
    QStringList sentences;
    QObject::connect(&preview, &DataPreview::changed, window.get(), [&] {
        if (preview.profile().rows > 0 || preview.profile().fault) {
            window->dataPage()->grab(); // painted
            times.push_back(clock.elapsed());
            sentences << QString::fromStdString(profileSentence(preview.profile()));
        }
    });
    clock.start();
    workbench->open(path);
    ASSERT_TRUE(waitUntil([&] { return isSettled() && !times.empty(); }));
    if (given != nullptr) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            std::printf("%lld ms: %s\n", static_cast<long long>(times[i]), qPrintable(sentences[static_cast<int>(i)]));
        }
        return;
    }
    ASSERT_EQ(sentences.size(), 2);
    EXPECT_TRUE(sentences[0].startsWith("CSV, the first "));
    EXPECT_FALSE(sentences[1].contains("first"));
    EXPECT_EQ(table("Classes").rowCount(), 4);
}

TEST_F(DataFirst, ARunShowsItsChartsAndF4TheDataAgain) {
    compute();
    EXPECT_FALSE(window->showsData());
    window->actions()["data.preview"]->trigger();
    EXPECT_TRUE(window->showsData());
    EXPECT_TRUE(window->actions()["data.preview"]->isChecked());
    workbench->run();
    EXPECT_FALSE(window->showsData()) << "what computes is looked at";
    EXPECT_FALSE(window->actions()["data.preview"]->isChecked());
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
}

TEST_F(DataFirst, RecentDataKeepTheirHashAndAChangeOfContentsIsSaid) {
    openData(kThreeClasses);
    RecentFiles& recent = *workbench->recentFiles()[1];
    const QString path = folder.filePath("my.csv");
    const QString note = recent.note(path);
    EXPECT_EQ(note.section(' ', 0, 0).size(), 64);
    EXPECT_TRUE(note.contains("3 classes")) << note.toStdString();
    EXPECT_FALSE(hasNotice("other contents"));
    workbench->open(write("my.csv", kThreeClasses));
    ASSERT_TRUE(waitUntil([&] { return isSettled(); }));
    EXPECT_FALSE(hasNotice("other contents"));
    workbench->document().load(tinyDocument({{"points", 4}})); // other data in between
    ASSERT_TRUE(waitUntil([&] { return isSettled(); }));
    workbench->open(write("my.csv", kThreeClasses + "Metz,1,1,ant\n"));
    ASSERT_TRUE(waitUntil([&] { return hasNotice("other contents"); }));
    EXPECT_NE(recent.note(path).section(' ', 0, 0), note.section(' ', 0, 0));
}

TEST_F(DataFirst, SlidersOfAGeneratorMakeItsDataAnew) {
    workbench->document().setValue("data.source", "toy:two-moons?n=60&seed=7");
    window->showData(true);
    ASSERT_TRUE(waitUntil([&] { return isSettled() && window->form().dataPreview().profile().rows == 60; }));
    QStringList names;
    for (const QSlider* slider : window->dataPage()->findChildren<QSlider*>()) {
        names << slider->accessibleName();
    }
    ASSERT_EQ(names.size(), 2) << names.join('|').toStdString();
    auto* samples = named<QSlider>(*window->dataPage(), names[0]);
    samples->setValue(samples->maximum() / 2);
    const std::string source = workbench->document().value("data.source").get<std::string>();
    EXPECT_EQ(source.find("toy:two-moons?n="), 0U) << source;
    EXPECT_NE(source.find("seed=7"), std::string::npos) << source;
    EXPECT_EQ(source.find("n=60"), std::string::npos) << source;
    const auto rows = [&] { return window->form().dataPreview().profile().rows; };
    ASSERT_TRUE(waitUntil([&] { return isSettled() && rows() > 60; }));
}

class DataPageClasses : public testing::Test {
  protected:
    void show(const char* family) {
        document.load({{"family", family}, {"data", {{"source", "wine"}}}});
        std::vector<Fault> faults;
        preview.request(document.catalog().data.resolve(document.json()["data"], "data", faults), {});
        ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Ready; }));
        table = named<QTableWidget>(page, "Classes");
        ASSERT_EQ(table->rowCount(), 3);
    }
    std::string positive() { return document.value("problem.positive").get<std::string>(); }
    void tick(int row, bool isTicked) { table->item(row, 0)->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked); }

    ExperimentDocument document{builtInCatalog()};
    DataPreview preview;
    DataPage page{document, preview};
    QTableWidget* table = nullptr;
};

TEST_F(DataPageClasses, OneIsPositiveOfAnSvmAndTheNextTickReplacesIt) {
    show("svm");
    EXPECT_EQ(positive(), "auto");
    tick(1, true);
    EXPECT_EQ(positive(), table->item(1, 0)->text().toStdString());
    tick(2, true);
    EXPECT_EQ(positive(), table->item(2, 0)->text().toStdString());
    EXPECT_EQ(table->item(1, 0)->checkState(), Qt::Unchecked);
    tick(2, false);
    EXPECT_EQ(positive(), "auto");
}

TEST_F(DataPageClasses, SeveralMayBePositiveOfPuAndNoneIsOfTriplets) {
    show("pu");
    tick(0, true);
    tick(2, true);
    EXPECT_EQ(positive(), (table->item(0, 0)->text() + "," + table->item(2, 0)->text()).toStdString());
    show("metric");
    EXPECT_FALSE(table->item(0, 0)->flags() & Qt::ItemIsUserCheckable);
}

TEST_F(DataFirst, RowsAreEditedOnAPageOfTheirOwn) {
    openData(kThreeClasses);
    buttonOf(*window->dataPage(), "Edit rows")->click();
    PaintPage* page = window->paintPage();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->isVisible());
    EXPECT_TRUE(window->actions()["data.paint"]->isChecked());
    ASSERT_TRUE(waitUntil([&] { return page->editor().isOpen(); })) << page->editor().trouble().toStdString();
    page->editor().move(1, 0, 5, 1, 5);
    page->editor().keep("moving row 1");
    EXPECT_EQ(workbench->document().value("data.edits"), Json("move 1 5 5"));
    ASSERT_TRUE(waitUntil([&] { return isSettled() && !page->live().isBusy() && page->live().path() != nullptr; }));
    EXPECT_EQ(page->live().path()->edits, "move 1 5 5");
    window->activateWindow();
    window->form().setFocus();
    bool isReached = false;
    for (int i = 0; i < 8 && !isReached; ++i) {
        window->actions()["view.next-region"]->trigger();
        isReached = page->isAncestorOf(QApplication::focusWidget());
    }
    EXPECT_TRUE(isReached) << "by F6";
    window->actions()["edit.undo"]->trigger();
    EXPECT_EQ(page->editor().value(1, 0), 2);
    buttonOf(*page, "Look at the data")->click();
    EXPECT_TRUE(window->showsData());
    EXPECT_FALSE(window->actions()["data.paint"]->isChecked());
    window->actions()["data.paint"]->trigger();
    EXPECT_TRUE(page->isVisible());
    window->actions()["data.paint"]->trigger();
    EXPECT_FALSE(page->isVisible()) << "back to the charts";
}

TEST_F(DataFirst, APaintedSetIsBegunOnTheWelcomePage) {
    window->showWelcome(true);
    buttonOf(*window, "Paint samples")->click();
    ASSERT_NE(window->paintPage(), nullptr);
    EXPECT_TRUE(window->paintPage()->isVisible());
    EXPECT_EQ(workbench->document().value("data.source"), Json("painted"));
    ASSERT_TRUE(waitUntil([&] { return window->paintPage()->editor().isPainted(); }));
    EXPECT_EQ(window->paintPage()->tool(), PaintPage::Tool::Paint);
}

} // namespace
} // namespace lambdascope
