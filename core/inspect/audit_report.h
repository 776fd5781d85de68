// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/value_bounds.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lambdascope {

/// What comparing the decisions at one point with a solution of much smaller gap found.
struct DecisionAudit {
    std::int64_t decided = 0;
    std::int64_t wrong = 0;    ///< by more than the accuracy of the solution can excuse
    std::int64_t doubtful = 0; ///< too near the edge for the solution to tell
    double smallestSlack = std::numeric_limits<double>::infinity(); ///< least distance of a decision to its edge
    std::int64_t closest = -1;                                      ///< the item with that slack
    std::vector<std::string> examples;                              ///< of wrong decisions, at most kMostExamples
    std::vector<std::int64_t> possible; ///< items of the problem that may lie in each set, in the family's order

    static constexpr std::size_t kMostExamples = 10;

    /// Counts a decision whose item lies `slack` inside its set (< 0: outside), known up to `doubt`. True when it is
    /// wrong and another example is wanted.
    bool count(std::int64_t item, double slack, double doubt);
    /// Whether an item may lie in a set that it lies `slack` inside of, known up to `doubt`; also where either is no
    /// number.
    [[nodiscard]] static bool mayLieInside(double slack, double doubt) { return !(slack < -doubt); }
};

/// The most that a column which counts items of a set may truly say.
struct CountLimit {
    std::string column;
    std::int64_t most = 0;
};

/// What the accurate solution of a path point proves about the numbers of any run there.
struct ProvenPoint {
    std::int32_t point = 0;
    ValueBounds value;
    std::vector<CountLimit> counts;
};

/// Result of comparing every decision of a run with solutions of much higher accuracy.
struct AuditReport {
    /// Takes the audit of a path point in.
    void add(const DecisionAudit& audit, std::int32_t point);
    /// Takes the relative gap of the accurate solution of a point in; one that is no number counts as the largest.
    void noteGap(double gap, std::int32_t point);

    std::int64_t decisions = 0; ///< over all points, after the last screening of each
    std::int64_t wrong = 0;     ///< decisions that the accurate solution proves wrong
    std::int64_t undecided = 0; ///< so close to the edge that even the accurate solution cannot tell
    double smallestSlack = 0;   ///< least distance of a decided item's true value from the edge of its set; 0 for none
    std::int64_t closestItem = -1;  ///< the item with that slack; −1 for none
    std::int32_t closestPoint = -1; ///< and its path point
    std::int32_t points = 0;
    double largestGap = 0; ///< of the accurate solutions, as a share of max(1, objective)
    double seconds = 0;
    std::vector<std::string> examples; ///< of wrong decisions, at most DecisionAudit::kMostExamples

    double promisedGap = 1e-10;        ///< what `largestGap` should be at most; set before noteGap()
    std::int32_t largestGapPoint = -1; ///< −1 when no point was solved accurately
    std::int32_t loosePoints = 0;      ///< points whose accurate solution misses the promise
    std::vector<ProvenPoint> proven;   ///< in the order of the points; not kept in files
};

/// "0 of 1,234,567 decisions wrong, smallest slack 0.00021": the same words in the window and on the command line.
[[nodiscard]] std::string auditText(const AuditReport& report);

} // namespace lambdascope
