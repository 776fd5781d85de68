// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/comparison_table.h"
#include "app/cli/study_comparison.h"
#include "app/cli/study_input.h"
#include "core/store/audit_file.h"
#include "core/store/run_folder.h"
#include "core/store/run_headline.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace lambdascope::cli {

namespace {

/// A data set by the name people know it by: that of the file, not of where it lies.
std::string dataName(const Json& summary) {
    const std::string source =
        summary.value("experiment", Json::object()).value("data", Json::object()).value("source", std::string());
    const bool isGenerator = source.starts_with("toy:");
    return isGenerator ? source : std::filesystem::path(source).filename().string();
}

Result<ComparedRun> readRun(const std::string& folder) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{summary.error()};
    }
    auto lanes = readRunFolder(folder);
    if (!lanes) {
        return Failure{lanes.error()};
    }
    ComparedRun run;
    run.folder = folder;
    run.name = summary->value("name", std::string());
    run.family = summary->value("family", std::string());
    run.data = dataName(*summary);
    run.lanes = std::move(*lanes);
    for (const Json& lane : summary->value("lanes", Json::array())) {
        const std::string name = lane.value("name", std::string());
        const bool isThere = std::any_of(run.lanes.begin(), run.lanes.end(),
                                         [&](const RunRecord& record) { return record.start().laneName == name; });
        if (!isThere) {
            run.missing.push_back(name);
        }
    }
    return run;
}

/// What each run has shown, in a sentence, with the verdicts that its folder keeps.
void printHeadlines(const std::vector<ComparedRun>& runs) {
    for (const ComparedRun& run : runs) {
        std::vector<std::optional<LaneAudit>> audits;
        for (const RunRecord& record : run.lanes) {
            audits.push_back(readAudit(run.folder, record.start().laneName));
        }
        std::vector<HeadlineLane> lanes = headlineLanes(run.lanes);
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            lanes[i].audit = audits[i] ? &*audits[i] : nullptr;
        }
        const std::string name = run.name.empty() ? run.folder : run.name;
        std::printf("%s: %s\n", name.c_str(), headlineOf(lanes).c_str());
    }
    if (!runs.empty()) {
        std::printf("\n");
    }
}

} // namespace

ExitStatus compareCommand(const CompareOptions& options) {
    std::vector<ComparedRun> runs;
    std::vector<StudyResults> studies;
    ExitStatus status = ExitStatus::Done;
    for (const std::string& folder : options.folders) {
        if (isStudyFolder(folder)) {
            auto study = readStudyFolder(folder);
            if (study) {
                studies.push_back(std::move(*study));
            } else {
                status = report(study.error());
            }
            continue;
        }
        auto run = readRun(folder);
        if (run) {
            runs.push_back(std::move(*run));
        } else {
            status = report(run.error()); // all of them at once
        }
    }
    if (status == ExitStatus::Done && !runs.empty() && !studies.empty() &&
        (options.format == "csv" || options.format == "json")) {
        status = report(singleFault(ErrorCode::BadUsage, {{},
                                                          "runs and studies have tables of their own",
                                                          "Compare runs with runs, and studies with studies.",
                                                          {}}));
    }
    if (status != ExitStatus::Done) {
        return status;
    }
    const std::optional<TableFormat> format = tableFormatOf(options.format); // nothing: JSON
    if (format == TableFormat::Text) {
        printHeadlines(runs);
    }
    if (!runs.empty()) {
        const TypedTable table = comparisonTable(runs);
        std::fputs((format ? table.text(*format, options.digits) : jsonText(table)).c_str(), stdout);
    }
    std::fputs(studyComparison(studies, format).c_str(), stdout);
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
