// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/learned_solution.h"

#include "app/cli/data_input.h"
#include "core/common/number_text.h"
#include "core/data/alike_rows.h"
#include "core/run/known_lane.h"
#include "core/store/run_folder.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace lambdascope::cli {

namespace {

/// Keeps the solution of one point, and stops when it is there.
class SolutionSink : public EventSink {
  public:
    SolutionSink(RunId run, std::int32_t point, std::int32_t points, const DataProgress& progress)
        : m_run(run), m_point(point), m_points(points), m_progress(progress) {}
    void publish(const RunEvent& event) noexcept override {
        const auto* finished = std::get_if<PointFinished>(&event.body);
        if (event.run != m_run) {
            return;
        }
        if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
            m_failure = failed->message;
        }
        if (finished == nullptr) {
            return;
        }
        if (m_progress) {
            m_progress(static_cast<double>(finished->index + 1) / m_points, "computing the lane again");
        }
        if (finished->index == m_point) {
            m_solution = finished->solution;
            m_stop.request_stop();
        }
    }
    [[nodiscard]] std::stop_source stop() const { return m_stop; }
    [[nodiscard]] const std::shared_ptr<const Solution>& solution() const { return m_solution; }
    [[nodiscard]] const std::string& failure() const { return m_failure; }

  private:
    RunId m_run;
    std::int32_t m_point;
    double m_points;
    const DataProgress& m_progress;
    std::stop_source m_stop;
    std::shared_ptr<const Solution> m_solution;
    std::string m_failure;
};

/// What the run folder has of it; null when the run kept no solutions.
std::shared_ptr<const Solution> keptSolution(const OpenedRun& run, const std::string& lane, std::int32_t point) {
    if (!run.summary.value("solutions", false)) {
        return nullptr;
    }
    const auto records = readRunFolder(run.folder);
    for (const RunRecord& record : records.value_or(std::vector<RunRecord>())) {
        const PointRecord* finished = record.start().laneName == lane ? record.finishedPoint(point) : nullptr;
        if (finished != nullptr) {
            return finished->solution;
        }
    }
    return nullptr;
}

Result<std::shared_ptr<const Solution>> computeAgain(const OpenedRun& run, const std::string& lane, std::int32_t point,
                                                     ProgressSink& progress, const std::stop_token& stop) {
    const std::vector<std::string>& names = run.runner->laneNames();
    const auto place = std::find(names.begin(), names.end(), lane) - names.begin();
    const DataProgress draw = progress.preparation();
    SolutionSink sink(run.runner->runIds()[static_cast<std::size_t>(place)], point, point + 1, draw);
    const std::stop_callback forward(stop, [&sink] { sink.stop().request_stop(); });
    const auto outcome = run.runner->run(sink, sink.stop().get_token());
    progress.clear();
    if (!outcome) {
        return Failure{outcome.error()};
    }
    if (sink.solution() == nullptr && stop.stop_requested()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while computing the lane again")};
    }
    if (sink.solution() == nullptr) {
        return Failure{plainError(ErrorCode::Internal, "lane " + lane + " has no solution at point " +
                                                           std::to_string(point) +
                                                           (sink.failure().empty() ? "" : ": " + sink.failure()))};
    }
    return sink.solution();
}

/// The lane that is asked for, and with an oracle the lane that it needs.
Result<std::vector<std::string>> lanesFor(const std::string& folder, const std::string& asked, std::string& lane) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{summary.error()};
    }
    const Json lanes = summary->value("experiment", Json::object()).value("lanes", Json::array());
    std::vector<std::string> names;
    for (const Json& entry : lanes) {
        const std::string name = entry.value("name", std::string());
        if (name == asked || (asked.empty() && names.empty())) {
            lane = name;
            names = {name};
            const std::string oracle = entry.value(kOracleFact, std::string());
            if (!oracle.empty()) {
                names.push_back(oracle);
            }
        }
    }
    if (names.empty()) {
        lane = asked; // whoever opens the run says that there is none
        names = {asked};
    }
    return names;
}

} // namespace

Result<std::int64_t> pointNumber(const std::string& word) {
    if (word == "last") {
        return std::int64_t{-1};
    }
    const auto number = parseInteger(word);
    if (!number || *number < 0) {
        return Failure{singleFault(ErrorCode::BadUsage, {"--point",
                                                         "takes a number from 0, or last, not \"" + word + "\"",
                                                         "path.csv of the lane lists its points.",
                                                         {}})};
    }
    return *number;
}

Result<LearnedSolution> readLearnedSolution(const std::string& folder, const std::string& asked,
                                            const std::string& point, const std::string& dataFolder,
                                            ProgressSink& progress, const std::stop_token& stop) {
    const auto wanted = pointNumber(point);
    if (!wanted) {
        return Failure{wanted.error()};
    }
    LearnedSolution learned;
    const auto lanes = lanesFor(folder, asked, learned.lane);
    if (!lanes) {
        return Failure{lanes.error()};
    }
    RunWishes wishes;
    wishes.solutions = true;
    auto run = openRun(folder, *lanes, dataFolder, progress, stop, wishes);
    if (!run) {
        return Failure{run.error()};
    }
    learned.run = std::move(*run);
    const auto number = finishedPoint(learned.run, learned.lane, *wanted);
    if (!number) {
        return Failure{number.error()};
    }
    learned.point = *number;
    learned.solution = keptSolution(learned.run, learned.lane, learned.point);
    if (learned.solution == nullptr) {
        auto computed = computeAgain(learned.run, learned.lane, learned.point, progress, stop);
        if (!computed) {
            return Failure{computed.error()};
        }
        learned.solution = std::move(*computed);
    }
    return learned;
}

Result<std::shared_ptr<const Dataset>> rowsFor(const OpenedRun& run, const std::string& command,
                                               const std::string& input, const std::vector<std::string>& settings,
                                               const std::stop_token& stop) {
    if (input.empty()) {
        return run.runner->sharedDataset();
    }
    auto fresh = dataConfigOf(command, input, settings);
    if (!fresh) {
        return Failure{fresh.error()};
    }
    fresh->missing = MissingPolicy::Fail;
    DataPlaces places = run.places;
    std::error_code error;
    places.folders.insert(places.folders.begin(), std::filesystem::current_path(error));
    auto alike = loadAlike(run.runner->experiment().data, &*fresh, places, {}, stop);
    return alike ? Result<std::shared_ptr<const Dataset>>(std::move(alike->rows)) : Failure{alike.error()};
}

} // namespace lambdascope::cli
