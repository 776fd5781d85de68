// SPDX-License-Identifier: GPL-3.0-or-later
// Views of rows, and sums of many terms in a row.
#include "core/common/random_stream.h"
#include "core/numeric/compensated_sums.h"
#include "core/numeric/feature_rows.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(CompensatedSums, LoseNothingToCancellationWithinAndAcrossLanes) {
    // Multiples of 2⁻³⁰ from 2⁻³⁰ to 2²⁷, so that whole numbers tell the sum.
    RandomStream random(7, "terms");
    CompensatedSums sums;
    double plain = 0;
    std::int64_t exact = 0;
    for (int times = 0; times < 4000; ++times) {
        CompensatedSums::Terms terms;
        for (double& term : terms) {
            const auto whole = static_cast<std::int64_t>(random.below(std::size_t{1} << (1 + random.below(57))));
            const std::int64_t signedWhole = random.below(2) == 0 ? whole : -whole;
            term = std::ldexp(static_cast<double>(signedWhole >> 5 << 5), -30);
            exact += signedWhole >> 5 << 5;
            plain += term;
        }
        sums.add(terms);
    }
    const double wanted = std::ldexp(static_cast<double>(exact), -30);
    EXPECT_EQ(sums.value(), wanted);
    EXPECT_NE(plain, wanted);
}

TEST(CompensatedSums, OfNothingAreZero) {
    EXPECT_EQ(CompensatedSums().value(), 0);
}

} // namespace
} // namespace lambdascope
