// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says of experiments in the run library, and those that the user has discarded.
#include "core/store/library_guard.h"
#include "core/store/machine_facts.h"
#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"

#include <algorithm>
#include <set>

namespace lambdascope {

namespace {

/// Why a text cannot be a tag; nothing when it can.
std::optional<Error> faultOfTag(const std::string& tag) {
    if (!tag.empty() && tag.find_first_of(" \t\r\n,\"") == std::string::npos) {
        return std::nullopt;
    }
    return singleFault(ErrorCode::BadUsage,
                       {{}, "\"" + tag + "\" cannot be a tag", "Give a word without blanks, commas and quotes.", {}});
}

/// Inside of a transaction, which the error undoes.
struct UnknownExperiment {
    LibraryExperimentId id;
};

} // namespace

Result<void> RunLibrary::changeTags(LibraryExperimentId id, const std::vector<std::string>& added,
                                    const std::vector<std::string>& removed) {
    for (const std::string& tag : added) {
        if (auto fault = faultOfTag(tag)) {
            return Failure{std::move(*fault)};
        }
    }
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        SqliteDatabase& database = m_file->database();
        bool isKnown = false;
        database.transaction([&] { // another program may be changing them
            const std::vector<LibraryExperiment> found = experimentsOf(database, ExperimentRows::All, id);
            if (found.empty()) {
                return;
            }
            isKnown = true;
            std::set<std::string> tags(found.front().tags.begin(), found.front().tags.end());
            for (const std::string& tag : removed) {
                tags.erase(tag);
            }
            tags.insert(added.begin(), added.end());
            std::string text;
            for (const std::string& tag : tags) {
                text += (text.empty() ? "" : " ") + tag;
            }
            database.prepare("UPDATE labels SET tags = ? WHERE experiment_id = ?")
                .bind(1, text)
                .bind(2, id.value)
                .run();
        });
        return isKnown ? Result<void>() : Failure{unknownId("experiment", id.value)};
    });
}

Result<void> RunLibrary::setNotes(LibraryExperimentId id, const std::string& notes) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&] {
        return updateExperiment(m_file->database(), "UPDATE labels SET notes = ? WHERE experiment_id = ?", notes, id);
    });
}

Result<void> RunLibrary::setStarred(LibraryExperimentId id, bool isStarred) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&] {
        return updateExperiment(m_file->database(), "UPDATE labels SET is_starred = ? WHERE experiment_id = ?",
                                std::int64_t{isStarred ? 1 : 0}, id);
    });
}

Result<void> RunLibrary::discard(const std::vector<LibraryExperimentId>& ids) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        SqliteDatabase& database = m_file->database();
        const std::string now = utcNow();
        try {
            database.transaction([&] {
                std::int64_t discard = 0;
                {
                    SqliteStatement last = database.prepare("SELECT coalesce(max(discard), 0) FROM labels");
                    last.step();
                    discard = last.integer(0) + 1;
                }
                SqliteStatement mark = database.prepare(
                    "UPDATE labels SET discarded_at = ?, discard = ? WHERE experiment_id = ? AND discarded_at IS NULL");
                for (const LibraryExperimentId id : ids) {
                    mark.bind(1, now).bind(2, discard).bind(3, id.value).run();
                    if (database.changedRows() == 0) {
                        throw UnknownExperiment{id};
                    }
                }
            });
        } catch (const UnknownExperiment& unknown) {
            return Failure{unknownId("experiment", unknown.id.value)};
        }
        return {};
    });
}

Result<void> RunLibrary::restore(const std::vector<LibraryExperimentId>& ids) {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<void> {
        SqliteDatabase& database = m_file->database();
        try {
            database.transaction([&] {
                SqliteStatement mark =
                    database.prepare("UPDATE labels SET discarded_at = NULL, discard = NULL WHERE experiment_id = ?");
                for (const LibraryExperimentId id : ids) {
                    mark.bind(1, id.value).run();
                    if (database.changedRows() == 0) {
                        throw UnknownExperiment{id};
                    }
                }
            });
        } catch (const UnknownExperiment& unknown) {
            return Failure{unknownId("experiment", unknown.id.value)};
        }
        return {};
    });
}

Result<std::vector<LibraryExperimentId>> RunLibrary::restoreLast() {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnwritable, [&]() -> Result<std::vector<LibraryExperimentId>> {
        SqliteDatabase& database = m_file->database();
        std::vector<LibraryExperimentId> ids;
        database.transaction([&] {
            {
                SqliteStatement rows = database.prepare("SELECT experiment_id FROM labels WHERE discard = "
                                                        "(SELECT max(discard) FROM labels) ORDER BY experiment_id");
                while (rows.step()) {
                    ids.push_back(LibraryExperimentId{rows.integer(0)});
                }
            }
            SqliteStatement mark =
                database.prepare("UPDATE labels SET discarded_at = NULL, discard = NULL WHERE experiment_id = ?");
            for (const LibraryExperimentId id : ids) {
                mark.bind(1, id.value).run();
            }
        });
        return ids;
    });
}

Result<std::vector<LibraryExperiment>> RunLibrary::discarded() const {
    return guarded(m_mutex, *m_file, ErrorCode::FileUnreadable, [&]() -> Result<std::vector<LibraryExperiment>> {
        return experimentsOf(m_file->database(), ExperimentRows::Discarded);
    });
}

} // namespace lambdascope
