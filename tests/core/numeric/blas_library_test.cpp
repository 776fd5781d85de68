// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blas_library.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

TEST(BlasKernels, OfAnOldProcessorAreReplacedOnOneWithAvx2) {
    EXPECT_EQ(betterBlasKernels("Prescott", true), "Haswell"); // what OpenBLAS takes for models it does not know
    EXPECT_EQ(betterBlasKernels("Sandybridge", true), "Haswell");
}

TEST(BlasKernels, AreLeftAloneOtherwise) {
    EXPECT_EQ(betterBlasKernels("Prescott", false), "") << "the better ones would end in an illegal instruction";
    for (const char* kernels : {"Haswell", "SkylakeX", "Zen", "Cooperlake", "neoversen1", ""}) {
        EXPECT_EQ(betterBlasKernels(kernels, true), "") << kernels;
    }
}

} // namespace
} // namespace lambdascope
