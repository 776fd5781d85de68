// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment.h"
#include "core/data/data_source.h"

namespace lambdascope {

/// `experiment` with the File fields of its problem section that matter and are not empty replaced by paths that can be
/// opened, found as data files are. `problem` is the schema of that section. Errors: FileNotFound with the field's key.
Result<Experiment> withLocatedFiles(Experiment experiment, const SectionSchema& problem, const DataPlaces& places);

} // namespace lambdascope
