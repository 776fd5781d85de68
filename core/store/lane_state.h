// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

struct RunStarted;

/// Whose a state is. One of another build, experiment or data set must not be gone on from: it would be of no use at
/// best.
struct StateOwner {
    std::string build;      ///< buildFacts()
    std::string experiment; ///< SHA-256 of the resolved document
    std::string data;       ///< SHA-256 of the data set
    std::string lane;
    bool operator==(const StateOwner&) const = default;

    void transfer(auto& archive) {
        auto& [made, document, rows, name] = *this;
        archive(made, document, rows, name);
    }
};
/// The owner of states that this build makes.
[[nodiscard]] StateOwner stateOwner(const Json& experiment, std::string dataSha256, std::string lane);
/// The same of a lane that began, for places that keep no more of its data; without facts, any data will do.
[[nodiscard]] StateOwner stateOwner(const RunStarted& start);

/// The state of a lane after a finished point, and where its tables end there.
struct KeptState {
    std::int32_t points = 0;   ///< finished
    std::int64_t sequence = 0; ///< of the last event
    /// Bytes of the lane's files in a run folder: events, screenings, path, ranges, parts. Zeros elsewhere.
    std::array<std::uint64_t, 5> sizes{};
    std::shared_ptr<const std::string> state;

    void transfer(auto& archive) {
        auto& [count, last, bytes, content] = *this;
        archive(count, last, bytes, content);
    }
};

struct OwnedState {
    StateOwner owner;
    KeptState kept;
};

/// With a version of this format and a checksum, so that damage shows.
[[nodiscard]] std::string encodedState(StateOwner owner, KeptState kept);
/// Nothing when the bytes are damaged or of another version.
[[nodiscard]] std::optional<OwnedState> decodedState(std::string_view bytes);

/// Why a state of `found` cannot be gone on from by `own`, with what to do; nothing when it can.
[[nodiscard]] std::optional<Error> foreignState(const StateOwner& found, const StateOwner& own);

/// state-<points>.bin in the folder of a lane: written beside its place, made durable and then renamed. The one before
/// is kept, older ones are removed. Errors: FileUnwritable.
Result<void> writeState(const std::filesystem::path& laneFolder, StateOwner owner, KeptState kept);
/// What writeState() left that can be read, newest first.
[[nodiscard]] std::vector<OwnedState> readStates(const std::filesystem::path& laneFolder);
/// Removes states of more than `points` finished points; all of them for −1.
void removeStates(const std::filesystem::path& laneFolder, std::int32_t points = -1);

} // namespace lambdascope
