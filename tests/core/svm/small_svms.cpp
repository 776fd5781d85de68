// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/svm/small_svms.h"

#include "core/common/random_stream.h"
#include "tests/support/kernel_definition.h"

#include <cmath>

namespace lambdascope::svm {

std::vector<SmallShape> smallShapes() {
    SmallShape plain{.name = "plain"};
    SmallShape overlapping{.name = "overlapping", .rows = 60, .features = 2, .spread = 0.3};
    SmallShape separable{.name = "separable", .spread = 8};
    SmallShape unbalanced{.name = "unbalanced", .rows = 50, .share = 0.06};
    SmallShape oneClass{.name = "one class", .share = 0};
    SmallShape line{.name = "one feature", .features = 1};
    SmallShape wide{.name = "more features than rows", .rows = 15, .features = 40};
    SmallShape duplicates{.name = "duplicates", .rows = 45, .hasDuplicates = true};
    SmallShape zeros{.name = "zero vectors", .hasZeros = true};
    SmallShape huge{.name = "huge values", .scale = 1e3, .offset = 100};
    SmallShape tiny{.name = "tiny values", .scale = 1e-3};
    SmallShape sparse{.name = "sparse", .features = 12, .isSparse = true};
    SmallShape weighted{.name = "weighted", .isWeighted = true};
    return {plain,      overlapping, separable, unbalanced, oneClass, line,    wide,
            duplicates, zeros,       huge,      tiny,       sparse,   weighted};
}

std::vector<SmallShape> tubeShapes() {
    SmallShape plain{.name = "tube", .isTube = true};
    SmallShape line{.name = "tube of one feature", .rows = 50, .features = 1, .isTube = true};
    SmallShape wide{.name = "tube of more features than rows", .rows = 12, .features = 30, .isTube = true};
    SmallShape ties{.name = "tube of ties", .rows = 45, .isTube = true, .epsilon = 0.25, .hasTies = true};
    SmallShape twins{.name = "tube of duplicates", .hasDuplicates = true, .isTube = true};
    SmallShape zeros{.name = "tube of zero vectors", .hasZeros = true, .isTube = true};
    SmallShape sharp{.name = "no tube", .isTube = true, .epsilon = 0};
    SmallShape tight{.name = "thin tube", .isTube = true, .epsilon = 1e-9};
    SmallShape all{.name = "tube round all", .isTube = true, .epsilon = 10};
    SmallShape constant{.name = "constant targets", .isTube = true, .epsilon = 0, .targetScale = 0, .targetOffset = 3};
    SmallShape huge{.name = "huge targets", .isTube = true, .targetScale = 1e6, .targetOffset = 3e6};
    SmallShape tiny{.name = "tiny targets", .scale = 30, .isTube = true, .targetScale = 1e-6};
    SmallShape sparse{.name = "sparse tube", .features = 12, .isSparse = true, .isTube = true};
    SmallShape weighted{.name = "weighted tube", .isWeighted = true, .isTube = true};
    return {plain, line, wide, ties, twins, zeros, sharp, tight, all, constant, huge, tiny, sparse, weighted};
}

std::vector<SmallShape> oneClassShapes() {
    std::vector<SmallShape> shapes = smallShapes();
    for (SmallShape& shape : shapes) {
        shape.hasFreeBias = true;
        shape.isOneClass = true;
    }
    return shapes;
}

std::vector<SmallShape> allShapes(bool hasFreeBias) {
    std::vector<SmallShape> shapes = smallShapes();
    const std::vector<SmallShape> tubes = tubeShapes();
    shapes.insert(shapes.end(), tubes.begin(), tubes.end());
    for (SmallShape& shape : shapes) {
        shape.hasFreeBias = hasFreeBias;
    }
    return shapes;
}

std::vector<KernelFunction> smallKernels() {
    return {{.kind = KernelKind::Linear},
            {.kind = KernelKind::Rbf, .gamma = 0.05},
            {.kind = KernelKind::Rbf, .gamma = 0.5},
            {.kind = KernelKind::Rbf, .gamma = 5},
            {.kind = KernelKind::Polynomial, .gamma = 0.5, .degree = 3, .offset = 1, .bias = 0.5}};
}

std::string kernelName(const KernelFunction& kernel) {
    switch (kernel.kind) {
    case KernelKind::Rbf: return "rbf " + std::to_string(kernel.gamma);
    case KernelKind::Polynomial: return "polynomial";
    case KernelKind::Precomputed: return "precomputed";
    default: return "linear";
    }
}

namespace {

void finish(SmallSvm& svm, SampleTerms terms, const SmallShape& shape, const KernelFunction& kernel, double budget) {
    const FeatureRows rows = shape.isSparse ? FeatureRows(svm.sparse) : FeatureRows(svm.dense);
    std::shared_ptr<KernelRows> store;
    if (kernel.kind != KernelKind::Linear || shape.hasFreeBias) {
        store = std::make_shared<KernelRows>(kernel, rows, budget);
        StopCheck never;
        store->fill(never);
    }
    svm.problem = std::make_unique<SvmProblem>(rows, std::move(terms), std::move(store), shape.hasFreeBias);
}

} // namespace

std::unique_ptr<SmallSvm> smallSvm(const SmallShape& shape, const KernelFunction& kernel, std::uint64_t seed,
                                   double budget) {
    RandomStream random(seed, shape.name);
    auto svm = std::make_unique<SmallSvm>();
    svm->dense.resize(shape.rows, shape.features);
    Eigen::VectorXd y(shape.rows);
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(shape.rows);
    for (Eigen::Index i = 0; i < shape.rows; ++i) {
        y(i) = static_cast<double>(i) < shape.share * shape.rows ? 1 : -1;
        for (Eigen::Index f = 0; f < shape.features; ++f) {
            const bool isThere = !shape.isSparse || random.uniform() < 0.3;
            svm->dense(i, f) =
                isThere ? shape.scale * (random.normal() + 0.5 * shape.spread * y(i)) + shape.offset : 0.0;
        }
        if (shape.hasDuplicates && i % 3 == 2) {
            svm->dense.row(i) = svm->dense.row(i - 1);
            y(i) = random.uniform() < 0.5 ? 1 : -1;
        }
        if (shape.hasZeros && i % 5 == 0) {
            svm->dense.row(i).setZero();
        }
        if (shape.isWeighted) {
            weights(i) = std::exp(random.uniform(std::log(0.2), std::log(5.0)));
        }
    }
    svm->sparse = svm->dense.sparseView();
    SampleTerms terms{std::move(y), std::move(weights)};
    if (shape.isTube) {
        Eigen::VectorXd targets = (svm->dense.rowwise().sum() / shape.scale).array().sin();
        for (double& target : targets) {
            target += 0.3 * random.normal();
            target = shape.hasTies ? std::round(4 * target) / 4 : target;
            target = shape.targetScale * target + shape.targetOffset;
        }
        terms = tubeTerms(targets, terms.weights, shape.targetScale * shape.epsilon);
    }
    if (shape.isOneClass) {
        terms = oneClassTerms(terms.weights);
    }
    finish(*svm, std::move(terms), shape, kernel, budget);
    return svm;
}

std::unique_ptr<SmallSvm> svmOf(FeatureRows::Dense x, Eigen::VectorXd y, const KernelFunction& kernel,
                                Eigen::VectorXd weights, double budget) {
    auto svm = std::make_unique<SmallSvm>();
    svm->dense = std::move(x);
    svm->sparse = svm->dense.sparseView();
    if (weights.size() == 0) {
        weights = Eigen::VectorXd::Ones(y.size());
    }
    finish(*svm, {std::move(y), std::move(weights)}, {}, kernel, budget);
    return svm;
}

PointOutcome solveAt(const SvmProblem& problem, double c, double tolerance, const SolvedSvm* start) {
    PointSettings settings;
    settings.tolerance = tolerance;
    settings.maxSweeps = 200000;
    PointSolver solver(problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    const SolvedSvm bottom = bottomOf(problem);
    return solver.solve(c, start != nullptr ? *start : bottom, 0, context);
}

SolvedSvm scaledTo(double c, SolvedSvm solved, const SvmProblem& problem) {
    const double ratio = c / solved.c;
    solved.c = c;
    solved.alpha = (ratio * solved.alpha).cwiseMin(c * problem.weights());
    solved.margins *= ratio;
    solved.marginError = ratio * solved.marginError + 1e-15 * solved.alpha.dot(problem.norms());
    completeSolved(problem, solved);
    return solved;
}

SolvedSvm bottomOf(const SvmProblem& problem) {
    StopCheck never;
    return bottomPoint(problem, 1, never);
}

double cMinOf(const SvmProblem& problem) {
    if (problem.sharesRows()) {
        const double largest = bottomOf(problem).margins.cwiseAbs().maxCoeff();
        return largest > 0 && problem.largestThreshold() > 0 ? 0.1 * problem.largestThreshold() / largest : 1;
    }
    const double c = smallestC(bottomOf(problem), problem);
    return std::isfinite(c) ? c : 1;
}

long double exactProduct(const SmallSvm& svm, const KernelFunction& kernel, SampleIndex i, SampleIndex j) {
    const Eigen::VectorXd& y = svm.problem->y();
    return static_cast<long double>(y(i) * y(j)) *
           kernelByDefinition<long double>(kernel, svm.dense, svm.problem->rowOf(i), svm.problem->rowOf(j));
}

std::vector<long double> exactMargins(const SmallSvm& svm, const KernelFunction& kernel, const Eigen::VectorXd& alpha) {
    const SampleIndex n = svm.problem->size();
    std::vector<long double> margins(static_cast<std::size_t>(n), 0);
    for (SampleIndex i = 0; i < n; ++i) {
        for (SampleIndex j = 0; j < n; ++j) {
            if (alpha(j) != 0) {
                margins[static_cast<std::size_t>(i)] += alpha(j) * exactProduct(svm, kernel, i, j);
            }
        }
    }
    return margins;
}

} // namespace lambdascope::svm
