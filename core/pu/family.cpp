// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/family.h"

#include "core/pu/prepared_pu.h"
#include "core/pu/pu_config.h"

namespace lambdascope::pu {

Family family() {
    return {schema(), prepare};
}

} // namespace lambdascope::pu
