// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/kernel/kernel_rows.h"
#include "core/kernel/precise_expansion.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace lambdascope {
namespace {

struct Rows {
    FeatureRows::Dense dense;
    FeatureRows::Sparse sparse;
};

Rows randomRows(Eigen::Index rows, Eigen::Index features, double scale) {
    RandomStream random(11, "rows of " + std::to_string(scale));
    Rows result;
    result.dense = FeatureRows::Dense::Zero(rows, features);
    for (double& value : result.dense.reshaped()) {
        value = random.uniform() < 0.6 ? scale * random.normal() : 0.0;
    }
    result.dense.row(3) = result.dense.row(2); // twins
    result.sparse = result.dense.sparseView();
    return result;
}

/// Largest distance to products in quad precision as a share of the bound, for dense and sparse rows.
void checkExpansion(const KernelFunction& kernel, const Rows& x) {
    RandomStream random(12, "coefficients");
    std::vector<PreciseExpansion::Term> terms;
    for (std::int32_t j = 0; j < x.dense.rows(); j += 2) {
        const double high = 1e6 * random.normal();
        terms.push_back({j, {high, 0.3 * kUnitRoundoff * high}});
    }
    for (const FeatureRows& rows : {FeatureRows(x.dense), FeatureRows(x.sparse)}) {
        const Eigen::VectorXd norms = KernelRows(kernel, rows, 1e9).diagonal().cwiseSqrt() * (1 + 1e-12);
        StopCheck never;
        const PreciseExpansion expansion(kernel, rows, norms, terms, never);
        ASSERT_TRUE(expansion.isReliable());
        double doubleError = 0;
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            Quad exact = 0;
            double length = 0;
            for (const auto& [j, coefficient] : terms) {
                exact += quad(coefficient) * kernelByDefinition<Quad>(kernel, x.dense, i, j);
                length += std::abs(coefficient.high) * norms(j);
            }
            EXPECT_LE(static_cast<double>(absolute(quad(expansion.at(i)) - exact)), expansion.error(i)) << i;
            doubleError = std::max(doubleError, kUnitRoundoff * length * norms(i));
        }
        EXPECT_LT(expansion.error(0), 1e-6 * doubleError); // worth the trouble
    }
}

TEST(PreciseExpansion, KeepsItsErrorBoundForEveryKernel) {
    const std::vector<KernelFunction> kernels = {
        {.kind = KernelKind::Linear},
        {.kind = KernelKind::Linear, .bias = 3},
        {.kind = KernelKind::Rbf, .gamma = 0.03},
        {.kind = KernelKind::Rbf, .gamma = 2, .bias = 0.7},
        {.kind = KernelKind::Polynomial, .gamma = 0.5, .degree = 3, .offset = 1, .bias = 0.5},
        {.kind = KernelKind::Polynomial, .gamma = 1, .degree = 5, .offset = 0}};
    for (const double scale : {1e-3, 1.0, 30.0}) {
        const Rows x = randomRows(14, 21, scale);
        for (std::size_t k = 0; k < kernels.size(); ++k) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", kernel " + std::to_string(k));
            checkExpansion(kernels[k], x);
        }
    }
}

TEST(PreciseExpansion, TakesAPrecomputedMatrixAsItStands) {
    const Rows x = randomRows(13, 9, 1);
    Rows matrix;
    matrix.dense = x.dense * x.dense.transpose();
    matrix.dense.diagonal().array() += 0.5;
    matrix.sparse = matrix.dense.sparseView();
    checkExpansion({.kind = KernelKind::Precomputed, .bias = 0.25}, matrix);
}

TEST(PreciseExpansion, GivesNoWordForFeaturesWhoseProductsLoseDigits) {
    for (const double scale : {1e-150, 1e150}) {
        const Rows x = randomRows(8, 3, scale);
        StopCheck never;
        const FeatureRows rows(x.dense);
        EXPECT_FALSE(
            PreciseExpansion({.kind = KernelKind::Linear}, rows, Eigen::VectorXd::Ones(8), {}, never).isReliable());
    }
}

} // namespace
} // namespace lambdascope
