// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/run_choices.h"
#include "core/common/number_text.h"
#include "core/common/text_table.h"
#include "core/run/experiment_runner.h"
#include "core/store/audit_file.h"
#include "core/store/build_facts.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_layout.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

/// A lane that ended by itself says in run.json how many points it has.
void checkPointCount(const Json& summary, const StoredPath& stored, LaneAudit& audit) {
    for (const Json& entry : summary.value("lanes", Json::array())) {
        const auto points = entry.value("points", static_cast<std::int64_t>(stored.rows.size()));
        if (entry.value("name", std::string()) == audit.lane &&
            entry.value("state", std::string()) == recordStateName(RunRecord::State::Finished) &&
            points != static_cast<std::int64_t>(stored.rows.size())) {
            audit.path.addWrong("path.csv has " + std::to_string(stored.rows.size()) + " points, run.json says " +
                                std::to_string(points));
        }
    }
}

/// A file of comparisons is data too: it must be that of the run.
Result<void> checkComparisons(const Json& summary, const std::string& lane, const Json& facts) {
    const std::string now = facts.value("comparisons_sha256", std::string());
    for (const Json& entry : summary.value("lanes", Json::array())) {
        const std::string then = entry.value("facts", Json::object()).value("comparisons_sha256", now);
        if (entry.value("name", std::string()) == lane && then != now) {
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
    const std::string& lane = runner.laneNames()[position];
    const auto stored = readStoredPath(folder / lane / layout::kPath);
    if (!stored) {
        return Failure{stored.error()};
    }
    const auto lens = runner.makeLens(position);
    if (lens == nullptr) {
        return Failure{singleFault(ErrorCode::BadUsage, {{}, runner.lensObstacle(), "Check another run.", {}})};
    }
    if (auto checked = checkComparisons(summary, lane, lens->lane().facts); !checked) {
        return Failure{checked.error()};
    }
    auto audit = auditLane(*lens, lane, *stored, progress, std::move(stop));
    if (audit) {
        checkPointCount(summary, *stored, *audit);
    }
    return audit;
}

std::string verdictOf(const LaneAudit& audit) {
    const std::string text(verdictName(judgementOf(audit).verdict));
    return audit.unsafeReason.empty() ? text : text + " (unsafe: " + audit.unsafeReason + ")";
}

void printLines(const std::string& lane, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        std::printf("%s: %s\n", lane.c_str(), line.c_str());
    }
}

/// True when the lanes are the same to the last bit.
bool printBits(const std::vector<LaneAudit>& audits, const Json& summary) {
    bool isSame = true;
    for (const LaneAudit& audit : audits) {
        const std::int64_t count = audit.path.differences;
        if (count > 0) {
            isSame = false;
            printLines(audit.lane,
                       {groupedText(count) + (count == 1 ? " value differs" : " values differ") + " in the last bits"});
            printLines(audit.lane, audit.path.examples);
        }
    }
    if (isSame) {
        std::puts("all values but times are the same to the last bit");
        return true;
    }
    const std::vector<std::string> builds = buildDifferences(summary.value("build", Json()));
    printLines("build", builds.empty() ? std::vector<std::string>{"the same as that of the run"} : builds);
    return false;
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
        for (const std::vector<std::string>& lines :
             {judgementOf(audit).reasons, audit.path.wrongExamples, audit.report.examples}) {
            printLines(audit.lane, lines);
        }
    }
}

/// What a verdict makes of what the lanes before came to: wrong counts more than not proven.
ExitStatus worse(ExitStatus before, Verdict verdict) {
    const bool mayWorsen = before == ExitStatus::Done || before == ExitStatus::NotProven;
    if (!mayWorsen || verdict == Verdict::Proven) {
        return before;
    }
    return verdict == Verdict::Wrong ? ExitStatus::Failed : ExitStatus::NotProven;
}

/// Checks lane after lane; what is finished is printed whatever happens to the rest.
ExitStatus checkLanes(const OpenedRun& run, const VerifyOptions& options, ProgressSink& progress,
                      const std::stop_token& stop) {
    const ProgressStyle style = progressStyle(options.progress);
    const std::vector<std::string>& lanes = run.runner->laneNames();
    const DataProgress draw = progress.preparation();
    std::vector<LaneAudit> audits;
    ExitStatus status = ExitStatus::Done;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
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
            std::fprintf(stderr, "%s: %s\n", lanes[i].c_str(), judgementText(*audit).c_str());
        }
        if (auto written = writeAudit(run.folder, *audit, LAMBDASCOPE_VERSION); !written) {
            std::fprintf(stderr, "warning: %s\n", written.error().describe().c_str());
        }
        status = worse(status, judgementOf(*audit).verdict);
        audits.push_back(std::move(*audit));
    }
    if (!audits.empty()) {
        printTable(audits, run.pathless);
    }
    if (options.bits && !audits.empty() && !printBits(audits, run.summary)) {
        status = worse(status, Verdict::Wrong);
    }
    // What a run says it computed and cannot show is as good as wrong.
    for (const std::string& lane : run.pathless) {
        std::fprintf(stderr, "lambdascope-cli: lane %s was not checked: there is no %s\n", lane.c_str(),
                     (run.folder / lane / layout::kPath).c_str());
        status = worse(status, Verdict::Wrong);
    }
    if (status == ExitStatus::Interrupted) {
        std::fputs("interrupted; lanes that are not listed were not checked\n", stderr);
    }
    return status;
}

} // namespace

ExitStatus verifyCommand(const VerifyOptions& options) {
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle(options.progress));
    const auto run = openRun(options.folder, options.lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    return checkLanes(*run, options, progress, interrupt.token());
}

} // namespace lambdascope::cli
