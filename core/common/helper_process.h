// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/framed_message.h"

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lambdascope {

/// A program that other programs of Lambdascope start: where the running one stands, else where it was built, else
/// where it is installed.
[[nodiscard]] std::filesystem::path helperProgram(std::string_view name);

/// Why nothing comes from a helper process any more.
struct HelperTrouble {
    enum class Kind {
        NotThere,     ///< no such program
        NotStartable, ///< the program may not be started
        NoProcess,    ///< the system makes no process; `detail` says why
        NotLoaded,    ///< the program, or a library that it needs, cannot be loaded
        Killed,       ///< by SIGKILL
        Ended,        ///< by itself, or by the signal that `detail` names
        Unclear,      ///< said what is no message
        GivenUp,      ///< whoever waited would not wait any longer
    };
    Kind kind = Kind::Ended;
    std::string detail;
};

/// Trouble in words that go on a sentence, and what to do about it.
struct HelperComplaint {
    std::string message;
    std::string remedy;
};
/// `purpose` completes "the program that …": "reads HDF5 files". Not for GivenUp; of Ended whoever knows what the
/// program was at can tell more.
[[nodiscard]] HelperComplaint complaintOf(const HelperTrouble& trouble, const std::filesystem::path& program,
                                          const std::string& purpose);

/// A program of ours in a process of its own, which knows a library that may end the process it runs in, or that
/// cannot be stopped. They talk over a socket, the process's standard input (see HelperChannel). Whatever goes wrong is
/// trouble, and the process is gone then; so it is when this is destroyed.
///
/// Not for several threads at once. Cost: about 8 ms for the process.
class HelperProcess {
  public:
    using Trouble = std::optional<HelperTrouble>;

    /// `mayWait` is asked every few milliseconds while there is something to wait for; false ends the process.
    explicit HelperProcess(std::filesystem::path program, std::function<bool()> mayWait = {})
        : m_program(std::move(program)), m_mayWait(std::move(mayWait)) {}
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    /// Comes first. `argument` may be empty.
    [[nodiscard]] Trouble start(const std::string& argument = {});
    [[nodiscard]] bool isRunning() const { return m_process > 0; }
    /// Of addresses, in bytes. Sanitizers take terabytes, so that there is no such limit with them.
    void limitMemory(std::uint64_t most) const;

    [[nodiscard]] Trouble send(const void* bytes, std::size_t count);
    [[nodiscard]] Trouble receive(void* to, std::size_t count);
    template <class Content>
    [[nodiscard]] Trouble sendMessage(Content content) {
        const std::string message = framedMessage(std::move(content));
        return send(message.data(), message.size());
    }
    template <class Content>
    [[nodiscard]] Trouble receiveMessage(Content& content);

    /// Computes no further until goOn().
    void hold() const;
    void goOn() const;
    /// Kills the process, and tells how it has ended, as waitpid() does; −1 when nobody knows.
    int end();

    /// CPU seconds of the process up to now.
    [[nodiscard]] double cpuSeconds() const;
    /// Most memory that it has had up to now, in bytes; 0 where the system does not say.
    [[nodiscard]] std::uint64_t peakBytes() const;
    [[nodiscard]] const std::filesystem::path& program() const { return m_program; }

    /// Messages are at most so long.
    static constexpr std::uint64_t kLongestMessage = std::uint64_t{1} << 31;

  private:
    /// Waits for the socket, a little at most. GivenUp when there is to be no more waiting.
    [[nodiscard]] Trouble waitFor(short events);
    [[nodiscard]] Trouble checkWait();
    /// The process has closed its end of the socket.
    [[nodiscard]] HelperTrouble troubleOfEnd();

    std::filesystem::path m_program;
    std::function<bool()> m_mayWait;
    pid_t m_process = -1;
    int m_socket = -1;
    clockid_t m_clock{};
};

template <class Content>
HelperProcess::Trouble HelperProcess::receiveMessage(Content& content) {
    std::uint64_t size = 0;
    if (auto trouble = receive(&size, sizeof size)) {
        return trouble;
    }
    std::string bytes(size <= kLongestMessage ? size : 0, '\0');
    if (auto trouble = receive(bytes.data(), bytes.size())) {
        return trouble;
    }
    auto read = readMessage<Content>(bytes);
    if (!read) { // of another version, or spoilt
        end();
        return HelperTrouble{HelperTrouble::Kind::Unclear, {}};
    }
    content = std::move(*read);
    return {};
}

} // namespace lambdascope
