// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// What kind of thing went wrong. The command line maps every code but Internal, OutOfMemory and Stopped to exit
/// status 2.
enum class ErrorCode {
    BadUsage,             ///< command line arguments
    InvalidConfiguration, ///< experiment file or form values
    InvalidData,          ///< contents of a data file, or data that the problem cannot use
    UnsupportedFormat,    ///< file format that no loader takes
    FileNotFound,
    FileUnreadable,
    FileUnwritable,
    Stopped,     ///< the user asked to stop; nothing is wrong
    OutOfMemory, ///< also: a size that would not fit
    Internal,    ///< an exception of a library, or a broken promise of ours
};

/// A place in a text file. Line and column count from 1; 0 means unknown or not applicable.
struct SourcePlace {
    std::string file;
    std::size_t line = 0;
    std::size_t column = 0;

    bool operator==(const SourcePlace&) const = default;

    /// "file:line:column", leaving out what is unknown; empty when all is unknown.
    [[nodiscard]] std::string text() const;
};

/// One thing the user has to mend.
struct Fault {
    std::string key;     ///< dotted path of the configuration field ("problem.k", "lanes[2].bounds"); empty for data
    std::string message; ///< what is wrong, with the offending value
    std::string remedy;  ///< what to do about it, an imperative sentence; may be empty
    SourcePlace place;

    bool operator==(const Fault&) const = default;

    /// "file:line:column: key: message. Remedy", in one line.
    [[nodiscard]] std::string text() const;
};

/// Why a Result holds no value. `faults` lists everything that was found, not only the first thing.
struct Error {
    /// Faults that are told at once, at most: nobody reads a thousand of them.
    static constexpr std::size_t kMostTold = 20;

    ErrorCode code = ErrorCode::Internal;
    std::string message; ///< summary in one sentence, without the faults
    std::vector<Fault> faults;

    /// The first faults, kMostTold at most.
    [[nodiscard]] std::span<const Fault> told() const;
    /// "and 3 more"; empty where all are told.
    [[nodiscard]] std::string untold() const;

    /// Summary line followed by one indented line per fault that is told: what the command line prints.
    [[nodiscard]] std::string describe() const;
};

/// An error of `code` about a single fault; the summary repeats the fault's message.
[[nodiscard]] Error singleFault(ErrorCode code, Fault fault);

/// An error without a place: just a sentence.
[[nodiscard]] Error plainError(ErrorCode code, std::string message);

} // namespace lambdascope
