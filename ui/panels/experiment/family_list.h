// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/families.h"

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace lambdascope {

class ExperimentDocument;

/// Fills `box`, which has a vertical layout, with a row per family: whether it takes the data, what it lacks, and a
/// button that makes it the experiment's family, or shows the field that mends it.
void fillFamilyList(QWidget& box, const std::vector<DataFit>& fits, ExperimentDocument& document,
                    const std::function<void(const QString& keyPath)>& showField);

} // namespace lambdascope
