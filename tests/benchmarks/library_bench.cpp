// SPDX-License-Identifier: GPL-3.0-or-later
// A run library of many experiments: what it takes to open and search it, to label, delete and bring back experiments,
// and to search it in the tree of the window, letter by letter.
#include "core/common/clocks.h"
#include "core/common/resource_folder.h"
#include "core/common/text_file.h"
#include "core/store/run_library.h"
#include "core/store/run_query.h"
#include "core/store/sqlite_database.h"
#include "ui/panels/runs/runs_panel.h"

#include <QApplication>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace lambdascope;

const char* const kTyped = "family:metric bound:PGB state:done since:week wine";

double timed(const std::function<void()>& work) {
    const double start = wallSeconds();
    work();
    return wallSeconds() - start;
}

void print(const char* what, double seconds, const std::string& remark = {}) {
    std::printf("| %s | %.1f ms | %s |\n", what, 1e3 * seconds, remark.c_str());
}

/// Median and longest.
void print(const char* what, std::vector<double> seconds, const std::string& remark) {
    std::sort(seconds.begin(), seconds.end());
    print(what, seconds[seconds.size() / 2],
          remark + "; longest " + std::to_string(std::lround(1e3 * seconds.back())) + " ms");
}

/// Experiments of four families, made over twenty days, with two lanes each; every tenth with a failed lane.
void fill(const std::filesystem::path& file, std::int64_t experiments) {
    (void)RunLibrary::open(file);
    std::string document = *readTextFile(resourceFolder() / "presets" / "wine-six-lanes.json", 1 << 20, "an example");
    SqliteDatabase database(file);
    database.transaction([&] {
        database
            .prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                     "INSERT INTO experiments(name, family, created_at, document) SELECT "
                     "CASE i % 3 WHEN 0 THEN 'wine' WHEN 1 THEN 'iris' ELSE 'segment' END || ', run ' || i, "
                     "CASE i % 4 WHEN 0 THEN 'metric' WHEN 1 THEN 'svm' WHEN 2 THEN 'pu' ELSE 'ordinal' END, "
                     "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || (i % 20) || ' days'), ? FROM n")
            .bind(1, experiments)
            .bind(2, document)
            .run();
        database.execute("INSERT INTO runs(experiment_id, name, lane_index, is_baseline, process, state, termination, "
                         "finished_points, cpu_solve) SELECT id, CASE lane WHEN 0 THEN 'naive' ELSE 'PGB' END, lane, "
                         "lane = 0, '', CASE WHEN lane = 1 AND id % 10 = 0 THEN 'failed' ELSE 'finished' END, "
                         "'path-ended', 100, 1.5 FROM experiments, (SELECT 0 AS lane UNION SELECT 1)");
    });
}

/// What the tree of the window takes for each letter of a search.
void printTree(const std::vector<LibraryExperiment>& experiments) {
    RunCollection runs;
    RunsPanel panel(runs);
    panel.resize(400, 600);
    panel.show();
    QApplication::processEvents();
    print("tree: show", timed([&] {
              panel.setKept(experiments);
              QApplication::processEvents();
          }));
    std::vector<double> letters;
    QString typed;
    for (const QChar letter : QString::fromUtf8(kTyped)) {
        typed += letter;
        letters.push_back(timed([&] {
            panel.filterBox()->setText(typed);
            QApplication::processEvents();
        }));
    }
    print("tree: search, a letter", letters, std::to_string(panel.view()->model()->rowCount()) + " found");
    print("tree: clear the search", timed([&] {
              panel.filterBox()->clear();
              QApplication::processEvents();
          }));
}

} // namespace

int main(int argumentCount, char** arguments) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argumentCount, arguments);
    const std::int64_t count = argumentCount > 1 ? std::max(1L, std::atol(arguments[1])) : 10'000;
    const QTemporaryDir folder;
    const std::filesystem::path file = (folder.path() + "/library.sqlite").toStdString();
    fill(file, count);
    std::printf("%lld experiments of two lanes, %.0f MB\n\n| what | time | |\n|---|---:|---|\n",
                static_cast<long long>(count), static_cast<double>(std::filesystem::file_size(file)) * 1e-6);
    std::shared_ptr<RunLibrary> library;
    std::vector<LibraryExperiment> experiments;
    print("open", timed([&] { library = *RunLibrary::open(file); }));
    const double listed = timed([&] { experiments = *library->experiments(); });
    print("list", listed, std::to_string(experiments.size()));
    std::vector<double> letters;
    std::size_t found = 0;
    for (std::size_t length = 1; length <= std::string(kTyped).size(); ++length) {
        letters.push_back(timed([&] {
            if (const auto query = RunQuery::parse(std::string(kTyped, length), std::time(nullptr))) {
                found = static_cast<std::size_t>(std::count_if(experiments.begin(), experiments.end(),
                                                               [&](const auto& each) { return query->accepts(each); }));
            }
        }));
    }
    print("search, a letter", letters, std::to_string(found) + " found");
    const LibraryExperimentId one = experiments.front().id;
    print("tag one", timed([&] { (void)library->changeTags(one, {"paper"}, {}); }));
    print("delete one", timed([&] { (void)library->discard({one}); }));
    print("undo", timed([&] { (void)library->restoreLast(); }));
    std::vector<LibraryExperimentId> all;
    for (const LibraryExperiment& experiment : experiments) {
        all.push_back(experiment.id);
    }
    const double deleted = timed([&] { (void)library->discard(all); });
    print("delete all", deleted, std::to_string(library->experiments()->size()) + " left");
    const double undone = timed([&] { (void)library->restoreLast(); });
    print("undo", undone, std::to_string(library->experiments()->size()) + " there again");
    printTree(experiments);
    return 0;
}
