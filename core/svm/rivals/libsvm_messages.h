// SPDX-License-Identifier: GPL-3.0-or-later
// What LibsvmSolver and the program lambdascope-libsvm say to each other, in messages of framed_message.h. The program
// is told of a LibsvmProblem, followed by what it fits (a double per row) and by the entries of all rows; it answers
// with a LibsvmAnswer that says what it cannot take, if anything. Then it answers requests, until the socket is closed.
#pragma once

#include "core/svm/problem/svm_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope::svm {

struct LibsvmProblem {
    TaskKind task = TaskKind::Classification;
    KernelKind kernel = KernelKind::Linear;
    double gamma = 1;
    std::int32_t degree = 3;
    double offset = 0;
    double epsilon = 0;        ///< of regression
    double positiveWeight = 1; ///< of classification, as the next
    double negativeWeight = 1;
    double cacheMegabytes = 100;
    bool shrinks = true;
    std::uint64_t rows = 0;
    std::uint64_t entries = 0; ///< of all rows

    void transfer(auto& archive) {
        auto& [itsTask, itsKernel, itsGamma, itsDegree, itsOffset, itsEpsilon, positive, negative, cache, itShrinks,
               itsRows, itsEntries] = *this;
        archive(itsTask, itsKernel, itsGamma, itsDegree, itsOffset, itsEpsilon, positive, negative, cache, itShrinks,
                itsRows, itsEntries);
    }
};

/// A feature of a row that is not 0, or the end of the row: the library's svm_node.
struct LibsvmEntry {
    static constexpr std::int32_t kEnd = -1;
    std::int32_t index = kEnd; ///< of the feature, from 1
    double value = 0;
};

struct LibsvmRequest {
    double c = 1;         ///< of classification and regression
    double nu = 1;        ///< of novelty
    double tolerance = 0; ///< the library's ε: the most by which a pair may violate the conditions of optimality

    void transfer(auto& archive) {
        auto& [itsC, itsNu, itsTolerance] = *this;
        archive(itsC, itsNu, itsTolerance);
    }
};

struct LibsvmAnswer {
    std::string failure;              ///< empty where there is none
    std::vector<double> coefficients; ///< c of f(x) = Σ cⱼ K(xⱼ, x) − ρ, for each row; f > 0 for y = +1
    std::int64_t iterations = 0;      ///< pairs moved
    bool isAtLimit = false;           ///< of iterations: the library has given up

    void transfer(auto& archive) {
        auto& [itsFailure, itsCoefficients, itsIterations, itIsAtLimit] = *this;
        archive(itsFailure, itsCoefficients, itsIterations, itIsAtLimit);
    }
};

} // namespace lambdascope::svm
