// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Counted work: what is done, in the time that one operation of a sweep takes, so that works of one kind can be set
/// against those of another. Measured as instructions and CPU time per sample over data of 500 to 5000 samples; the
/// figures are for each sample, or each number of a kernel row.
namespace lambdascope::svm::work_units {

inline constexpr double kLoading = 12;  ///< takes over the solution that a point starts from
inline constexpr double kGap = 12;      ///< margin and what the sample adds to the gap
inline constexpr double kBestBias = 50; ///< finds the best free bias, each time that the gap is measured
inline constexpr double kProof = 20;    ///< sums of the proven solution, and the sets
inline constexpr double kSweep = 12;    ///< beside its steps, a sweep prepares members and tells what is beyond limits
inline constexpr double kVisit = 8;     ///< of a linear kernel beside its products: the order, limits, the step
inline constexpr double kLevel = 6;     ///< goes to a level of fewer members, or back
inline constexpr double kPick = 4;      ///< takes a number out of a kernel row
inline constexpr double kRow = 1;       ///< adds a kernel row, several at a time
inline constexpr double kLoneRow = 2;   ///< adds one alone

inline constexpr double kCut = 24;      ///< chooses ŝ and sums up its cut
inline constexpr double kJudging = 32;  ///< judges by one bound
inline constexpr double kProbing = 8;   ///< tells by its margin whether a sample is likely to be decided
inline constexpr double kBracket = 100; ///< brackets a free bias over a ball
inline constexpr double kTie = 30;      ///< looks for free samples that tie it to w, and for distances from them
inline constexpr double kSettling = 16; ///< tells which samples are to move to their bounds
inline constexpr double kRangeEnd = 96; ///< finds the C up to which a decision holds
inline constexpr double kCarrying = 4;  ///< asks for decisions that hold still

/// A step over free samples, besides solving: rounds that each read so many numbers, and all that does not grow with
/// them.
[[nodiscard]] constexpr double ofFaceStep(double numbers) {
    return 10'000 + 5 * numbers;
}

} // namespace lambdascope::svm::work_units
