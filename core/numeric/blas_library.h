// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lambdascope {

/// Limits the BLAS library to one thread, so that thread CPU clocks see all the work and results do not depend on the
/// number of cores. Cheap; a BLAS without such a switch is left alone.
void pinBlasToOneThread();

/// Which loops the BLAS library runs, such as "OpenBLAS Haswell"; "other" for one that does not tell.
[[nodiscard]] std::string blasKernels();

/// The kernels that OpenBLAS should be made to take in place of `kernels`, those of an older processor, on one that
/// has AVX2 and FMA; empty when it should be left alone.
[[nodiscard]] std::string_view betterBlasKernels(std::string_view kernels, bool hasAvx2);

/// OpenBLAS chooses its kernels from the model of the processor before main(), and takes those of a Pentium 4 for
/// models newer than itself: products of matrices are then several times slower. In that case this starts the program
/// again with OPENBLAS_CORETYPE set, for which a process takes some milliseconds; else, and where the user has set that
/// variable, it does nothing. To be called first in main().
void restartWithBetterBlasKernels(char** arguments);

} // namespace lambdascope
