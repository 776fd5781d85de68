// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/lane_measurement.h"

namespace lambdascope::metric {
class PreparedMetric;
}

namespace lambdascope::benchmarks {

/// The limit of all safe rules and of all schedules on an engine that packs the triplets which are left: the counted
/// work of a path that knows the solutions of all λ beforehand. No safe rule decides more at a λ than what its solution
/// says, and a set that serves several λ holds what any of their solutions leaves. Such a set is taken from all
/// triplets or from a larger set, where no norm or linear sum is computed: reading the rows of the larger set and
/// writing the smaller one is paid for. Which sets, and from which others, is chosen by dynamic programming over the
/// path; at most 24 λ share a set. At each λ there are as many evaluations as in the `oracle` lane, whose other work
/// comes on top.
///
/// Cost: some hundred evaluations per λ.
struct KnownSetWork {
    double given = 0; ///< decisions are given
    double found = 0; ///< one value ⟨δδᵀ, Q⟩ is computed of each pair of the larger set, as a ball's rule has to
};
[[nodiscard]] KnownSetWork workOfKnownSets(const metric::PreparedMetric& problem, std::size_t lane,
                                           const LaneMeasurement& oracle);

} // namespace lambdascope::benchmarks
