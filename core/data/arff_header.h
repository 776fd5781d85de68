// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/fault_list.h"
#include "core/data/line_source.h"
#include "core/data/table_builder.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// Reads the part of an ARFF file before its data: one column per @attribute. Numeric, real, integer and nominal
/// attributes are taken; others are faults. Nothing when faults were found or "@data" never comes.
std::optional<std::vector<TableColumn>> readArffHeader(LineSource& lines, FaultList& faults);

/// Which attribute holds the classes when nothing is said: one named class or label, else the last nominal.
std::optional<std::size_t> classAttribute(const std::vector<TableColumn>& attributes);

[[nodiscard]] std::vector<std::string> columnNames(const std::vector<TableColumn>& columns);

} // namespace lambdascope
