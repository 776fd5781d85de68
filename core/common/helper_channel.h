// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/framed_message.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>

namespace lambdascope {

/// The end of the socket that a process of HelperProcess has as its standard input. Where nobody listens or speaks any
/// more, and when the program at the other end is gone, the process ends.
class HelperChannel {
  public:
    /// Whether standard input is such a socket: false when somebody has started the program by hand.
    [[nodiscard]] static bool isThere() {
        int type = 0;
        socklen_t size = sizeof type;
        return ::getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
    }

    HelperChannel() {
        ::prctl(PR_SET_DUMPABLE, 0); // no report of a crash to the system: the other program tells of it
        // A library at work does not look at the socket. (PR_SET_PDEATHSIG would tell of the end of the thread that
        // has started the process, not of the program's.)
        std::thread([] {
            pollfd other = {STDIN_FILENO, POLLRDHUP, 0};
            while (::poll(&other, 1, -1) <= 0) {
            }
            leave();
        }).detach();
    }

    /// Whatever has become of the library, it need not be put in order.
    [[noreturn]] static void leave() { ::_exit(0); }

    void send(const void* bytes, std::size_t count) const {
        moveAll(static_cast<const char*>(bytes), count,
                [](const char* from, std::size_t left) { return ::send(STDIN_FILENO, from, left, MSG_NOSIGNAL); });
    }
    void receive(void* to, std::size_t count) const {
        moveAll(static_cast<char*>(to), count,
                [](char* place, std::size_t left) { return ::recv(STDIN_FILENO, place, left, MSG_WAITALL); });
    }
    template <class Content>
    void sendMessage(Content content) const {
        const std::string message = framedMessage(std::move(content));
        send(message.data(), message.size());
    }
    /// Ends the process where the bytes say no such thing.
    template <class Content>
    [[nodiscard]] Content receiveMessage() const {
        std::uint64_t size = 0;
        receive(&size, sizeof size);
        std::string bytes(size, '\0');
        receive(bytes.data(), bytes.size());
        auto content = readMessage<Content>(bytes);
        if (!content) {
            leave();
        }
        return std::move(*content);
    }

  private:
    /// `move` takes as many of the bytes that are left as it can, and says how many.
    template <class Byte, class Move>
    static void moveAll(Byte* bytes, std::size_t count, Move move) {
        while (count > 0) {
            const ssize_t moved = move(bytes, count);
            if (moved <= 0) {
                leave();
            }
            bytes += moved;
            count -= static_cast<std::size_t>(moved);
        }
    }
};

} // namespace lambdascope
