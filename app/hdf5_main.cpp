// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope-hdf5: reads one HDF5 file for another program, which a damaged file cannot end then; see Hdf5Process.
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_messages.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <vector>

namespace {

using namespace lambdascope;

[[noreturn]] void leave() {
    ::_exit(0); // whatever a damaged file has done to the library, it need not be put in order
}

void sendBytes(const char* bytes, std::size_t count) {
    while (count > 0) {
        const ssize_t sent = ::send(STDIN_FILENO, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) {
            leave(); // nobody listens
        }
        bytes += sent;
        count -= static_cast<std::size_t>(sent);
    }
}

template <class Content>
void sendMessage(Content content) {
    const std::string message = hdf5Message(std::move(content));
    sendBytes(message.data(), message.size());
}

std::string receiveBytes(std::size_t count) {
    std::string bytes(count, '\0');
    if (::recv(STDIN_FILENO, bytes.data(), count, MSG_WAITALL) != static_cast<ssize_t>(count)) {
        leave();
    }
    return bytes;
}

Hdf5Request receiveRequest() {
    std::uint64_t size = 0;
    const std::string text = receiveBytes(sizeof size);
    text.copy(reinterpret_cast<char*>(&size), sizeof size);
    auto request = readHdf5Message<Hdf5Request>(receiveBytes(size));
    if (!request) {
        leave();
    }
    return *request;
}

void answer(Hdf5File& file, const Hdf5Request& request, std::vector<double>& rows) {
    std::optional<Hdf5Trouble> trouble;
    try {
        rows.resize(request.count * request.set.columns);
        trouble = file.readRows(request.set, request.first, request.count, rows.data());
    } catch (const std::bad_alloc&) {
        trouble = {ErrorCode::InvalidData, "has rows that take too much memory: " + request.set.path,
                   "Write it again with the samples as rows."};
    }
    sendMessage(trouble ? *trouble : Hdf5Trouble());
    if (!trouble) {
        sendBytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(double));
    }
}

} // namespace

int main(int count, char** arguments) {
    int type = 0;
    socklen_t size = sizeof type;
    if (count != 2 || ::getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        std::fprintf(stderr, "lambdascope-hdf5: other programs of Lambdascope start this one to read HDF5 files\n");
        return 2;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_DUMPABLE, 0); // no report of a crash to the system: the other program tells of it
    Hdf5Library file;
    const auto trouble = file.open(arguments[1]);
    sendMessage(Hdf5Contents{trouble.value_or(Hdf5Trouble()), file.dataSets()});
    for (std::vector<double> rows;;) {
        answer(file, receiveRequest(), rows);
    }
}
