// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope-hdf5: reads one HDF5 file for another program, which a damaged file cannot end then; see Hdf5Process.
#include "core/common/helper_channel.h"
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_messages.h"

#include <cstdio>
#include <new>
#include <vector>

namespace {

using namespace lambdascope;

void answer(const HelperChannel& channel, Hdf5File& file, std::vector<double>& rows) {
    const auto request = channel.receiveMessage<Hdf5Request>();
    std::optional<Hdf5Trouble> trouble;
    try {
        rows.resize(request.count * request.set.columns);
        trouble = file.readRows(request.set, request.first, request.count, rows.data());
    } catch (const std::bad_alloc&) {
        trouble = {ErrorCode::InvalidData, "has rows that take too much memory: " + request.set.path,
                   "Write it again with the samples as rows."};
    }
    channel.sendMessage(trouble ? *trouble : Hdf5Trouble());
    if (!trouble) {
        channel.send(rows.data(), rows.size() * sizeof(double));
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 || !HelperChannel::isThere()) {
        std::fprintf(stderr, "lambdascope-hdf5: other programs of Lambdascope start this one to read HDF5 files\n");
        return 2;
    }
    const HelperChannel channel;
    Hdf5Library file;
    const auto trouble = file.open(arguments[1]);
    channel.sendMessage(Hdf5Contents{trouble.value_or(Hdf5Trouble()), file.dataSets()});
    for (std::vector<double> rows;;) {
        answer(channel, file, rows);
    }
}
