// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"
#include "core/store/run_library.h"

#include <memory>
#include <optional>

namespace lambdascope {

struct LibraryRunToResume;

/// Writes the runs of one experiment into the library as they happen: make one sink per experiment. Each path point is
/// one transaction. A library that is removed or cannot be written goes on in another file; when there is none, that
/// ends the writing, not the run: see error(). The library's notice tells of both at once.
class LibrarySink : public EventSink {
  public:
    /// `createdAt` is the beginning of a run that was computed before, and that nobody computes now; else empty.
    explicit LibrarySink(std::shared_ptr<RunLibrary> library, std::string createdAt = {});
    ~LibrarySink() override;

    /// Goes on with lanes that the library has: cuts off what they have after their states, and writes under the ids of
    /// their histories' events what comes. Call first. Errors: FileUnwritable.
    Result<void> resume(const LibraryRunToResume& earlier);

    void publish(const RunEvent& event) noexcept override;

    /// The first failure, if any. Thread-safe.
    [[nodiscard]] std::optional<Error> error() const;
    /// Where the runs went; nothing before the first RunStarted. Thread-safe.
    [[nodiscard]] std::optional<LibraryExperimentId> experimentId() const;
    [[nodiscard]] std::optional<LibraryRunId> libraryRun(RunId run) const;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
