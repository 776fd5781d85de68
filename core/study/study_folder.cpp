// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_folder.h"

#include "core/common/text_file.h"
#include "core/store/append_file.h"
#include "core/store/run_folder_layout.h"

#include <chrono>
#include <system_error>
#include <thread>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLog = "log";
constexpr const char* kCellFormat = "lambdascope-cell";
constexpr std::size_t kCellBytes = std::size_t{16} << 20U;
constexpr std::size_t kLogBytes = std::size_t{1} << 20U;
constexpr std::size_t kFailureBytes = 1000;
/// How long a process that was killed may take to be gone.
constexpr int kLockTries = 40;
constexpr std::chrono::milliseconds kLockPause{50};

Error folderFault(std::string message, std::string remedy) {
    return singleFault(ErrorCode::FileUnwritable, {{}, std::move(message), std::move(remedy), {}});
}

Result<void> makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    return error ? Result<void>(Failure{unwritable(folder, error.value())}) : Result<void>();
}

Result<void> move(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    return error ? Result<void>(Failure{unwritable(to, error.value())}) : Result<void>();
}

bool isStudyFile(const fs::path& file) {
    const auto document = readJsonDocument(file.string());
    return document && document->value.isObject() && document->value.value("format", Json()) == layout::kStudyFormat;
}

Json cellDocument(const Study& study, const StudyCell& cell, const CellResult& result) {
    Json document = Json::object();
    document["format"] = kCellFormat;
    document["study"] = study.name;
    Json values = Json::object();
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
        const std::vector<std::string> columns = study.axes[a].columnNames();
        for (std::size_t f = 0; f < columns.size(); ++f) {
            values[columns[f]] = study.axes[a].values[cell.choices[a]][f];
        }
    }
    document["values"] = std::move(values);
    document["seconds"] = result.seconds;
    document["cpu"] = result.cpu;
    document["bytes"] = result.bytes;
    document["lanes"] = Json::array();
    for (const LaneResult& lane : result.lanes) {
        Json entry = {{"lane", lane.lane}, {"ended", lane.ended}, {"points", lane.points}};
        if (!lane.failure.empty()) {
            entry["failure"] = lane.failure;
        }
        entry["measures"] = Json::object();
        for (const LaneMeasure& measure : lane.measures) {
            entry["measures"][measure.key] = measure.value;
        }
        document["lanes"].push_back(std::move(entry));
    }
    return document;
}

/// Throws JsonError for what this program did not write.
CellResult cellResultOf(const Json& document) {
    CellResult result;
    result.seconds = document.at("seconds").get<double>();
    result.cpu = document.at("cpu").get<double>();
    result.bytes = document.at("bytes").get<double>();
    for (const Json& entry : document.at("lanes")) {
        LaneResult lane;
        lane.lane = entry.at("lane").text();
        lane.ended = entry.at("ended").text();
        lane.failure = entry.value("failure", std::string());
        lane.points = entry.at("points").get<std::int64_t>();
        for (const auto& [key, value] : entry.at("measures").items()) {
            lane.measures.push_back({key, value.get<double>()});
        }
        result.lanes.push_back(std::move(lane));
    }
    return result;
}

/// The last lines of a log, without the blanks around them.
std::string endOfLog(const fs::path& file) {
    std::string text = readTextFile(file, kLogBytes, "a log").value_or(std::string("nothing is known of why"));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    return text.size() > kFailureBytes ? "…" + text.substr(text.find('\n', text.size() - kFailureBytes) + 1) : text;
}

} // namespace

Result<void> checkStudyFolder(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (folder.empty() || (fs::exists(status) && !fs::is_directory(status))) {
        return Failure{folderFault("\"" + folder.string() + "\" is no folder", "Choose the name of a folder.")};
    }
    const fs::path file = folder / layout::kStudyFile;
    if (!fs::exists(status) || holdsAtMostDraftOf(file, error) || isStudyFile(file)) {
        return {};
    }
    return Failure{folderFault(folder.string() + " holds files that are no study", "Choose a new or empty folder.")};
}

Result<void> openStudyFolder(const fs::path& folder, const Study& study, const std::string& version) {
    if (auto made = makeFolder(folder); !made) {
        return made;
    }
    const std::string text = study.document(version).dump(2) + "\n";
    const auto before = readTextFile(folder / layout::kStudyFile, std::size_t{64} << 20U, "a study");
    if (!before || *before != text) {
        if (auto written = writeFileAtomically(folder / layout::kStudyFile, text); !written) {
            return written;
        }
    }
    for (const char* part : {layout::kCells, layout::kFailedCells, layout::kCellsAtWork}) {
        if (auto made = makeFolder(folder / part); !made) {
            return made;
        }
    }
    return {};
}

CellStatus readCellStatus(const fs::path& folder, const StudyCell& cell) {
    CellStatus status;
    const auto text = readTextFile(folder / layout::kCells / cell.name / layout::kCellFile, kCellBytes, "a cell");
    if (const auto document = text ? Json::tryParse(*text) : std::nullopt) {
        try {
            status.result = cellResultOf(*document);
            status.state = CellState::Finished;
            return status;
        } catch (const JsonError&) {
            status.result = {}; // damaged: computed again
        }
    }
    std::error_code error;
    const fs::path log = folder / layout::kFailedCells / cell.name / kLog;
    if (fs::exists(log, error)) {
        status.state = CellState::Failed;
        status.failure = endOfLog(log);
    }
    return status;
}

Result<void> finishCell(const fs::path& folder, const fs::path& work, const Study& study, const StudyCell& cell,
                        const CellResult& result) {
    const std::string text = cellDocument(study, cell, result).dump(1) + "\n";
    if (auto written = writeFileAtomically(work / layout::kCellFile, text); !written) {
        return written;
    }
    const fs::path place = folder / layout::kCells / cell.name;
    forgetFailure(folder, cell);
    std::error_code error;
    fs::rename(work, place, error);
    if (error == std::errc::directory_not_empty || error == std::errc::file_exists) {
        if (readCellStatus(folder, cell).state == CellState::Finished) {
            fs::remove_all(work, error); // another process was faster
            return {};
        }
        fs::remove_all(place, error);
        return move(work, place);
    }
    return error ? Result<void>(Failure{unwritable(place, error.value())}) : Result<void>();
}

Result<void> failCell(const fs::path& folder, const fs::path& work, const fs::path& log, const StudyCell& cell) {
    forgetFailure(folder, cell);
    if (auto made = makeFolder(work); !made) { // where the cell never got so far
        return made;
    }
    if (auto moved = move(log, work / kLog); !moved) {
        return moved;
    }
    return move(work, folder / layout::kFailedCells / cell.name);
}

void forgetFailure(const fs::path& folder, const StudyCell& cell) {
    std::error_code ignored;
    fs::remove_all(folder / layout::kFailedCells / cell.name, ignored);
}

Result<FolderLock> lockStudyFolder(const fs::path& folder) {
    if (auto made = makeFolder(folder); !made) {
        return Failure{made.error()};
    }
    for (int i = 0; i < kLockTries; ++i) {
        if (auto lock = FolderLock::take(folder)) {
            return lock;
        }
        std::this_thread::sleep_for(kLockPause);
    }
    return Failure{folderFault("another process is computing the study in " + folder.string(),
                               "Wait for it to end, or choose another folder.")};
}

} // namespace lambdascope
