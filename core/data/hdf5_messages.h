// SPDX-License-Identifier: GPL-3.0-or-later
// What Hdf5Process and the program lambdascope-hdf5 say to each other. The program is given the file's name and a
// socket; it says first what the file holds, then answers requests for rows, until the socket is closed. Messages are
// those of framed_message.h, of these and of Hdf5Trouble; an answer without trouble is followed by rows × columns
// doubles.
#pragma once

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

} // namespace lambdascope
