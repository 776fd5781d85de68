// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/run_choices.h"
#include "app/cli/text_table.h"
#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/inspect/certifier.h"
#include "core/run/run_lens.h"
#include "core/store/certificate_data.h"
#include "core/store/certificate_writer.h"
#include "core/store/lane_audit.h"
#include "core/store/run_folder_layout.h"

#include <cstdio>
#include <optional>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

Failure badUsage(std::string key, std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::BadUsage, {std::move(key), std::move(message), std::move(remedy), {}})};
}

/// "3-7", "3-" or "3", counted from 0; all points when empty.
Result<Certifier::Range> pointRange(const std::string& text) {
    Certifier::Range range;
    if (text.empty()) {
        return range;
    }
    const std::size_t dash = text.find('-');
    const auto first = parseInteger(text.substr(0, dash));
    const std::string rest = dash == std::string::npos ? text : text.substr(dash + 1);
    const auto last = rest.empty() ? std::optional<std::int64_t>(range.last) : parseInteger(rest);
    if (!first || !last || *first < 0 || *last < *first || *last > range.last) {
        return badUsage("--points", "\"" + text + "\" is no range of points", "Write A-B, counted from 0, as in 0-9.");
    }
    return Certifier::Range{static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last)};
}

/// The folder must be new, empty, or an earlier certificate that may go.
Result<void> checkFolder(const fs::path& folder, bool force) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored) || (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored))) {
        return {};
    }
    if (!fs::exists(folder / CertificateWriter::kSummary, ignored)) {
        return badUsage("--out", folder.string() + " exists and is no certificate", "Name another folder.");
    }
    return force ? Result<void>()
                 : badUsage("--out", folder.string() + " holds a certificate", "Name another folder, or use --force.");
}

/// What all lanes share.
struct Certification {
    const OpenedRun& run;
    CertificateWriter& writer;
    Certifier::Range range;
    Json problem = {};
    std::vector<CertificateWriter::LaneSum> lanes = {};
    std::string rawFile = {}; ///< that the checker wants to see; empty when the certificate has the values itself
};

/// Whether there are certificates of the problem that all lanes solve.
Result<void> checkProblem(const ExperimentRunner& runner) {
    const auto lens = runner.makeLens(0);
    if (lens == nullptr) {
        return badUsage({}, runner.lensObstacle(), "Certify another run.");
    }
    const auto certifier = capability<Certifier>(*lens);
    if (!certifier) {
        return Failure{certifier.error()};
    }
    const std::string obstacle = (*certifier)->certificateObstacle();
    return obstacle.empty()
               ? Result<void>()
               : badUsage({}, "certificates have no rules for " + obstacle, "lambdascope-cli verify checks such runs.");
}

Result<void> certifyLane(Certification& work, std::size_t position, const RunLens::Progress& progress,
                         const std::stop_token& stop) {
    const ExperimentRunner& runner = *work.run.runner;
    const std::string& lane = runner.laneNames()[position];
    const auto stored = readStoredPath(work.run.folder / lane / layout::kPath);
    if (!stored) {
        return Failure{stored.error()};
    }
    const auto lens = runner.makeLens(position);
    auto& certifier = dynamic_cast<Certifier&>(*lens); // see checkProblem()
    work.problem = certifier.certificateProblem();
    work.writer.beginLane(lane);
    auto axis = storedAxis(*stored, lens->lane());
    if (!axis) {
        return Failure{axis.error()};
    }
    const auto count = static_cast<std::int32_t>(axis->size());
    if (count > 0) {
        if (auto set = lens->computeAt(std::move(*axis)); !set) {
            return set;
        }
        const auto take = [&](const CertifiedPoint& point) { return work.writer.add(point); };
        if (auto done = certifier.certify(work.range, count, take, progress, stop); !done) {
            return done;
        }
    }
    work.lanes.push_back(work.writer.lane());
    return work.writer.endLane();
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

Result<void> certifyAll(Certification& work, ProgressSink& progress, const std::stop_token& stop) {
    const ExperimentRunner& runner = *work.run.runner;
    const std::size_t count = runner.laneNames().size();
    const DataProgress draw = progress.preparation();
    for (std::size_t i = 0; i < count; ++i) {
        const auto share = [&](double done) {
            if (draw) {
                draw((static_cast<double>(i) + done) / static_cast<double>(count),
                     "certifying lane " + runner.laneNames()[i]);
            }
        };
        auto done = certifyLane(work, i, share, stop);
        progress.clear();
        if (!done) {
            return done;
        }
    }
    return {};
}

Result<void> certifyRun(const CertifyOptions& options, ProgressSink& progress, const std::stop_token& stop,
                        Certification& work) {
    if (auto done = certifyAll(work, progress, stop); !done) {
        return done;
    }
    const ExperimentRunner& runner = *work.run.runner;
    auto data = certificateData(runner.dataset(), runner.experiment().data, work.run.places, options.out, stop);
    if (!data) {
        return Failure{data.error()};
    }
    const std::string file = data->value("file", std::string());
    work.rawFile = fs::exists(fs::path(options.out) / file) ? std::string() : " " + file;
    return work.writer.finish(runner.experiment().family, std::string("lambdascope ") + LAMBDASCOPE_VERSION,
                              std::move(*data), work.problem);
}

} // namespace

ExitStatus certifyCommand(const CertifyOptions& options) {
    const auto range = pointRange(options.points);
    if (!range) {
        return report(range.error());
    }
    if (auto checked = checkFolder(options.out, options.force); !checked) {
        return report(checked.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle(options.progress));
    const auto run = openRun(options.folder, options.lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    if (auto checked = checkProblem(*run->runner); !checked) {
        return report(checked.error());
    }
    auto writer = CertificateWriter::create(options.out);
    if (!writer) {
        return report(writer.error());
    }
    Certification work{*run, *writer, *range};
    if (auto done = certifyRun(options, progress, interrupt.token(), work); !done) {
        return report(done.error());
    }
    printLanes(work.lanes);
    const fs::path checker = resourceFolder() / "certificate" / "check.py";
    std::printf("check it: python3 %s %s%s\n", checker.c_str(), options.out.c_str(), work.rawFile.c_str());
    std::int64_t unsure = 0;
    for (const auto& lane : work.lanes) {
        unsure += lane.unsure;
    }
    return unsure > 0 ? ExitStatus::NotProven : ExitStatus::Done;
}

} // namespace lambdascope::cli
