// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder.h"

#include "core/config/json_text.h"
#include "core/record/event_log.h"
#include "core/run/path_runner.h"
#include "core/store/append_file.h"
#include "core/store/folder_lock.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder_layout.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// run.json has the resolved experiment, spread over lines, and some numbers per lane.
constexpr std::size_t kSummaryBytes = std::size_t{32} << 20U;

Error folderFault(std::string message, std::string remedy, ErrorCode code = ErrorCode::FileUnwritable) {
    Fault fault;
    fault.message = std::move(message);
    fault.remedy = std::move(remedy);
    return singleFault(code, std::move(fault));
}

Result<void> checkExistingFolder(const fs::path& folder, ExistingRun existing) {
    std::error_code error;
    const bool isEmpty = holdsAtMostDraftOf(folder / layout::kSummary, error);
    if (error) {
        return Failure{unwritable(folder, error.value())};
    }
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return Failure{unwritable(folder, errno)};
    }
    if (isEmpty) {
        return {};
    }
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{folderFault(folder.string() + " holds files that are no run", "Choose a new or empty folder.")};
    }
    if (isProcessAlive(summary->value(layout::kProcess, std::string()))) {
        return Failure{folderInUse(folder)};
    }
    if (existing == ExistingRun::Refuse) {
        return Failure{folderFault(folder.string() + " holds an earlier run",
                                   "Choose another folder, or add --force to replace that run.")};
    }
    return {};
}

/// Adds a fault when `object` has the member but of another type than a text, an object or a list. Null is none.
void expectMember(const Json& object, const std::string& path, const char* key, Json::Kind type,
                  std::vector<Fault>& faults) {
    const auto found = object.find(key);
    if (found != object.end() && !found->isNull() && found->kind() != type) {
        const char* wanted = type == Json::Kind::Text     ? "a text in quotes"
                             : type == Json::Kind::Object ? "an object in braces"
                                                          : "a list in brackets";
        faults.push_back({path + key,
                          std::string("takes ") + wanted,
                          "Restore the file from a copy, or run the experiment again.",
                          {}});
    }
}

Json memberOrEmpty(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->isNull() ? Json::object() : *found;
}

/// What keeps the rest of the program from reading run.json as it was written.
std::vector<Fault> faultsOfSummary(const Json& summary) {
    using Type = Json::Kind;
    std::vector<Fault> faults;
    for (const char* key : {"name", "family", "state", "version", "data_sha256", layout::kProcess}) {
        expectMember(summary, "", key, Type::Text, faults);
    }
    expectMember(summary, "", "experiment", Type::Object, faults);
    expectMember(summary, "", "lanes", Type::Array, faults);
    if (!faults.empty()) {
        return faults;
    }
    const Json experiment = memberOrEmpty(summary, "experiment");
    expectMember(experiment, "experiment.", "data", Type::Object, faults);
    if (faults.empty()) {
        expectMember(memberOrEmpty(experiment, "data"), "experiment.data.", "source", Type::Text, faults);
    }
    const Json lanes = summary.value("lanes", Json::array());
    for (std::size_t i = 0; i < lanes.size() && faults.empty(); ++i) {
        const std::string path = "lanes[" + std::to_string(i) + "]";
        if (!lanes[i].isObject()) {
            faults.push_back(
                {path, "takes an object in braces", "Restore the file from a copy, or run the experiment again.", {}});
            break;
        }
        expectMember(lanes[i], path + ".", "name", Type::Text, faults);
        expectMember(lanes[i], path + ".", "state", Type::Text, faults);
        expectMember(lanes[i], path + ".", "facts", Type::Object, faults);
        if (faults.empty()) {
            expectMember(memberOrEmpty(lanes[i], "facts"), path + ".facts.", "comparisons_sha256", Type::Text, faults);
        }
    }
    return faults;
}

/// The matrices of one point as RunFolderWriter wrote them; null when there are none or the file is damaged.
std::shared_ptr<const Solution> readSolution(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    auto solution = std::make_shared<Solution>();
    std::string line;
    while (std::getline(stream, line)) {
        std::istringstream header(line);
        std::string hash;
        NamedMatrix matrix;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max(); // so that their product is a number
        if (!(header >> hash >> matrix.name >> rows >> columns) || hash != "#" || rows < 0 || columns < 0 ||
            rows > kMost || columns > kMost) {
            return nullptr;
        }
        std::vector<double> values;
        for (std::int64_t row = 0; row < rows && std::getline(stream, line); ++row) {
            const char* at = line.data();
            const char* const end = line.data() + line.size();
            while (at < end) {
                double value = 0;
                const auto read = std::from_chars(at, end, value);
                if (read.ec != std::errc()) {
                    return nullptr;
                }
                values.push_back(value);
                at = read.ptr + 1; // behind the comma
            }
        }
        if (static_cast<std::int64_t>(values.size()) != rows * columns) {
            return nullptr;
        }
        matrix.values = MatrixValues(rows, columns);
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto place = static_cast<std::int64_t>(k);
            matrix.values(place / columns, place % columns) = values[k];
        }
        solution->push_back(std::move(matrix));
    }
    return solution->empty() ? nullptr : solution;
}

} // namespace

Result<void> checkRunFolder(const fs::path& folder, ExistingRun existing) {
    std::error_code error;
    if (folder.empty()) {
        return Failure{folderFault("the name of the folder is empty", "Name a folder.", ErrorCode::BadUsage)};
    }
    const fs::file_status status = fs::status(folder, error);
    if (fs::is_directory(status)) {
        return checkExistingFolder(folder, existing);
    }
    if (fs::exists(status)) {
        return Failure{folderFault(folder.string() + " is a file, not a folder", "Choose the name of a folder.")};
    }
    // The folder will have to be made: look at what it would be made in.
    fs::path parent = fs::absolute(folder, error).lexically_normal();
    while (!fs::exists(parent, error) && parent.has_parent_path() && parent != parent.parent_path()) {
        parent = parent.parent_path();
    }
    if (!fs::is_directory(parent, error)) {
        return Failure{
            folderFault("cannot make " + folder.string() + " because " + parent.string() + " is a file, not a folder",
                        "Choose another place.")};
    }
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
        return Failure{unwritable(folder, errno)};
    }
    return {};
}

Result<Json> readRunSummary(const fs::path& folder) {
    const fs::path file = folder / layout::kSummary;
    auto document = readJsonDocument(file.string(), kSummaryBytes, "the description of a run");
    if (!document) {
        Error error = std::move(document).error();
        if (error.code == ErrorCode::FileNotFound) {
            return Failure{folderFault(folder.string() + " is no run folder: it has no " + layout::kSummary,
                                       "Name a folder that a run was written to.", ErrorCode::FileNotFound)};
        }
        error.code = error.code == ErrorCode::InvalidConfiguration ? ErrorCode::InvalidData : error.code;
        return Failure{std::move(error)};
    }
    if (!document->value.isObject() || document->value.value("format", Json()) != layout::kFormat) {
        return Failure{folderFault(file.string() + " was not written by lambdascope",
                                   "Name a folder that a run was written to.", ErrorCode::InvalidData)};
    }
    std::vector<Fault> faults = faultsOfSummary(document->value);
    if (!faults.empty()) {
        locateFaults(faults, document->places);
        return Failure{singleFault(ErrorCode::InvalidData, std::move(faults.front()))};
    }
    return std::move(document->value);
}

Result<std::vector<std::vector<RunEvent>>> readRunEvents(const fs::path& folder) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{summary.error()};
    }
    std::vector<std::vector<RunEvent>> lanes;
    for (const Json& lane : summary->value("lanes", Json::array())) {
        const fs::path file = folder / lane.value("name", std::string()) / layout::kEvents;
        std::error_code error;
        if (!fs::exists(file, error)) {
            continue; // killed before the lane began
        }
        auto events = readEventLog(file);
        if (!events) {
            return Failure{std::move(events).error()};
        }
        const RunId run = RunIdSource::next();
        for (RunEvent& event : *events) {
            event.run = run;
            if (auto* finished = std::get_if<PointFinished>(&event.body); finished != nullptr) {
                finished->solution = readSolution(file.parent_path() /
                                                  (layout::kSolutionStem + std::to_string(finished->index) + ".csv"));
            }
        }
        if (!events->empty()) {
            lanes.push_back(std::move(*events));
        }
    }
    return lanes;
}

Result<std::vector<RunRecord>> readRunFolder(const fs::path& folder) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{summary.error()};
    }
    const bool isAlive = isProcessAlive(summary->value(layout::kProcess, std::string()));
    auto lanes = readRunEvents(folder);
    if (!lanes) {
        return Failure{std::move(lanes).error()};
    }
    std::vector<RunRecord> records;
    for (const std::vector<RunEvent>& events : *lanes) {
        RunRecord record(events.front().run);
        for (const RunEvent& event : events) {
            record.apply(event);
        }
        if (!isAlive) {
            record.markInterrupted();
        }
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace lambdascope
