// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <string>
#include <vector>

namespace lambdascope {

/// Faults of one data file, gathered while it is read: a user mends them all at once rather than one per attempt.
class FaultList {
  public:
    /// Enough to see what kind of thing is wrong; a file of the wrong kind has a fault in every line.
    static constexpr std::size_t kMost = 20;

    explicit FaultList(std::string file) : m_file(std::move(file)) {}

    /// Line and column count from 1; 0 where there is none. Faults beyond kMost are not kept.
    void add(std::size_t line, std::size_t column, std::string message, std::string remedy);
    /// A fault of the configuration rather than of a place in the file.
    void addForKey(std::string key, std::string message, std::string remedy);

    [[nodiscard]] bool isEmpty() const { return m_faults.empty(); }
    [[nodiscard]] bool isFull() const { return m_faults.size() >= kMost; }
    [[nodiscard]] const std::string& file() const { return m_file; }

    /// All faults as an error. There must be at least one.
    [[nodiscard]] Failure failure(ErrorCode code = ErrorCode::InvalidData) const;

  private:
    std::string m_file;
    std::vector<Fault> m_faults;
};

/// One fault about the file as a whole.
[[nodiscard]] Failure fileFailure(ErrorCode code, const std::string& file, std::string message, std::string remedy,
                                  std::size_t line = 0, std::size_t column = 0);

} // namespace lambdascope
