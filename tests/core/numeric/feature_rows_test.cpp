// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/feature_rows.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

/// As a data set has it: sparse rows of a derived type.
struct HeldRows {
    struct SparseRows : FeatureRows::Sparse {
        using FeatureRows::Sparse::Sparse;
    };
    [[nodiscard]] bool isSparse() const { return hasSparse; }
    [[nodiscard]] const FeatureRows::Dense& dense() const { return denseRows; }
    [[nodiscard]] const SparseRows& sparse() const { return sparseRows; }
    FeatureRows::Dense denseRows = FeatureRows::Dense::Ones(2, 3);
    SparseRows sparseRows{4, 5};
    bool hasSparse = false;
};

TEST(FeatureRows, LookAtTheSamplesThemselves) {
    HeldRows samples;
    EXPECT_EQ(featureRowsOf(samples).dense(), &samples.denseRows);
    EXPECT_EQ(featureRowsOf(samples).sparse(), nullptr);
    samples.hasSparse = true;
    EXPECT_EQ(featureRowsOf(samples).dense(), nullptr);
    EXPECT_EQ(featureRowsOf(samples).sparse(), &samples.sparseRows);
    EXPECT_EQ(featureRowsOf(samples).rows(), 4);
    EXPECT_EQ(featureRowsOf(samples).features(), 5);
}

} // namespace
} // namespace lambdascope
