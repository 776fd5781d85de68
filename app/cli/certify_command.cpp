// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/run_choices.h"
#include "core/common/number_text.h"
#include "core/common/shell_word.h"
#include "core/common/text_table.h"
#include "core/store/run_certificate.h"
#include "core/store/run_folder_layout.h"

#include <cstdio>

namespace lambdascope::cli {

namespace {

Error badUsage(std::string key, std::string message, std::string remedy) {
    return singleFault(ErrorCode::BadUsage, {std::move(key), std::move(message), std::move(remedy), {}});
}

void printLanes(const std::vector<CertificateWriter::LaneSum>& lanes) {
    using Align = TextTable::Align;
    TextTable table(
        {{"lane"}, {"points", Align::Right}, {"decisions", Align::Right}, {"perhaps too near", Align::Right}});
    for (const auto& lane : lanes) {
        table.addRow({lane.name, lane.points > 0 ? std::to_string(lane.points) : "–", groupedText(lane.decided),
                      groupedText(lane.unsure)});
    }
    std::fputs(table.text().c_str(), stdout);
}

Result<RunCertificate> certifyOpened(const OpenedRun& run, CertificateOrder order, ProgressSink& progress,
                                     const std::stop_token& stop) {
    for (const std::string& lane : run.runner->laneNames()) {
        auto stored = readStoredPath(run.folder / lane / layout::kPath);
        if (!stored) {
            return Failure{stored.error()};
        }
        order.lanes.push_back({lane, std::move(*stored)});
    }
    const DataProgress draw = progress.preparation();
    const auto share = [&](const std::string& lane, double done) {
        if (draw) {
            draw(done, "certifying lane " + lane);
        }
    };
    auto made = certifyRun(*run.runner, order, run.places, share, stop);
    progress.clear();
    return made;
}

} // namespace

ExitStatus certifyCommand(const CertifyOptions& options) {
    const auto range = pointRange(options.points);
    if (!range) {
        return report(badUsage("--points", "\"" + options.points + "\" is no range of points",
                               "Write A-B, counted from 0, as in 0-9."));
    }
    const auto held = holdsCertificate(options.out);
    if (!held || (*held && !options.force)) {
        return report(
            held ? badUsage("--out", options.out + " holds a certificate", "Name another folder, or use --force.")
                 : held.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle(options.progress));
    const auto run = openRun(options.folder, options.lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    const auto made = certifyOpened(*run, {options.out, {}, *range}, progress, interrupt.token());
    if (!made) {
        return report(made.error());
    }
    printLanes(made->lanes);
    std::string command;
    for (const std::string& word : made->checkCommand()) {
        command += " " + shellWord(word);
    }
    std::printf("check it:%s\n", command.c_str());
    return made->unsure() > 0 ? ExitStatus::NotProven : ExitStatus::Done;
}

} // namespace lambdascope::cli
