// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blas_threads.h"

// Only OpenBLAS has this symbol. Weak, because any BLAS may stand behind the linker's alternatives.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int count);

namespace lambdascope {

void pinBlasToOneThread() {
    if (openblas_set_num_threads != nullptr) {
        openblas_set_num_threads(1);
    }
}

} // namespace lambdascope
