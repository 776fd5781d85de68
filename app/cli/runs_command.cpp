// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/summary.h"
#include "core/common/number_text.h"
#include "core/common/text_table.h"
#include "core/store/library_transfer.h"
#include "core/store/run_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>

namespace lambdascope::cli {

namespace {

/// "finished" when all lanes are; else the states that occur, with counts.
std::string stateOf(const LibraryExperiment& experiment) {
    std::map<std::string, int> counts;
    for (const LibraryRun& run : experiment.runs) {
        ++counts[std::string(recordStateName(run.state))];
    }
    if (counts.size() == 1) {
        return counts.begin()->first;
    }
    std::string text;
    for (const auto& [name, count] : counts) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    }
    return text;
}

std::string spacedText(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

/// In the text of a query, where the shell has taken the quotes off.
std::string queryText(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool hasBlank = words.size() > 1 && word.find(' ') != std::string::npos && word.find('"') > word.size();
        const std::size_t value = word.find(':') == std::string::npos ? 0 : word.find(':') + 1;
        text += (text.empty() ? "" : " ") + (hasBlank ? word.substr(0, value) + '"' + word.substr(value) + '"' : word);
    }
    return text;
}

Json jsonOf(const LibraryExperiment& experiment, std::int64_t points, double cpu) {
    return {{"id", experiment.id.value},
            {"made", experiment.createdAt},
            {"family", experiment.family},
            {"name", experiment.name},
            {"data", experiment.source},
            {"lanes", experiment.runs.size()},
            {"points", points},
            {"cpu", cpu},
            {"state", stateOf(experiment)},
            {"starred", experiment.isStarred},
            {"tags", Json(experiment.tags)},
            {"notes", experiment.notes}};
}

void sayThatThereAreNone(const RunLibrary& library, bool isOfDiscarded, bool hasAny) {
    if (hasAny) {
        std::printf("no run in %s is like that\n", library.path().c_str());
    } else if (isOfDiscarded) {
        std::printf("nothing in %s can be restored\n", library.path().c_str());
    } else {
        std::printf("no runs yet in %s; start one with: lambdascope-cli run wine-six-lanes\n", library.path().c_str());
    }
}

ExitStatus listRuns(const RunLibrary& library, const RunsOptions& options) {
    const auto query = RunQuery::parse(queryText(options.words), std::time(nullptr));
    if (!query) {
        return report(query.error());
    }
    const auto experiments = options.isOfDiscarded ? library.discarded() : library.experiments();
    if (!experiments) {
        return report(experiments.error());
    }
    TextTable table({{"id", TextTable::Align::Right},
                     {"made (UTC)"},
                     {"family"},
                     {"name"},
                     {"lanes", TextTable::Align::Right},
                     {"points", TextTable::Align::Right},
                     {"CPU", TextTable::Align::Right},
                     {"state"},
                     {"tags"}});
    Json rows = Json::array();
    for (const LibraryExperiment& experiment : *experiments) {
        if (!query->accepts(experiment)) {
            continue;
        }
        if (options.limit > 0 && static_cast<std::int64_t>(rows.size()) >= options.limit) {
            break;
        }
        std::int64_t points = 0;
        double cpu = 0;
        for (const LibraryRun& run : experiment.runs) {
            points += run.finishedPoints;
            cpu += run.cpuSolve + run.cpuScreen;
        }
        rows.push_back(jsonOf(experiment, points, cpu));
        table.addRow({std::to_string(experiment.id.value), experiment.createdAt, experiment.family,
                      (experiment.isStarred ? "★ " : "") + experiment.name, std::to_string(experiment.runs.size()),
                      groupedText(points), durationText(cpu), stateOf(experiment), spacedText(experiment.tags)});
    }
    if (options.json) {
        std::printf("%s\n", rows.dump(1, Json::BadUtf8::Replace).c_str());
    } else if (table.isEmpty()) {
        sayThatThereAreNone(library, options.isOfDiscarded, !experiments->empty());
    } else {
        std::fputs(table.text().c_str(), stdout);
    }
    return ExitStatus::Done;
}

ExitStatus showRuns(const RunLibrary& library, LibraryExperimentId id) {
    const auto experiment = library.experiment(id);
    if (!experiment) {
        return report(experiment.error());
    }
    std::vector<RunRecord> records;
    for (const LibraryRun& run : experiment->runs) {
        auto record = library.loadRecord(run.id);
        if (!record) {
            return report(record.error());
        }
        records.push_back(std::move(*record));
    }
    const auto document = library.experimentDocument(id);
    if (!document) {
        return report(document.error());
    }
    std::printf("%s, %s\n\n%s\n%s\n", experiment->name.c_str(), experiment->createdAt.c_str(),
                summaryTable(records).c_str(), document->dump(2).c_str());
    return ExitStatus::Done;
}

/// A number of an experiment; nothing for another word.
std::optional<LibraryExperimentId> idOf(const std::string& word) {
    LibraryExperimentId id;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id.value);
    return error == std::errc() && end == word.data() + word.size() && id.value > 0 ? std::optional(id) : std::nullopt;
}

/// How many words an action takes after its ids.
struct ActionWords {
    const char* action;
    bool hasManyIds;  ///< else one
    const char* rest; ///< what follows: nothing, one TEXT, or WORD…
};
constexpr std::array<ActionWords, 10> kActionsWithIds = {{{"show", false, ""},
                                                          {"rename", false, "NAME"},
                                                          {"star", true, ""},
                                                          {"unstar", true, ""},
                                                          {"tag", false, "WORD…"},
                                                          {"untag", false, "WORD…"},
                                                          {"note", false, "TEXT"},
                                                          {"delete", true, ""},
                                                          {"restore", true, ""},
                                                          {"export", true, "DIR"}}};

Error usage(const std::string& action, const std::string& message, const std::string& form) {
    return singleFault(ErrorCode::BadUsage,
                       {"runs " + action, message, "Give: lambdascope-cli runs " + action + " " + form + ".", {}});
}

struct ActionInput {
    std::vector<LibraryExperimentId> ids;
    std::vector<std::string> rest;
};

/// Takes the words of an action apart: ids first, then what follows.
Result<ActionInput> inputOf(const RunsOptions& options) {
    const auto* action = std::find_if(kActionsWithIds.begin(), kActionsWithIds.end(),
                                      [&](const ActionWords& each) { return each.action == options.action; });
    const std::string rest = action->rest;
    const std::string form = (action->hasManyIds ? "ID…" : "ID") + std::string(rest.empty() ? "" : " ") + rest;
    ActionInput input;
    for (const std::string& word : options.words) {
        const bool knowsId = !input.ids.empty();
        const auto id = knowsId && !action->hasManyIds ? std::nullopt : idOf(word);
        if (id) {
            input.ids.push_back(*id);
        } else if (knowsId && (!action->hasManyIds || !rest.empty())) {
            input.rest.push_back(word);
        } else {
            return Failure{usage(options.action, "\"" + word + "\" is no number of an experiment", form)};
        }
    }
    const std::size_t most = rest.empty() ? 0 : rest == "WORD…" ? input.rest.size() : 1;
    if (input.ids.empty() || (!rest.empty() && input.rest.empty())) {
        return Failure{usage(options.action, "words are missing", form)};
    }
    if (input.rest.size() > most) {
        return Failure{usage(options.action, "\"" + input.rest[most] + "\" is too much", form)};
    }
    return input;
}

Result<void> change(RunLibrary& library, const std::string& action, const ActionInput& input) {
    if (action == "delete") {
        return library.discard(input.ids);
    }
    if (action == "restore") {
        return library.restore(input.ids);
    }
    for (const LibraryExperimentId id : input.ids) {
        Result<void> done = action == "rename"  ? library.renameExperiment(id, input.rest.front())
                            : action == "note"  ? library.setNotes(id, input.rest.front())
                            : action == "tag"   ? library.changeTags(id, input.rest, {})
                            : action == "untag" ? library.changeTags(id, {}, input.rest)
                                                : library.setStarred(id, action == "star");
        if (!done) {
            return done;
        }
    }
    return {};
}

/// One experiment becomes the folder, several become folders in it.
ExitStatus exportRuns(const RunLibrary& library, const ActionInput& input) {
    const std::filesystem::path folder = input.rest.front();
    for (const LibraryExperimentId id : input.ids) {
        const auto experiment = library.experiment(id);
        if (!experiment) {
            return report(experiment.error());
        }
        const auto place = input.ids.size() == 1 ? folder : folder / folderNameOf(*experiment);
        if (const auto done = exportRun(library, id, place, LAMBDASCOPE_VERSION); !done) {
            return report(done.error());
        }
        std::printf("%lld: %s\n", static_cast<long long>(id.value), place.c_str());
    }
    return ExitStatus::Done;
}

ExitStatus importAll(const std::shared_ptr<RunLibrary>& library, const std::vector<std::string>& folders) {
    InterruptWatch interrupt;
    ExitStatus status = ExitStatus::Done;
    for (const std::string& folder : folders) {
        const auto imported = importRuns(library, folder, {}, interrupt.token());
        if (!imported) {
            status = report(imported.error());
            continue; // the other folders have nothing to do with it
        }
        std::printf("%s: %zu taken into the library", folder.c_str(), imported->added.size());
        if (!imported->added.empty()) {
            std::printf(" (the last is %lld)", static_cast<long long>(imported->added.back().value));
        }
        std::printf(", %zu were there already\n", imported->known);
    }
    return interrupt.token().stop_requested() ? ExitStatus::Interrupted : status;
}

ExitStatus undoDeletion(RunLibrary& library) {
    const auto ids = library.restoreLast();
    if (!ids) {
        return report(ids.error());
    }
    if (ids->empty()) {
        return report(plainError(ErrorCode::BadUsage, "nothing was deleted that can be brought back"));
    }
    std::printf("brought back: %zu (the newest is %lld)\n", ids->size(), static_cast<long long>(ids->back().value));
    return ExitStatus::Done;
}

} // namespace

const std::vector<std::string>& runsActions() {
    static const std::vector<std::string> actions = {"list", "show",   "rename", "star",    "unstar", "tag",   "untag",
                                                     "note", "delete", "undo",   "restore", "import", "export"};
    return actions;
}

std::string runsHelp() {
    return std::string("runs list [WORDS]: what all the words hold of. ") + RunQuery::help() +
           "\nruns show ID · rename ID NAME · star ID… · unstar ID… · tag ID WORD… · untag ID WORD… · note ID TEXT\n"
           "runs delete ID…: takes them out of all lists; runs undo brings back what the last delete took, runs\n"
           "restore ID… any of them. After " +
           std::to_string(RunLibrary::kDaysOfDiscarded) + " days they are removed for good.";
}

ExitStatus runsCommand(const RunsOptions& options) {
    if (options.action != "list" && (options.json || options.isOfDiscarded || options.limit > 0)) {
        return report(usage("list", "only list takes --json, --deleted and --limit", "[WORDS]"));
    }
    if (options.action == "undo" && !options.words.empty()) {
        return report(usage("restore", "undo takes no words, not \"" + options.words.front() + "\"", "ID…"));
    }
    if (options.action == "import" && options.words.empty()) {
        return report(usage("import", "words are missing", "DIR…"));
    }
    ActionInput input;
    if (options.action != "list" && options.action != "undo" && options.action != "import") {
        auto read = inputOf(options);
        if (!read) {
            return report(read.error());
        }
        input = std::move(*read);
    }
    const auto library =
        RunLibrary::open(options.library.empty() ? RunLibrary::defaultPath() : std::filesystem::path(options.library));
    if (!library) {
        return report(library.error());
    }
    if (options.action == "list") {
        return listRuns(**library, options);
    }
    if (options.action == "show") {
        return showRuns(**library, input.ids.front());
    }
    if (options.action == "undo") {
        return undoDeletion(**library);
    }
    if (options.action == "export") {
        return exportRuns(**library, input);
    }
    if (options.action == "import") {
        return importAll(*library, options.words);
    }
    const auto done = change(**library, options.action, input);
    return done ? ExitStatus::Done : report(done.error());
}

} // namespace lambdascope::cli
