// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/experiment/experiment_document.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

namespace lambdascope {

namespace {

class ExperimentDocumentTest : public testing::Test {
  protected:
    QUndoStack m_undo;
    ExperimentDocument m_document{tinyCatalog(), &m_undo};
};

TEST_F(ExperimentDocumentTest, BeginsRunnableWithTheFamilysLanes) {
    EXPECT_TRUE(m_document.isRunnable()) << m_document.reasonNotRunnable().toStdString();
    EXPECT_EQ(m_document.laneCount(), 2);
    EXPECT_EQ(m_document.laneName(1), "half");
    EXPECT_FALSE(m_document.isModified());
    EXPECT_EQ(m_document.value("problem.points"), 3);
    EXPECT_EQ(m_document.value("lanes[1].share"), 0.5);
}

TEST_F(ExperimentDocumentTest, EditsMergeWhileTypingAndUndo) {
    QSignalSpy changed(&m_document, &ExperimentDocument::valueChanged);
    for (const int typed : {1, 12, 125}) {
        m_document.setValue("problem.points", typed);
    }
    EXPECT_EQ(m_undo.count(), 1);
    EXPECT_EQ(changed.count(), 3);
    m_document.setValue("solver.tolerance", 1e-3);
    EXPECT_EQ(m_undo.count(), 2);
    EXPECT_TRUE(m_document.isModified());
    EXPECT_FALSE(m_document.isDefault("problem.points"));
    m_undo.undo();
    m_undo.undo();
    EXPECT_EQ(m_document.value("problem.points"), 3);
    EXPECT_FALSE(m_document.isModified());
    m_undo.redo();
    EXPECT_EQ(m_document.value("problem.points"), 125);
}

TEST_F(ExperimentDocumentTest, TypingTheDefaultOrResettingLeavesNoTrace) {
    const Json before = m_document.json();
    m_document.setValue("problem.points", 5);
    m_document.setValue("problem.points", 3);
    EXPECT_EQ(m_document.json(), before);
    EXPECT_EQ(m_undo.count(), 0);
    m_document.setValue("problem.points", 5);
    m_document.resetToDefault("problem.points");
    EXPECT_EQ(m_document.json(), before);
    EXPECT_TRUE(m_document.isDefault("problem.points"));
}

TEST_F(ExperimentDocumentTest, EditsOfRowsGoWithTheirSourceAndComeBackWithIt) {
    m_document.setValue("data.edits", "omit 7");
    m_document.setValue("data.scale", "none");
    const Json before = m_document.json();
    EXPECT_EQ(m_document.value("data.edits"), "omit 7") << "another field leaves them";
    m_document.setValue("data.source", "toy:moons:other");
    EXPECT_TRUE(m_document.isDefault("data.edits"));
    m_undo.undo();
    EXPECT_EQ(m_document.json(), before);
}

TEST_F(ExperimentDocumentTest, FaultsNameTheirFieldAndKeepRunDisabled) {
    QSignalSpy faults(&m_document, &ExperimentDocument::faultsChanged);
    m_document.setValue("problem.points", "many");
    m_document.setValue("lanes[1].share", 2);
    EXPECT_EQ(faults.count(), 2);
    EXPECT_FALSE(m_document.isRunnable());
    EXPECT_EQ(m_document.faultsAt("problem.points").size(), 1U);
    EXPECT_EQ(m_document.faultsAt("lanes[1].share").size(), 1U);
    EXPECT_EQ(m_document.faultsAt("lanes", true).size(), 1U);
    EXPECT_EQ(m_document.faultsAt("problem.point", true).size(), 0U);
    EXPECT_TRUE(m_document.reasonNotRunnable().contains("Points"));
    m_document.setValue("problem.points", 13); // a rule across fields
    m_document.setValue("lanes[1].share", 1);
    ASSERT_EQ(m_document.faults().size(), 1U);
    EXPECT_EQ(m_document.faults()[0].key, "problem.points");
    m_document.setValue("problem.points", 12);
    EXPECT_TRUE(m_document.isRunnable());
    EXPECT_TRUE(m_document.reasonNotRunnable().isEmpty());
}

TEST_F(ExperimentDocumentTest, LanesAreAddedCopiedMovedAndRemovedUndoably) {
    QSignalSpy lanes(&m_document, &ExperimentDocument::lanesChanged);
    m_document.addLane();
    m_document.addLane();
    EXPECT_EQ(m_document.laneName(2), "lane");
    EXPECT_EQ(m_document.laneName(3), "lane 2");
    m_document.duplicateLane(1);
    EXPECT_EQ(m_document.laneName(2), "half 2");
    EXPECT_EQ(m_document.value("lanes[2].share"), 0.5);
    m_document.moveLane(2, 0);
    EXPECT_EQ(m_document.laneName(0), "half 2");
    m_document.removeLane(0);
    EXPECT_EQ(m_document.laneCount(), 4);
    EXPECT_EQ(lanes.count(), 5);
    while (m_undo.canUndo()) {
        m_undo.undo();
    }
    EXPECT_EQ(m_document.laneCount(), 2);
    m_document.removeLane(0);
    m_document.removeLane(0);
    EXPECT_EQ(m_document.laneCount(), 1) << "the last lane stays";
    EXPECT_TRUE(m_document.isRunnable());
}

TEST_F(ExperimentDocumentTest, ALanesSolverStartsFromTheExperiments) {
    m_document.setValue("solver.tolerance", 1e-3);
    EXPECT_EQ(m_document.value("lanes[0].solver.tolerance"), 1e-3);
    EXPECT_TRUE(m_document.isDefault("lanes[0].solver.tolerance"));
    m_document.setValue("lanes[0].solver.tolerance", 1e-9);
    EXPECT_FALSE(m_document.isDefault("lanes[0].solver.tolerance"));
    ASSERT_TRUE(m_document.isRunnable());
    const Json& checked = (*m_document.validated())->document;
    EXPECT_EQ(checked["solver"]["tolerance"], 1e-3);
    EXPECT_EQ(checked["lanes"][0]["solver"]["tolerance"], 1e-9);
    EXPECT_FALSE(checked["lanes"][1].contains("solver"));
    m_document.resetToDefault("lanes[0].solver.tolerance");
    EXPECT_FALSE(m_document.json()["lanes"][0].contains("solver"));
}

TEST_F(ExperimentDocumentTest, RelevanceFollowsTheOtherField) {
    EXPECT_FALSE(m_document.isRelevant("problem.extra"));
    m_document.setValue("problem.refuse", true);
    EXPECT_TRUE(m_document.isRelevant("problem.extra"));
}

TEST_F(ExperimentDocumentTest, FilesRoundTrip) {
    QTemporaryDir folder;
    const QString file = folder.filePath("experiment.json");
    m_document.setValue("name", "saved one");
    m_document.setValue("problem.weights", {3, 0.125});
    m_document.setValue("lanes[0].marks", {"red"});
    ASSERT_TRUE(m_document.saveFile(file).has_value());
    EXPECT_FALSE(m_document.isModified());
    EXPECT_EQ(m_document.asCommandLine(), "lambdascope-cli run " + file);
    ExperimentDocument again(tinyCatalog());
    ASSERT_TRUE(again.loadFile(file).has_value());
    EXPECT_EQ(again.json(), m_document.json());
    EXPECT_EQ(again.file(), file);
    EXPECT_EQ(again.title(), "saved one");
    EXPECT_EQ(again.places().folders.front().string(), folder.path().toStdString());
    again.setValue("problem.points", 4);
    EXPECT_EQ(again.asCommandLine(), "lambdascope-cli run " + file + " --set problem.points=4");
}

TEST_F(ExperimentDocumentTest, FaultyFilesLoadButBrokenOnesDoNot) {
    QTemporaryDir folder;
    const auto write = [&](const char* text) {
        QFile file(folder.filePath("x.json"));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return folder.filePath("x.json");
    };
    ASSERT_TRUE(m_document.loadFile(write(R"({"family": "tiny", "problem": {"points": -1, "pionts": 2}})")));
    EXPECT_EQ(m_document.faults().size(), 2U);
    EXPECT_EQ(m_document.laneCount(), 2) << "the family's lanes are filled in";
    const Json before = m_document.json();
    EXPECT_FALSE(m_document.loadFile(write("{ \"family\": ")));
    EXPECT_FALSE(m_document.loadFile(write("[1, 2]")));
    EXPECT_FALSE(m_document.loadFile(folder.filePath("none.json")));
    EXPECT_EQ(m_document.json(), before);
    EXPECT_FALSE(m_document.saveFile(folder.filePath("no/such/place.json")));
}

TEST_F(ExperimentDocumentTest, OddDocumentsDoNoHarm) {
    for (const char* text :
         {"{}", R"({"family": 3})", R"({"family": "tiny", "lanes": 5})",
          R"({"family": "tiny", "lanes": [1, {"name": 2}]})", R"({"family": "tiny", "problem": 7})"}) {
        m_document.load(Json::parse(text));
        EXPECT_FALSE(m_document.isRunnable()) << text;
        EXPECT_FALSE(m_document.faults().empty()) << text;
        m_document.setValue("problem.points", 4);
        m_document.setValue("lanes[0].share", 1);
        m_document.setValue("lanes[7].share", 1);
        m_document.duplicateLane(0);
        m_document.moveLane(0, 1);
    }
    m_document.setFamily("tiny");
    m_document.newExperiment();
    EXPECT_TRUE(m_document.isRunnable());
}

TEST(Presets, StandByFamilyAndPaperInTheOrderOfTheirNumbers) {
    EXPECT_TRUE(comesBefore("Figure 6a: rules", "Figure 10: hinge"));
    EXPECT_FALSE(comesBefore("Figure 10: hinge", "Figure 6a: rules"));
    EXPECT_TRUE(comesBefore("Figure 6a: rules", "Figure 6b: rules"));
    std::size_t count = 0;
    for (const PresetGroup& group : groupedPresets(builtInCatalog())) {
        EXPECT_FALSE(group.family.isEmpty());
        count += group.presets.size();
        for (const PresetListing& preset : group.presets) {
            EXPECT_EQ(preset.title.startsWith("Figure ") || preset.title.startsWith("Table "), !group.paper.isEmpty())
                << preset.title.toStdString();
        }
        for (std::size_t k = 1; k < group.presets.size(); ++k) {
            EXPECT_FALSE(comesBefore(group.presets[k].title, group.presets[k - 1].title));
        }
    }
    EXPECT_EQ(count, listedPresets(builtInCatalog()).size());
}

TEST(Presets, AllBundledOnesLoadAndRunUnchanged) {
    for (const PresetListing& preset : listedPresets(builtInCatalog())) {
        ExperimentDocument document(builtInCatalog());
        ASSERT_TRUE(document.loadPreset(preset.name).has_value()) << preset.name.toStdString();
        EXPECT_TRUE(document.isRunnable()) << preset.name.toStdString();
        EXPECT_TRUE(document.file().isEmpty()) << "a preset is no file to save over";
        EXPECT_EQ(document.asCommandLine(), "lambdascope-cli run " + preset.name);
        EXPECT_FALSE(preset.title.isEmpty());
        EXPECT_FALSE(preset.summary.isEmpty());
    }
}

} // namespace
} // namespace lambdascope
