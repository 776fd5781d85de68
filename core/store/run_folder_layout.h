// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Names within a run folder, shared by its writer and its reader.
namespace lambdascope::layout {

inline constexpr const char* kSummary = "run.json";
inline constexpr const char* kPath = "path.csv";
inline constexpr const char* kDynamic = "dynamic.csv";
inline constexpr const char* kEvents = "events.jsonl";
inline constexpr const char* kAudit = "audit.json";
inline constexpr const char* kRanges = "ranges.csv";
inline constexpr const char* kParts = "parts.csv";
inline constexpr const char* kSolutionStem = "solution-";
inline constexpr const char* kStateStem = "state-";
inline constexpr const char* kFormat = "lambdascope-run"; ///< member "format" of run.json
inline constexpr const char* kProcess = "process";        ///< member with the mark of the writing process
inline constexpr int kFormatVersion = 1;

} // namespace lambdascope::layout
