// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_certificate.h"

#include "core/common/resource_folder.h"
#include "core/run/experiment_runner.h"
#include "core/store/build_facts.h"
#include "core/store/certificate_data.h"
#include "core/store/lane_audit.h"

#include <algorithm>
#include <numeric>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

Failure refused(std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::BadUsage, {{}, std::move(message), std::move(remedy), {}})};
}

/// The problem that all lanes solve.
struct ProblemStatement {
    Json problem;
    std::vector<fs::path> files; ///< that it names
};

/// BadUsage where there are no certificates of it.
Result<ProblemStatement> problemStatement(const ExperimentRunner& runner) {
    const auto lens = runner.makeLens(0);
    if (lens == nullptr) {
        return refused(runner.lensObstacle(), "Certify another run.");
    }
    const auto certifier = capability<Certifier>(*lens);
    if (!certifier) {
        return Failure{certifier.error()};
    }
    const std::string obstacle = (*certifier)->certificateObstacle();
    if (!obstacle.empty()) {
        return refused("certificates have no rules for " + obstacle,
                       "Verify checks such runs: lambdascope-cli verify, or the Inspector's button.");
    }
    return ProblemStatement{(*certifier)->certificateProblem(), (*certifier)->certificateFiles()};
}

Result<void> certifyLane(const ExperimentRunner& runner, const CertificateOrder::Lane& lane, Certifier::Range points,
                         CertificateWriter& writer, const RunLens::Progress& progress, const std::stop_token& stop) {
    const std::vector<std::string>& names = runner.laneNames();
    const auto at = std::find(names.begin(), names.end(), lane.name);
    if (at == names.end()) {
        return refused("the experiment has no lane " + lane.name, "Certify another lane.");
    }
    const auto lens = runner.makeLens(static_cast<std::size_t>(at - names.begin()));
    writer.beginLane(lane.name);
    auto axis = storedAxis(lane.path, lens->lane());
    if (!axis) {
        return Failure{axis.error()};
    }
    const auto count = static_cast<std::int32_t>(axis->size());
    if (count > 0) {
        if (auto set = lens->computeAt(std::move(*axis)); !set) {
            return set;
        }
        const auto take = [&](const CertifiedPoint& point) { return writer.add(point); };
        // See problemStatement(): lenses of one problem are all of one kind.
        auto& certifier = dynamic_cast<Certifier&>(*lens);
        if (auto done = certifier.certify(points, count, take, progress, stop); !done) {
            return done;
        }
    }
    return writer.endLane();
}

Result<RunCertificate> writeAll(const ExperimentRunner& runner, const CertificateOrder& order, const DataPlaces& places,
                                ProblemStatement problem, CertificateWriter& writer,
                                const std::function<void(const std::string& lane, double share)>& progress,
                                const std::stop_token& stop) {
    RunCertificate made{order.folder, {}, {}};
    const auto count = static_cast<double>(order.lanes.size());
    for (const CertificateOrder::Lane& lane : order.lanes) {
        const auto share = [&](double done) {
            if (progress) {
                progress(lane.name, (static_cast<double>(made.lanes.size()) + done) / count);
            }
        };
        if (auto done = certifyLane(runner, lane, order.points, writer, share, stop); !done) {
            return Failure{done.error()};
        }
        made.lanes.push_back(writer.lane());
    }
    const Experiment& experiment = runner.experiment();
    auto data = certificateData(runner.dataset(), experiment.data, places, order.folder, stop);
    if (!data) {
        return Failure{data.error()};
    }
    if (!fs::exists(order.folder / data->at("file").text())) {
        made.files.push_back(rawDataFile(experiment.data, places).value_or(fs::path()));
    }
    made.files.insert(made.files.end(), problem.files.begin(), problem.files.end());
    const std::string program = "lambdascope " + buildFacts().value("version", std::string());
    if (auto done = writer.finish(experiment.family, program, std::move(*data), std::move(problem.problem)); !done) {
        return Failure{done.error()};
    }
    return made;
}

std::int64_t summed(const std::vector<CertificateWriter::LaneSum>& lanes,
                    std::int64_t CertificateWriter::LaneSum::*member) {
    return std::accumulate(lanes.begin(), lanes.end(), std::int64_t(0),
                           [member](std::int64_t sum, const auto& lane) { return sum + lane.*member; });
}

} // namespace

std::int64_t RunCertificate::decided() const {
    return summed(lanes, &CertificateWriter::LaneSum::decided);
}

std::int64_t RunCertificate::unsure() const {
    return summed(lanes, &CertificateWriter::LaneSum::unsure);
}

std::vector<std::string> RunCertificate::checkCommand() const {
    std::vector<std::string> words{"python3", (resourceFolder() / "certificate" / "check.py").string(),
                                   folder.string()};
    for (const fs::path& file : files) {
        words.push_back(file.string());
    }
    return words;
}

Result<bool> holdsCertificate(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored) || (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored))) {
        return false;
    }
    return fs::exists(folder / CertificateWriter::kSummary, ignored)
               ? Result<bool>(true)
               : refused(folder.string() + " exists and is no certificate", "Name another folder.");
}

Result<RunCertificate> certifyRun(const ExperimentRunner& runner, const CertificateOrder& order,
                                  const DataPlaces& places,
                                  const std::function<void(const std::string& lane, double share)>& progress,
                                  const std::stop_token& stop) {
    auto problem = problemStatement(runner);
    if (!problem) {
        return Failure{problem.error()};
    }
    auto writer = CertificateWriter::create(order.folder);
    if (!writer) {
        return Failure{writer.error()};
    }
    auto made = writeAll(runner, order, places, std::move(*problem), *writer, progress, stop);
    if (!made) {
        writer->discard();
    }
    return made;
}

} // namespace lambdascope
