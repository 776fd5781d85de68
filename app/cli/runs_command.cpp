// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/summary.h"
#include "core/common/number_text.h"
#include "core/common/text_table.h"
#include "core/store/run_library.h"

#include <cstdio>
#include <map>

namespace lambdascope::cli {

namespace {

/// "finished" when all lanes are; else the states that occur, with counts.
std::string stateOf(const LibraryExperiment& experiment) {
    std::map<std::string, int> counts;
    for (const LibraryRun& run : experiment.runs) {
        ++counts[std::string(recordStateName(run.state))];
    }
    if (counts.size() == 1) {
        return counts.begin()->first;
    }
    std::string text;
    for (const auto& [name, count] : counts) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    }
    return text;
}

ExitStatus listRuns(const RunLibrary& library, bool asJson) {
    const auto experiments = library.experiments();
    if (!experiments) {
        return report(experiments.error());
    }
    TextTable table({{"id", TextTable::Align::Right},
                     {"made (UTC)"},
                     {"family"},
                     {"name"},
                     {"lanes", TextTable::Align::Right},
                     {"points", TextTable::Align::Right},
                     {"CPU", TextTable::Align::Right},
                     {"state"}});
    Json rows = Json::array();
    for (const LibraryExperiment& experiment : *experiments) {
        std::int64_t points = 0;
        double cpu = 0;
        for (const LibraryRun& run : experiment.runs) {
            points += run.finishedPoints;
            cpu += run.cpuSolve + run.cpuScreen;
        }
        rows.push_back({{"id", experiment.id.value},
                        {"made", experiment.createdAt},
                        {"family", experiment.family},
                        {"name", experiment.name},
                        {"lanes", experiment.runs.size()},
                        {"points", points},
                        {"cpu", cpu},
                        {"state", stateOf(experiment)}});
        table.addRow({std::to_string(experiment.id.value), experiment.createdAt, experiment.family, experiment.name,
                      std::to_string(experiment.runs.size()), groupedText(points), durationText(cpu),
                      stateOf(experiment)});
    }
    if (asJson) {
        std::printf("%s\n", rows.dump(1, Json::BadUtf8::Replace).c_str());
    } else if (table.isEmpty()) {
        std::printf("no runs yet in %s; start one with: lambdascope-cli run wine-six-lanes\n", library.path().c_str());
    } else {
        std::fputs(table.text().c_str(), stdout);
    }
    return ExitStatus::Done;
}

ExitStatus showRuns(const RunLibrary& library, LibraryExperimentId id) {
    const auto experiment = library.experiment(id);
    if (!experiment) {
        return report(experiment.error());
    }
    std::vector<RunRecord> records;
    for (const LibraryRun& run : experiment->runs) {
        auto record = library.loadRecord(run.id);
        if (!record) {
            return report(record.error());
        }
        records.push_back(std::move(*record));
    }
    const auto document = library.experimentDocument(id);
    if (!document) {
        return report(document.error());
    }
    std::printf("%s, %s\n\n%s\n%s\n", experiment->name.c_str(), experiment->createdAt.c_str(),
                summaryTable(records).c_str(), document->dump(2).c_str());
    return ExitStatus::Done;
}

} // namespace

ExitStatus runsCommand(const RunsOptions& options) {
    const auto library =
        RunLibrary::open(options.library.empty() ? RunLibrary::defaultPath() : std::filesystem::path(options.library));
    if (!library) {
        return report(library.error());
    }
    const LibraryExperimentId id{options.id};
    if (options.action == "list") {
        return listRuns(**library, options.json);
    }
    if (options.action == "show") {
        return showRuns(**library, id);
    }
    const auto done =
        options.action == "rename" ? (*library)->renameExperiment(id, options.name) : (*library)->removeExperiment(id);
    return done ? ExitStatus::Done : report(done.error());
}

} // namespace lambdascope::cli
