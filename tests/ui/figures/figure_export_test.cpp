// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/sample_runs.h"
#include "ui/figures/figure_export.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <map>

namespace lambdascope {
namespace {

class FigureExport : public testing::Test {
  protected:
    std::vector<RunRecord> records = recordsOf(sampleEvents(5, true));
    std::vector<ShownRun> runs = shownRuns(records);
    QTemporaryDir folder;

    static QByteArray contents(const QString& path) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        return file.readAll();
    }
};

TEST_F(FigureExport, NamesEveryFigureTheRunsGive) {
    const QStringList names = figureNames(runs);
    for (const char* name : {"path-rate", "final-rate", "cpu-ratio", "cpu", "active", "removed", "iterations",
                             "convergence", "heatmap:half", "embedding:half"}) {
        EXPECT_TRUE(names.contains(QString::fromLatin1(name))) << name;
    }
    EXPECT_FALSE(names.contains("embedding:plain"));
    for (const QString& name : names) {
        EXPECT_TRUE(figureByName(runs, name).has_value()) << name.toStdString();
        EXPECT_NE(figureDescription(name), name);
    }
}

TEST_F(FigureExport, UnknownNamesAndMissingContentsAreExplained) {
    const auto unknown = figureByName(runs, "path-rat");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().code, ErrorCode::BadUsage);
    EXPECT_NE(unknown.error().describe().find("path-rate"), std::string::npos);
    const auto noEmbedding = figureByName(runs, "embedding:plain");
    ASSERT_FALSE(noEmbedding.has_value());
    EXPECT_EQ(noEmbedding.error().code, ErrorCode::InvalidData);
}

TEST_F(FigureExport, ConvergenceTakesThePointFromItsName) {
    const auto first = figureByName(runs, "convergence@0");
    const auto last = figureByName(runs, "convergence");
    ASSERT_TRUE(first && last);
    EXPECT_NE(figureTitle(*first), figureTitle(*last));
    EXPECT_FALSE(figureByName(runs, "convergence@x").has_value());
}

TEST_F(FigureExport, WritesAllFiguresInAllFormats) {
    const QStringList endings{"pdf", "svg", "png", "csv"};
    const auto written = exportAllFigures(runs, folder.filePath("new/place"), endings, FigureStyle::singleColumn());
    ASSERT_TRUE(written.has_value()) << written.error().describe();
    EXPECT_EQ(written->size(), figureNames(runs).size() * endings.size());
    const std::map<QString, QByteArray> beginnings{{"pdf", "%PDF-"}, {"svg", "<"}, {"png", "\x89PNG"}, {"csv", ""}};
    for (const QString& path : *written) {
        const QByteArray bytes = contents(path);
        EXPECT_GT(bytes.size(), 40) << path.toStdString();
        EXPECT_TRUE(bytes.startsWith(beginnings.at(QFileInfo(path).suffix()))) << path.toStdString();
    }
}

TEST_F(FigureExport, TheRecipeTravelsAlong) {
    records[1] = RunRecord(RunId{903});
    std::vector<RunEvent> events = tinyEvents({RunId{903}, "half", false, 3, 3, 0.6, 1.0, true});
    std::get<RunStarted>(events.front().body).experiment = Json{{"family", "tiny"}, {"name", "recipe"}};
    for (const RunEvent& event : events) {
        records[1].apply(event);
    }
    const std::vector<ShownRun> one{{&records[1], nullptr, "903", "half", 0}};
    const QString path = folder.filePath("figure.svg");
    ASSERT_TRUE(exportFigure(one, "iterations", path, {}).has_value());
    const auto recipe = readRecipe(path);
    ASSERT_TRUE(recipe.has_value()) << recipe.error().describe();
    EXPECT_EQ(Json::parse(recipe->toStdString())["name"], "recipe");
}

TEST_F(FigureExport, NothingToExportIsAnError) {
    EXPECT_FALSE(exportAllFigures({}, folder.path(), {"pdf"}, {}).has_value());
}

} // namespace
} // namespace lambdascope
