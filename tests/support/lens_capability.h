// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_auditor.h"
#include "core/inspect/decision_recorder.h"
#include "core/inspect/item_explainer.h"
#include "core/inspect/model_exporter.h"
#include "core/inspect/plane_sampler.h"
#include "core/inspect/region_slicer.h"
#include "core/inspect/relation_finder.h"

namespace lambdascope {

/// A lens as what the test knows it to be; throws when it is not.
template <class Capability>
Capability& as(RunLens& lens) {
    return dynamic_cast<Capability&>(lens);
}

} // namespace lambdascope
