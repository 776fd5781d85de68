// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace lambdascope::triplets {

/// What a look is expected to take, in the units below, and to bring.
struct LookForecast {
    double left = 1; ///< share of the work of an evaluation of all items
    double work = 0; ///< of each look
    double once = 0; ///< of the first one besides: what it makes is kept for all others
};

} // namespace lambdascope::triplets

/// Work by counted operations instead of clocks: the same in every run and on every machine, so that decisions may
/// rest on it. A unit is about a nanosecond of one core (counted_work.cpp says how that was measured).
namespace lambdascope::triplets::work {

/// A product of matrices with m · n · k multiplications.
[[nodiscard]] double ofProduct(std::int64_t m, std::int64_t n, std::int64_t k);
/// Half of such a product, XᵀX of `count` rows of so many numbers.
[[nodiscard]] double ofSquare(std::int64_t count, std::int64_t size);
/// A Cholesky factor.
[[nodiscard]] double ofFactor(std::int64_t size);
/// A decomposition of a symmetric matrix, with the projection, or its eigenvalues alone.
[[nodiscard]] double ofEigen(std::int64_t size, bool withVectors = true);
/// The projection's derivative and norm besides.
[[nodiscard]] double ofDerivative(std::int64_t size);
/// Numbers that are read, worked on and written in a plain loop.
[[nodiscard]] double ofNumbers(std::int64_t count);

/// Values of pairs, `width` numbers of each row being read; Σ w δ over pairs, so many being changed.
[[nodiscard]] double ofValues(std::int64_t pairs, std::int64_t width);
[[nodiscard]] double ofSum(std::int64_t pairs, std::int64_t width);
/// Loss of triplets by rows, and in groups of four of which some may be empty.
[[nodiscard]] double ofTriplets(std::int64_t rows, std::int64_t inRows, std::int64_t inGroups);
/// Looking at packed triplets by a ball, and packing what is left.
struct LookCounts {
    std::int64_t rows = 0;
    std::int64_t tested = 0;  ///< groups of four of the rows that are not decided as a whole
    std::int64_t columns = 0; ///< other-class pairs, of all anchors
    std::int64_t rowsLeft = 0;
    std::int64_t groupsLeft = 0;
};
[[nodiscard]] double ofLook(const LookCounts& counts);
/// Norms of triplets of an anchor from so many numbers; triplets that are judged one by one.
[[nodiscard]] double ofNorms(std::int64_t norms, std::int64_t numbers);
[[nodiscard]] double ofJudging(std::int64_t single);
/// Floating-point operations of rules that judge by more than a ball, as these count them, on few numbers at a time;
/// intervals of λ of so many triplets.
[[nodiscard]] double ofRuleOperations(std::int64_t operations);
[[nodiscard]] double ofLifetimes(std::int64_t triplets);
/// Loss of triplets from matrices of so many numbers, and the gradient of those with a loss.
[[nodiscard]] double ofMatrixTriplets(std::int64_t triplets, std::int64_t lossy, std::int64_t numbers);
/// Loss of product sets that are taken whole: so many sames and others, triplets visited, keys and probes
/// sorted, and keys walked over in quadratic runs; a look at all their rows by a ball; so many comparisons of
/// groups in QuadraticRuns; finding the runs of so many values; a sum over runs that are known.
[[nodiscard]] double ofProductSums(std::int64_t entries, std::int64_t visited, std::int64_t sortedKeys,
                                   std::int64_t sortedProbes, std::int64_t walked);
[[nodiscard]] double ofRowLook(std::int64_t entries);
[[nodiscard]] double ofFindingRuns(std::int64_t comparisons);
[[nodiscard]] double ofSortedEntries(std::int64_t entries);
[[nodiscard]] double ofRuns(std::int64_t entries);

/// Looking at triplets for those near the edges of the loss, and listing these.
[[nodiscard]] double ofPicking(std::int64_t triplets);
[[nodiscard]] double ofListing(std::int64_t triplets);
/// Loss of listed triplets, or the sum of their α; judging them by a ball, and taking out those that it decides.
[[nodiscard]] double ofListed(std::int64_t triplets);
[[nodiscard]] double ofJudgedList(std::int64_t triplets, std::int64_t decided);
/// Sorting or looking up so many triplets in a list.
[[nodiscard]] double ofSearches(std::int64_t searches, std::int64_t listed);
/// Making rows of a system.
[[nodiscard]] double ofSystemRows(std::int64_t rows, std::int64_t columns);

} // namespace lambdascope::triplets::work
