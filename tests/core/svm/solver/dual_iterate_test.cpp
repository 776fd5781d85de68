// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/dual_iterate.h"
#include "tests/core/svm/small_svms.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lambdascope::svm {
namespace {

/// Margins of the members are those of their definition, within the stated error.
void expectExact(const SmallSvm& svm, const KernelFunction& kernel, const DualIterate& space,
                 const std::string& where) {
    const std::vector<long double> exact = exactMargins(svm, kernel, space.alpha());
    const Eigen::VectorXd margins = space.margins();
    Eigen::Index k = 0;
    for (const SampleIndex i : space.members()) {
        const double allowed = space.marginError() * svm.problem->norms()(i);
        EXPECT_LE(std::abs(static_cast<double>(exact[static_cast<std::size_t>(i)] - margins(k++))), allowed)
            << where << ", sample " << i;
    }
}

/// Moves every `step`-th member to a place of its own between the bounds.
void moveSome(DualIterate& space, std::size_t step, double phase) {
    std::vector<std::int32_t> positions;
    for (std::size_t k = 0; k < space.members().size(); k += step) {
        positions.push_back(static_cast<std::int32_t>(k));
    }
    Eigen::VectorXd targets(std::ssize(positions));
    for (Eigen::Index k = 0; k < targets.size(); ++k) {
        const SampleIndex i = space.members()[static_cast<std::size_t>(positions[static_cast<std::size_t>(k)])];
        targets(k) = space.upper(i) * (0.5 + 0.5 * std::sin(phase + static_cast<double>(3 * k)));
    }
    StopCheck never;
    (void)space.move(positions, targets, never);
}

TEST(DualIterate, MarginsFollowMovesAtEveryLevel) {
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            const auto space = makeSpace(*svm->problem);
            StopCheck never;
            space->load(bottomOf(*svm->problem), cMinOf(*svm->problem), never);
            const std::string name = shape.name + ", " + kernelName(kernel);
            moveSome(*space, 2, 0);
            expectExact(*svm, kernel, *space, name + ", whole");
            // Many members, whose rows are passed over whole, and few, for which numbers are picked out.
            for (const std::size_t every : {2, 4}) {
                std::vector<std::int32_t> positions;
                for (std::size_t k = 0; k < space->members().size(); k += every) {
                    positions.push_back(static_cast<std::int32_t>(k));
                }
                space->narrow(positions);
                moveSome(*space, 1, static_cast<double>(every));
                expectExact(*svm, kernel, *space, name + ", narrowed");
                moveSome(*space, 3, 7); // of gathered rows, where there are some
                expectExact(*svm, kernel, *space, name + ", narrowed and moved again");
            }
            space->widen(never);
            expectExact(*svm, kernel, *space, name + ", widened");
            space->widen(never);
            expectExact(*svm, kernel, *space, name + ", whole again");
        }
    }
}

} // namespace
} // namespace lambdascope::svm
