// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"
#include "core/run/run_event.h"

#include <vector>

namespace lambdascope {

/// A made-up family with exactly known events, for tests of everything that must not know families.
///
/// problem: points, iterations (per point), delay_us (per iteration), fail_at (index of the point that fails, "never"),
/// refuse (preparation fails), weights (a list of numbers), note (text). lane: share (of items fixed at the last
/// check), marks (choices), cap (number or "none"). 1000 items; at check c of 3 a lane fixes share · 1000 · (c + 1) / 3
/// items.
[[nodiscard]] Family tinyFamily();

/// The tiny family, and data and run sections.
[[nodiscard]] const SchemaCatalog& tinyCatalog();

/// Family lookup for RunController::Options.
[[nodiscard]] const Family* findTinyFamily(std::string_view id);

/// A document with lanes "plain" and "half" and these problem values; data: iris.
[[nodiscard]] Json tinyDocument(const Json& problem);
[[nodiscard]] Validated<Experiment> tinyExperiment(const Json& problem);

/// Where the bundled data are, seen from the source tree.
[[nodiscard]] DataPlaces tinyPlaces();

/// The events of a whole run, as the tiny family makes them, without running anything.
struct TinyRun {
    RunId id;
    std::string lane = "plain";
    bool isBaseline = true;
    int points = 3;
    int iterations = 4;
    double share = 0;
    double cpuPerPoint = 2;
    bool isEnded = true;
};
[[nodiscard]] std::vector<RunEvent> tinyEvents(const TinyRun& run);

} // namespace lambdascope
