// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/run_choices.h"
#include "app/cli/text_table.h"
#include "core/common/number_text.h"
#include "core/run/experiment_runner.h"
#include "core/store/audit_file.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_layout.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

/// Whether the lane's path was walked to its end, so that a missing row is a difference.
bool endedByItself(const Json& summary, const std::string& lane) {
    const Json lanes = summary.value("lanes", Json::array());
    return std::any_of(lanes.begin(), lanes.end(), [&](const Json& entry) {
        return entry.value("name", std::string()) == lane &&
               entry.value("state", std::string()) == recordStateName(RunRecord::State::Finished);
    });
}

/// A file of comparisons is data too: it must be that of the run.
Result<void> checkComparisons(const Json& summary, const RunStarted& lane) {
    const std::string now = lane.facts.value("comparisons_sha256", std::string());
    for (const Json& entry : summary.value("lanes", Json::array())) {
        const std::string then = entry.value("facts", Json::object()).value("comparisons_sha256", now);
        if (entry.value("name", std::string()) == lane.laneName && then != now) {
            return Failure{
                singleFault(ErrorCode::InvalidData,
                            {"problem.file",
                             "the comparisons are not those of the run: SHA-256 " + now + ", the run had " + then,
                             "Restore the file of comparisons, or run the experiment again.",
                             {}})};
        }
    }
    return {};
}

Result<LaneAudit> checkLane(const ExperimentRunner& runner, std::size_t position, const fs::path& folder,
                            const Json& summary, const RunLens::Progress& progress, std::stop_token stop) {
    LaneAudit audit;
    audit.lane = runner.laneNames()[position];
    const auto stored = readStoredPath(folder / audit.lane / layout::kPath);
    if (!stored) {
        return Failure{stored.error()};
    }
    const auto lens = runner.makeLens(position);
    if (lens == nullptr) {
        return Failure{singleFault(ErrorCode::BadUsage, {{}, runner.lensObstacle(), "Check another run.", {}})};
    }
    audit.unsafeReason = lens->unsafeReason();
    const bool isWhole = endedByItself(summary, audit.lane);
    if (isWhole || !stored->rows.empty()) {
        auto report = lens->audit(isWhole ? 0 : static_cast<std::int32_t>(stored->rows.size()), progress, stop);
        if (!report) {
            return Failure{report.error()};
        }
        audit.report = std::move(*report);
        if (auto checked = checkComparisons(summary, lens->lane()); !checked) {
            return Failure{checked.error()};
        }
    }
    audit.path = comparePath(*stored, lens->lane().columns, lens->path());
    return audit;
}

std::string verdictOf(const LaneAudit& audit) {
    std::string text;
    if (audit.path.differences > 0) {
        text = "path differs";
    }
    if (audit.report.wrong > 0) {
        text += (text.empty() ? "" : ", ") + std::string("WRONG DECISIONS");
    }
    if (text.empty()) {
        text = "good";
    }
    return audit.unsafeReason.empty() ? text : text + " (unsafe: " + audit.unsafeReason + ")";
}

void printTable(const std::vector<LaneAudit>& audits, const std::vector<std::string>& pathless) {
    using Align = TextTable::Align;
    TextTable table({{"lane"},
                     {"points", Align::Right},
                     {"decisions", Align::Right},
                     {"wrong", Align::Right},
                     {"too near", Align::Right},
                     {"smallest slack", Align::Right},
                     {"gap", Align::Right},
                     {"time", Align::Right},
                     {"verdict"}});
    for (const LaneAudit& audit : audits) {
        const AuditReport& report = audit.report;
        const bool hasAny = report.decisions > 0;
        table.addRow({audit.lane, std::to_string(audit.path.points), groupedText(report.decisions),
                      groupedText(report.wrong), groupedText(report.undecided),
                      hasAny ? shortText(report.smallestSlack, 3) : "–", hasAny ? shortText(report.largestGap, 2) : "–",
                      durationText(report.seconds), verdictOf(audit)});
    }
    for (const std::string& lane : pathless) {
        table.addRow({lane, "–", "–", "–", "–", "–", "–", "–", "NOT CHECKED: no path.csv"});
    }
    std::fputs(table.text().c_str(), stdout);
    for (const LaneAudit& audit : audits) {
        for (const auto* examples : {&audit.path.examples, &audit.report.examples}) {
            for (const std::string& example : *examples) {
                std::printf("%s: %s\n", audit.lane.c_str(), example.c_str());
            }
        }
    }
}

/// Checks lane after lane; what is finished is printed whatever happens to the rest.
ExitStatus checkLanes(const OpenedRun& run, ProgressStyle style, ProgressSink& progress, const std::stop_token& stop) {
    const std::vector<std::string>& lanes = run.runner->laneNames();
    const DataProgress draw = progress.preparation();
    std::vector<LaneAudit> audits;
    ExitStatus status = ExitStatus::Done;
    for (std::size_t i = 0; i < lanes.size() && status != ExitStatus::Interrupted; ++i) {
        const auto share = [&](double done) {
            if (draw) {
                draw((static_cast<double>(i) + done) / static_cast<double>(lanes.size()), "checking lane " + lanes[i]);
            }
        };
        auto audit = checkLane(*run.runner, i, run.folder, run.summary, share, stop);
        progress.clear();
        if (!audit) {
            // What an interruption leaves is told below.
            const bool isStop = audit.error().code == ErrorCode::Stopped;
            status = isStop ? ExitStatus::Interrupted : report(audit.error());
            break;
        }
        if (style == ProgressStyle::Plain || style == ProgressStyle::Calm) {
            std::fprintf(stderr, "%s: %s\n", lanes[i].c_str(), auditText(audit->report).c_str());
        }
        if (auto written = writeAudit(run.folder, *audit, LAMBDASCOPE_VERSION); !written) {
            std::fprintf(stderr, "warning: %s\n", written.error().describe().c_str());
        }
        if (!audit->isGood()) {
            status = ExitStatus::Failed;
        }
        audits.push_back(std::move(*audit));
    }
    if (!audits.empty()) {
        printTable(audits, run.pathless);
    }
    // What a run says it computed and cannot show is as good as wrong.
    for (const std::string& lane : run.pathless) {
        std::fprintf(stderr, "lambdascope-cli: lane %s was not checked: there is no %s\n", lane.c_str(),
                     (run.folder / lane / layout::kPath).c_str());
        status = status == ExitStatus::Done ? ExitStatus::Failed : status;
    }
    if (status == ExitStatus::Interrupted) {
        std::fputs("interrupted; lanes that are not listed were not checked\n", stderr);
    }
    return status;
}

} // namespace

ExitStatus verifyCommand(const VerifyOptions& options) {
    InterruptWatch interrupt;
    const ProgressStyle style = progressStyle(options.progress);
    ProgressSink progress(style);
    const auto run = openRun(options.folder, options.lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    return checkLanes(*run, style, progress, interrupt.token());
}

} // namespace lambdascope::cli
