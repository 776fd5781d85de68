// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/event_log.h"
#include "core/store/append_file.h"
#include "core/store/lane_state.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

struct RunFolderFacts;

/// The files of one lane in a run folder.
class RunFolderLane {
  public:
    /// Makes the lane's folder in `runFolder`, and files without rows in it.
    static Result<RunFolderLane> create(const std::filesystem::path& runFolder, const RunStarted& start,
                                        const RunFolderFacts& facts);
    /// Goes on with the files of a lane where they ended when `at` was kept, and cuts off what came later.
    static Result<RunFolderLane> resume(const std::filesystem::path& runFolder, const RunStarted& start,
                                        const KeptState& at, const RunFolderFacts& facts);
    /// How long the files of a lane are, in the order of KeptState::sizes.
    [[nodiscard]] static std::array<std::uint64_t, 5> sizesIn(const std::filesystem::path& laneFolder);
    /// Removes all files that the folder of a lane can have, and the folder when nothing else is in it.
    static void remove(const std::filesystem::path& laneFolder);

    /// Takes an event into memory. True when it ends a point or the lane, so that store() is due.
    bool add(const RunEvent& event);
    /// Hands everything that was added to the system. After a failure it can be called again; nothing is lost by it.
    Result<void> store();

    /// Whether all files are still where they were made.
    [[nodiscard]] bool isInPlace() const;
    /// The run folder was renamed.
    void setRunFolder(const std::filesystem::path& runFolder);
    /// Goes on in new files in `runFolder`, with all that was written so far, but the solutions.
    Result<void> writeAgainIn(const std::filesystem::path& runFolder);
    /// Solutions that were written and are no longer there.
    [[nodiscard]] std::size_t lostSolutions() const;

  private:
    RunFolderLane(std::filesystem::path folder, AppendFile path, AppendFile dynamic, AppendFile events,
                  StateOwner owner, bool withSolutions, const RunStarted& start);
    /// Those that are there, with their names.
    std::vector<std::pair<AppendFile*, const char*>> files();
    void addParts(const PointFinished& point);
    Result<void> storeSolutions();
    Result<void> storeState();
    [[nodiscard]] std::filesystem::path solutionFile(std::int32_t point) const;

    std::filesystem::path m_folder;
    AppendFile m_path;
    AppendFile m_dynamic;
    AppendFile m_events;
    /// A table that is there from its first row on.
    struct LateTable {
        const char* name; ///< of its file
        std::string header;
        std::string rows; ///< not yet in the file
        std::optional<AppendFile> file;
    };
    LateTable m_ranges;
    LateTable m_parts;
    PartsDescription m_partsOf; ///< what m_parts has rows of
    PartsSolved m_newParts;     ///< the last ones, of the point in work
    PointBuffer m_buffer;
    bool m_withSolutions;
    std::vector<std::pair<std::int32_t, std::shared_ptr<const Solution>>> m_newSolutions;
    std::vector<std::int32_t> m_storedSolutions;
    StateOwner m_owner;
    std::optional<KeptState> m_newState;
    bool m_isOver = false; ///< nobody will go on with it
};

} // namespace lambdascope
