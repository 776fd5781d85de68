// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/counted_work.h"

#include <cmath>

namespace lambdascope::triplets::work {

namespace {

// Nanoseconds of thread CPU time over counts on one core of a cloud machine (x86-64, 2 cores, shared): all constants
// together by least squares of the relative errors, six λ at a time, of whole paths of all methods without screening,
// with it and with known sets, on iris, wine (k = all), segment (k = 20), phishing (k = 7), breast cancer and digits in
// principal axes, 4 to 68 features. Paths are within about a tenth of what they take, those of known sets on iris and
// wine a third above. That the whole still fits shows in the column "ns per unit" of `lambdascope_metric_speed --only
// choice`: what it says of the methods has to be about the same.
// What sums over product sets take was measured later, alone and in evaluations: those of iris and wine (k = all) take
// 0.99 and 0.81 times what is counted in the median, those of digits 0.54 (products of matrices with many columns take
// less). Eight tenths of those of packed triplets take 0.7 to 1.2 times that, on wine, iris (k = all) and segment. So
// were looks at packed triplets, each over what evaluations of the same run take, on iris,
// wine (k = 20), segment, phishing, pendigits and two moons: at all triplets four fifths of them take 0.75 to 1.35
// times what is counted, the median one 0.97; at those that lasting decisions leave 0.55 to 2 times and 1.2. And looks
// at product sets on iris and wine (k = all): 1 and 1.2 times.
constexpr double kFlop = 0.055; ///< of products with few columns
constexpr double kSquareFlop = 0.028;
constexpr double kFactorFlop = 0.03;
constexpr double kNumber = 0.4;
constexpr double kPair = 0.5;
constexpr double kPairRead = 0.2;
constexpr double kSummedPair = 4.3;
constexpr double kPairChange = 0.28;
constexpr double kRow = 3;
constexpr double kTriplet = 0.43;
constexpr double kSingleTriplet = 7;
constexpr double kGroupedTriplet = 0.4;
constexpr double kJudgedRow = 1.5;
constexpr double kTestedGroup = 5;
constexpr double kJudgedColumn = 8;
constexpr double kRowLeft = 40;
constexpr double kGroupLeft = 4;
constexpr double kNorm = 3;
constexpr double kNormFlop = 0.13;
constexpr double kRuleOperation = 0.45;
constexpr double kLifetime = 60;
constexpr double kMatrixNumber = 0.25;
constexpr double kSortedEntry = 12;
constexpr double kProductEntry = 2.3;
constexpr double kVisitedTriplet = 0.33;
constexpr double kSortedKey = 9;
constexpr double kSortedProbe = 30;
constexpr double kWalked = 6.5;
constexpr double kLookedRow = 9.5;
constexpr double kRunComparison = 3;
constexpr double kRunEntry = 3.5;
constexpr double kPickedTriplet = 1.3;
constexpr double kListing = 13;
constexpr double kListedTriplet = 5;
constexpr double kJudgedInList = 8;
constexpr double kDecidedInList = 15;
constexpr double kComparison = 5;
constexpr double kSystemRow = 75;

/// Whole units, so that sums are exact: what a part of a solve took does not depend on what came before it.
double whole(double units) {
    return std::round(units);
}

double number(std::int64_t count) {
    return static_cast<double>(count);
}

} // namespace

double ofProduct(std::int64_t m, std::int64_t n, std::int64_t k) {
    return whole(2 * kFlop * number(m) * number(n) * number(k));
}

double ofSquare(std::int64_t count, std::int64_t size) {
    return whole(kSquareFlop * number(count) * number(size) * number(size));
}

double ofFactor(std::int64_t size) {
    const double n = number(size);
    return whole(kFactorFlop * n * n * (n / 3 + 30));
}

double ofEigen(std::int64_t size, bool withVectors) {
    const double n = number(size);
    return whole(300 + n * (130 + n * (13 + (withVectors ? 0.85 : 0.6) * n)));
}

double ofDerivative(std::int64_t size) {
    return whole(1000 * number(size));
}

double ofNumbers(std::int64_t count) {
    return whole(kNumber * number(count));
}

double ofValues(std::int64_t pairs, std::int64_t width) {
    return whole(number(pairs) * (kPair + kPairRead * number(width)));
}

double ofSum(std::int64_t pairs, std::int64_t width) {
    return whole(number(pairs) * (kSummedPair + kPairChange * number(width)));
}

double ofTriplets(std::int64_t rows, std::int64_t inRows, std::int64_t inGroups) {
    return whole(kRow * number(rows) + kTriplet * number(inRows) + kGroupedTriplet * number(inGroups));
}

double ofLook(const LookCounts& counts) {
    return whole(kJudgedRow * number(counts.rows) + kTestedGroup * number(counts.tested) +
                 kJudgedColumn * number(counts.columns) + kRowLeft * number(counts.rowsLeft) +
                 kGroupLeft * number(counts.groupsLeft));
}

double ofNorms(std::int64_t norms, std::int64_t numbers) {
    return whole(number(norms) * (kNorm + kNormFlop * number(numbers)));
}

double ofJudging(std::int64_t single) {
    return whole(kSingleTriplet * number(single));
}

double ofRuleOperations(std::int64_t operations) {
    return whole(kRuleOperation * number(operations));
}

double ofLifetimes(std::int64_t triplets) {
    return whole(kLifetime * number(triplets));
}

double ofMatrixTriplets(std::int64_t triplets, std::int64_t lossy, std::int64_t numbers) {
    return whole(number(triplets) * (kSingleTriplet + 2 * kMatrixNumber * number(numbers)) +
                 number(lossy) * 2 * kMatrixNumber * number(numbers));
}

double ofProductSums(std::int64_t entries, std::int64_t visited, std::int64_t sortedKeys, std::int64_t sortedProbes,
                     std::int64_t walked) {
    return whole(kProductEntry * number(entries) + kVisitedTriplet * number(visited) + kSortedKey * number(sortedKeys) +
                 kSortedProbe * number(sortedProbes) + kWalked * number(walked));
}

double ofSortedEntries(std::int64_t entries) {
    return whole(kSortedEntry * number(entries));
}

double ofRowLook(std::int64_t entries) {
    return whole(kLookedRow * number(entries));
}

double ofFindingRuns(std::int64_t comparisons) {
    return whole(kRunComparison * number(comparisons));
}

double ofRuns(std::int64_t entries) {
    return whole(kRunEntry * number(entries));
}

double ofPicking(std::int64_t triplets) {
    return whole(kPickedTriplet * number(triplets));
}

double ofListing(std::int64_t triplets) {
    return whole(kListing * number(triplets));
}

double ofListed(std::int64_t triplets) {
    return whole(kListedTriplet * number(triplets));
}

double ofJudgedList(std::int64_t triplets, std::int64_t decided) {
    return whole(kJudgedInList * number(triplets) + kDecidedInList * number(decided));
}

double ofSearches(std::int64_t searches, std::int64_t listed) {
    return whole(kComparison * number(searches) * std::log2(number(listed) + 2));
}

double ofSystemRows(std::int64_t rows, std::int64_t columns) {
    return whole(number(rows) * (kSystemRow + 3 * kNumber * number(columns)));
}

} // namespace lambdascope::triplets::work
