// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope {

/// Limits the BLAS library to one thread, so that thread CPU clocks see all the work and results do not depend on the
/// number of cores. Cheap; a BLAS without such a switch is left alone.
void pinBlasToOneThread();

} // namespace lambdascope
