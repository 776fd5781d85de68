// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/family.h"

#include "core/ordinal/ordinal_config.h"
#include "core/ordinal/prepared_ordinal.h"

namespace lambdascope::ordinal {

Family family() {
    return {schema(), prepare};
}

} // namespace lambdascope::ordinal
