// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field_table.h"
#include "core/data/data_config.h"
#include "core/metric/problem/metric_config.h"

#include <vector>

namespace lambdascope::metric {

const FieldTable<ProblemConfig>& problemFields();
const FieldTable<SolverConfig>& solverFields();
const FieldTable<PathConfig>& pathFields();
const FieldTable<LaneConfig>& laneFields();

/// Rules between fields.
void crossCheck(const MetricConfig& config, const DataConfig& data, std::vector<Fault>& faults);

} // namespace lambdascope::metric
