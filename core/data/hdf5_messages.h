// SPDX-License-Identifier: GPL-3.0-or-later
// What Hdf5Process and the program lambdascope-hdf5 say to each other. The program is given the file's name and a
// socket; it says first what the file holds, then answers requests for rows, until the socket is closed. A message is
// the number of its bytes (eight), then the bytes; an answer without trouble is followed by rows × columns doubles.
#pragma once

#include "core/common/state_archive.h"
#include "core/data/hdf5_file.h"

namespace lambdascope {

struct Hdf5Contents {
    Hdf5Trouble trouble; ///< none when its message is empty
    std::vector<Hdf5DataSet> sets;

    void transfer(auto& archive) {
        auto& [itsTrouble, itsSets] = *this;
        archive(itsTrouble, itsSets);
    }
};

struct Hdf5Request {
    Hdf5DataSet set;
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    void transfer(auto& archive) {
        auto& [itsSet, itsFirst, itsCount] = *this;
        archive(itsSet, itsFirst, itsCount);
    }
};

/// A message of any of these and of Hdf5Trouble.
template <class Content>
std::string hdf5Message(Content content) {
    StateArchive archive;
    archive(content);
    std::string text = archive.take();
    const std::uint64_t size = text.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

/// What the bytes after their number say; nothing when they say no such thing.
template <class Content>
std::optional<Content> readHdf5Message(const std::string& bytes) {
    StateArchive archive(bytes);
    Content content;
    archive(content);
    return archive.isWhole() ? std::optional<Content>(std::move(content)) : std::nullopt;
}

} // namespace lambdascope
