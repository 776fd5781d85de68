// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_transfer.h"

#include "core/config/json_document.h"
#include "core/record/event_log.h"
#include "core/run/path_runner.h"
#include "core/store/library_sink.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_layout.h"
#include "core/store/run_folder_writer.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNameBytes = 40; ///< of a folder

Error badUse(std::string message, std::string remedy) {
    return singleFault(ErrorCode::BadUsage, {{}, std::move(message), std::move(remedy), {}});
}

/// Letters and digits, with a hyphen for all else between them.
std::string plainWord(const std::string& text) {
    std::string word;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            word += c;
        } else if (!word.empty() && word.back() != '-') {
            word += '-';
        }
        if (word.size() == kNameBytes) {
            break;
        }
    }
    while (!word.empty() && word.back() == '-') {
        word.pop_back();
    }
    return word;
}

/// The folders in `parent` that hold a run, by name.
std::vector<fs::path> runFoldersIn(const fs::path& parent) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        if (fs::exists(entry.path() / layout::kSummary, error)) {
            folders.push_back(entry.path());
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

/// What is to be taken in, and how it is labelled.
struct Source {
    std::vector<fs::path> folders;
    std::string tag;
    std::string notes;
};

Result<Source> sourceOf(const fs::path& folder) {
    std::error_code error;
    Source source;
    if (fs::exists(folder / layout::kSummary, error)) {
        source.folders = {folder};
        return source;
    }
    // A study, known by its cells: the rooms above know what else is in its folder.
    if (const auto study = readJsonDocument((folder / "study.json").string()); study && study->value.isObject()) {
        const std::string name = study->value.value("name", std::string());
        source.folders = runFoldersIn(folder / "cells");
        source.tag = plainWord(name);
        source.notes = "A cell of the study " + name + ".";
    } else {
        source.folders = runFoldersIn(folder);
    }
    if (source.folders.empty()) {
        return Failure{badUse(folder.string() + " holds no run that is finished",
                              "Name a run folder, a study's folder, or a folder with run folders in it.")};
    }
    return source;
}

class Importer {
  public:
    Importer(std::shared_ptr<RunLibrary> library, Source source)
        : m_library(std::move(library)), m_source(std::move(source)) {}

    Result<ImportedRuns> run(const TransferProgress& progress, const std::stop_token& stop) {
        auto kept = m_library->experiments();
        if (!kept) {
            return Failure{std::move(kept).error()};
        }
        m_kept = std::move(*kept);
        for (std::size_t i = 0; i < m_source.folders.size() && !stop.stop_requested(); ++i) {
            if (auto taken = take(m_source.folders[i]); !taken) {
                return Failure{taken.error()};
            }
            if (progress) {
                progress(i + 1, m_source.folders.size());
            }
        }
        return std::move(m_imported);
    }

  private:
    [[nodiscard]] bool isKnown(const std::string& startedAt, const Json& experiment) const {
        return std::any_of(m_kept.begin(), m_kept.end(), [&](const LibraryExperiment& each) {
            if (each.createdAt != startedAt) {
                return false;
            }
            const auto document = m_library->experimentDocument(each.id);
            return document && *document == experiment;
        });
    }

    Result<void> take(const fs::path& folder) {
        const auto summary = readRunSummary(folder);
        if (!summary) {
            return Failure{summary.error()};
        }
        if (isProcessAlive(summary->value(layout::kProcess, std::string()))) {
            return Failure{badUse("the run in " + folder.string() + " is being computed", "Wait for it to end.")};
        }
        const auto lanes = readRunEvents(folder);
        if (!lanes) {
            return Failure{lanes.error()};
        }
        if (lanes->empty()) {
            return Failure{badUse("no lane of the run in " + folder.string() + " had begun", "Leave it out.")};
        }
        const std::string startedAt = summary->value("started", std::string("unknown"));
        if (isKnown(startedAt, summary->value("experiment", Json()))) {
            ++m_imported.known;
            return {};
        }
        LibrarySink sink(m_library, startedAt);
        for (const std::vector<RunEvent>& events : *lanes) {
            replay(events, sink);
        }
        Result<void> done = sink.error() ? Failure{*sink.error()} : label(folder, *lanes, sink);
        if (!done && sink.experimentId()) {
            (void)m_library->removeExperiment(*sink.experimentId());
        } else if (done) {
            m_imported.added.push_back(*sink.experimentId());
        }
        return done;
    }

    Result<void> label(const fs::path& folder, const std::vector<std::vector<RunEvent>>& lanes,
                       const LibrarySink& sink) {
        for (const std::vector<RunEvent>& events : lanes) {
            const auto* start = std::get_if<RunStarted>(&events.front().body);
            const auto run = sink.libraryRun(events.front().run);
            if (start == nullptr || !run) {
                return Failure{plainError(ErrorCode::InvalidData, folder.string() + ": a lane has no beginning")};
            }
            if (const auto audit = readAudit(folder, start->laneName)) {
                if (auto kept = m_library->setAudit(*run, *audit); !kept) {
                    return kept;
                }
            }
        }
        Result<void> done;
        if (!m_source.tag.empty()) {
            done = m_library->changeTags(*sink.experimentId(), {m_source.tag}, {});
            done = done ? m_library->setNotes(*sink.experimentId(), m_source.notes) : done;
        }
        return done;
    }

    std::shared_ptr<RunLibrary> m_library;
    Source m_source;
    std::vector<LibraryExperiment> m_kept;
    ImportedRuns m_imported;
};

/// What run.json says of an experiment of the library.
RunFolderFacts factsOf(const LibraryExperiment& experiment, Json document, const std::string& version,
                       const std::vector<std::vector<RunEvent>>& lanes) {
    RunFolderFacts facts;
    facts.experiment = std::move(document);
    facts.version = version;
    facts.startedAt = experiment.createdAt;
    const Json run = facts.experiment.value("run", Json::object());
    facts.threads = static_cast<int>(run.value("threads", std::int64_t{1}));
    for (const std::vector<RunEvent>& events : lanes) {
        const auto& start = std::get<RunStarted>(events.front().body);
        facts.lanes.push_back(start.laneName);
        for (const char* key : {"data_sha256", "content_sha256"}) { // of generated data there is no file
            if (facts.dataSha256.empty() && start.facts.isObject()) {
                facts.dataSha256 = start.facts.value(key, std::string());
            }
        }
        facts.solutions = facts.solutions || std::any_of(events.begin(), events.end(), [](const RunEvent& event) {
                              const auto* point = std::get_if<PointFinished>(&event.body);
                              return point != nullptr && point->solution != nullptr;
                          });
    }
    return facts;
}

} // namespace

Result<ImportedRuns> importRuns(const std::shared_ptr<RunLibrary>& library, const fs::path& folder,
                                const TransferProgress& progress, const std::stop_token& stop) {
    auto source = sourceOf(folder);
    return source ? Importer(library, std::move(*source)).run(progress, stop) : Failure{source.error()};
}

Result<void> exportRun(const RunLibrary& library, LibraryExperimentId id, const fs::path& folder,
                       const std::string& version) {
    const auto experiment = library.experiment(id);
    auto document = library.experimentDocument(id);
    if (!experiment || !document) {
        return Failure{!experiment ? experiment.error() : document.error()};
    }
    std::vector<std::vector<RunEvent>> lanes;
    for (const LibraryRun& run : experiment->runs) {
        if (run.state == RunRecord::State::Running) {
            return Failure{badUse("\"" + experiment->name + "\" is being computed", "Wait for it to end, or stop it.")};
        }
        auto events = library.loadEvents(run.id, RunIdSource::next());
        if (!events) {
            return Failure{std::move(events).error()};
        }
        if (!events->empty() && std::holds_alternative<RunStarted>(events->front().body)) {
            lanes.push_back(std::move(*events));
        }
    }
    std::optional<Error> loss;
    auto writer = RunFolderWriter::create(folder, factsOf(*experiment, std::move(*document), version, lanes),
                                          ExistingRun::Refuse, [&](const Error& error) { loss = error; });
    if (!writer) {
        return Failure{writer.error()};
    }
    for (const std::vector<RunEvent>& events : lanes) {
        replay(events, **writer);
    }
    Result<void> done = (*writer)->finish();
    for (std::size_t i = 0; done && i < experiment->runs.size(); ++i) {
        const auto audit = library.audit(experiment->runs[i].id);
        if (audit && *audit) {
            done = writeAudit(folder, **audit, version);
        }
    }
    return done && loss ? Result<void>(Failure{*loss}) : done;
}

std::string folderNameOf(const LibraryExperiment& experiment) {
    const std::string word = plainWord(experiment.name);
    return std::to_string(experiment.id.value) + (word.empty() ? "" : "-") + word;
}

} // namespace lambdascope
