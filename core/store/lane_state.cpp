// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_state.h"

#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/data/sha256.h"
#include "core/run/run_event.h"
#include "core/store/append_file.h"
#include "core/store/build_facts.h"
#include "core/store/run_folder_layout.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// The number grows with every change of what a lane of any family keeps, or goes on by: builds of one version read
/// states alike, and what another one left must not be read as theirs.
constexpr std::string_view kMagic = "lambdascope-state 13\n";
constexpr std::size_t kStatesKept = 2;

std::uint32_t checksumOf(std::string_view bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 30U; // lengths are 32 bits wide
    uLong sum = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < bytes.size(); at += kMost) {
        const std::string_view piece = bytes.substr(at, kMost);
        sum = crc32(sum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    }
    return static_cast<std::uint32_t>(sum);
}

struct StateFile {
    std::int64_t points;
    fs::path path;
};

/// Newest first; drafts that a killed process left are listed as −1.
std::vector<StateFile> stateFiles(const fs::path& laneFolder) {
    std::vector<StateFile> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(laneFolder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(layout::kStateStem)) {
            continue;
        }
        const std::size_t begin = std::string_view(layout::kStateStem).size();
        const std::size_t end = name.find('.', begin);
        const auto points = parseInteger(std::string_view(name).substr(begin, end - begin));
        const bool isWhole = points && *points > 0 && end != std::string::npos && name.substr(end) == ".bin";
        files.push_back({isWhole ? *points : -1, entry.path()});
    }
    std::sort(files.begin(), files.end(), [](const StateFile& a, const StateFile& b) { return a.points > b.points; });
    return files;
}

} // namespace

StateOwner stateOwner(const Json& experiment, std::string dataSha256, std::string lane) {
    const std::string document = experiment.dump(-1, Json::BadUtf8::Replace);
    Sha256 digest;
    digest.add(document.data(), document.size());
    return {buildFacts().dump(-1, Json::BadUtf8::Replace), digest.hexDigest(), std::move(dataSha256), std::move(lane)};
}

StateOwner stateOwner(const RunStarted& start) {
    std::string data;
    if (start.facts.isObject()) {
        data = start.facts.value("content_sha256", data);
    }
    return stateOwner(start.experiment, std::move(data), start.laneName);
}

std::string encodedState(StateOwner owner, KeptState kept) {
    StateArchive archive;
    archive(owner, kept);
    std::string bytes = std::string(kMagic) + archive.take();
    const std::uint32_t sum = checksumOf(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return bytes;
}

std::optional<OwnedState> decodedState(std::string_view bytes) {
    std::uint32_t sum = 0;
    if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof sum) {
        return std::nullopt;
    }
    std::copy_n(bytes.end() - sizeof sum, sizeof sum, reinterpret_cast<char*>(&sum));
    bytes.remove_suffix(sizeof sum);
    if (checksumOf(bytes) != sum) {
        return std::nullopt;
    }
    OwnedState found;
    StateArchive archive(bytes.substr(kMagic.size()));
    archive(found.owner, found.kept);
    return archive.isWhole() && found.kept.state ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<Error> foreignState(const StateOwner& found, const StateOwner& own) {
    const char* what = found.experiment != own.experiment ? "another experiment"
                       : found.data != own.data           ? "other data"
                       : found.lane != own.lane           ? "another lane"
                       : found.build != own.build         ? "another build of this program"
                                                          : nullptr;
    if (what == nullptr) {
        return std::nullopt;
    }
    return singleFault(ErrorCode::InvalidData, {"",
                                                "the state kept of lane \"" + own.lane + "\" is of " + what +
                                                    ", so that going on would not give what a whole run gives",
                                                "Run the experiment anew.",
                                                {}});
}

Result<void> writeState(const fs::path& laneFolder, StateOwner owner, KeptState kept) {
    const fs::path file = laneFolder / (layout::kStateStem + std::to_string(kept.points) + ".bin");
    const std::string bytes = encodedState(std::move(owner), std::move(kept));
    if (auto written = writeFileAtomically(file, bytes, Durability::Synced); !written) {
        return written;
    }
    const std::vector<StateFile> files = stateFiles(laneFolder);
    std::error_code ignored;
    for (std::size_t at = kStatesKept; at < files.size(); ++at) {
        fs::remove(files[at].path, ignored);
    }
    return {};
}

std::vector<OwnedState> readStates(const fs::path& laneFolder) {
    std::vector<OwnedState> states;
    for (const StateFile& file : stateFiles(laneFolder)) {
        std::ifstream stream(file.path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        auto state = file.points > 0 ? decodedState(bytes) : std::nullopt;
        if (state && state->kept.points == file.points) {
            states.push_back(std::move(*state));
        }
    }
    return states;
}

void removeStates(const fs::path& laneFolder, std::int32_t points) {
    std::error_code ignored;
    for (const StateFile& file : stateFiles(laneFolder)) {
        if (file.points < 0 || file.points > points) {
            fs::remove(file.path, ignored);
        }
    }
}

} // namespace lambdascope
