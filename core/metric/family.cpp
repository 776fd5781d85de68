// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/family.h"

#include "core/metric/metric_config.h"
#include "core/metric/prepared_metric.h"

namespace lambdascope::metric {

Family family() {
    return {schema(), prepare};
}

} // namespace lambdascope::metric
