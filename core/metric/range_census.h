// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/sphere_bounds.h"
#include "core/metric/work_poll.h"

#include <span>
#include <vector>

namespace lambdascope::metric {

/// How much one reference decides elsewhere: rates[i] is the share of all triplets, in [0, 1], whose RRPB interval
/// (range_rule.h) holds targets[i]. `targets` in falling order. Cost O(triplets d); false when stopped.
bool rangeRates(const TripletSet& triplets, const PathReference& reference, double gamma,
                std::span<const double> targets, WorkPoll& poll, std::vector<double>& rates);

} // namespace lambdascope::metric
