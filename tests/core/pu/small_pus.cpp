// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/pu/small_pus.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "tests/support/kernel_definition.h"

#include <cmath>

namespace lambdascope::pu {

std::vector<SmallShape> smallShapes() {
    return {
        {.name = "plain"},
        {.name = "one positive", .positives = 1, .unlabeled = 30},
        {.name = "one feature", .features = 1},
        {.name = "more features than rows", .positives = 5, .unlabeled = 20, .features = 60},
        {.name = "duplicates", .hasDuplicates = true},
        {.name = "constant feature", .hasConstant = true},
        {.name = "small prior", .share = 0.1, .prior = 0.03},
        {.name = "large prior", .share = 0.8, .prior = 0.97},
        {.name = "uneven prior", .prior = 0.3712345678},
        {.name = "all alike", .spread = 0},
        {.name = "large values", .scale = 30},
        {.name = "small values", .scale = 1e-3},
        {.name = "far off", .offset = 20},
        {.name = "sparse", .features = 6, .isSparse = true},
    };
}

std::vector<KernelFunction> smallKernels() {
    return {{.kind = KernelKind::Linear},
            {.kind = KernelKind::Rbf, .gamma = 0.05},
            {.kind = KernelKind::Rbf, .gamma = 1},
            {.kind = KernelKind::Rbf, .gamma = 20},
            {.kind = KernelKind::Polynomial, .gamma = 0.5, .degree = 2, .offset = 1}};
}

bool isHopeless(const SmallShape& shape, const KernelFunction& kernel) {
    return kernel.kind == KernelKind::Polynomial && (shape.scale > 1 || shape.offset > 0 || shape.features > 10);
}

std::string kernelName(const KernelFunction& kernel) {
    switch (kernel.kind) {
    case KernelKind::Linear: return "linear";
    case KernelKind::Rbf: return "rbf " + shortText(kernel.gamma);
    default: return "polynomial";
    }
}

std::shared_ptr<const PuSamples> smallSamples(const SmallShape& shape, std::uint64_t seed) {
    RandomStream random(seed, shape.name);
    auto samples = std::make_shared<PuSamples>();
    samples->positives = shape.positives;
    samples->unlabeled = shape.unlabeled;
    DenseRows x(shape.positives + shape.unlabeled, shape.features);
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        const bool isPositive = i < shape.positives || random.uniform() < shape.share;
        if (i >= shape.positives) {
            samples->truth.push_back(isPositive ? 1 : 0);
        }
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
            const double centre = (isPositive ? 0.5 : -0.5) * shape.spread;
            x(i, j) = shape.scale * (random.normal() + centre + shape.offset);
            if (shape.isSparse && random.uniform() < 0.6) {
                x(i, j) = 0;
            }
        }
        if (shape.hasConstant) {
            x(i, 0) = 1;
        }
        if (shape.hasDuplicates && i % 3 == 2) {
            x.row(i) = x.row(i - 1);
        }
    }
    samples->isSparse = shape.isSparse;
    if (shape.isSparse) {
        samples->sparse = x.sparseView();
    } else {
        samples->dense = std::move(x);
    }
    return samples;
}

std::shared_ptr<const PuSpace> spaceOf(std::shared_ptr<const PuSamples> samples, const KernelFunction& kernel,
                                       double budget, bool fills) {
    StopCheck never;
    ThreadTeam alone;
    return std::make_shared<PuSpace>(std::move(samples), kernel, budget, fills, never, alone);
}

std::unique_ptr<PuProblem> smallPu(const SmallShape& shape, const KernelFunction& kernel, std::uint64_t seed) {
    return std::make_unique<PuProblem>(spaceOf(smallSamples(shape, seed), kernel), shape.prior);
}

SolvedPu startOf(const PuProblem& problem) {
    StopCheck never;
    return pointAt(problem, uniformStart(problem), never);
}

PointOutcome solveAt(const PuProblem& problem, double lambda, const PointSettings& settings, const SolvedPu* start,
                     ScreeningObserver* observer) {
    PointSolver solver(problem, settings);
    solver.observe(observer);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    return solver.solve(lambda, start != nullptr ? *start : startOf(problem), 0, context);
}

Eigen::MatrixXd kernelMatrix(const PuProblem& problem) {
    const PuSamples& samples = problem.space().samples();
    const DenseRows x = samples.isSparse ? DenseRows(samples.sparse) : samples.dense;
    Eigen::MatrixXd matrix(x.rows(), x.rows());
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        for (Eigen::Index j = 0; j < x.rows(); ++j) {
            matrix(i, j) = kernelByDefinition<double>(problem.space().kernel(), x, i, j);
        }
    }
    return matrix;
}

namespace {

/// α of [P, (7)]: c₁ on the positives, −σ on the unlabeled.
Eigen::VectorXd coefficients(const PuProblem& problem, double lambda, const Eigen::VectorXd& sigma) {
    Eigen::VectorXd alpha(problem.size());
    alpha.head(problem.positives()).setConstant(problem.prior() / (2 * lambda * problem.positives()));
    alpha.tail(problem.unlabeled()) = -sigma;
    return alpha;
}

} // namespace

double primalByDefinition(const PuProblem& problem, double lambda, const Eigen::VectorXd& sigma, double beta) {
    const Eigen::VectorXd alpha = coefficients(problem, lambda, sigma);
    const Eigen::VectorXd f = kernelMatrix(problem) * alpha + Eigen::VectorXd::Constant(problem.size(), beta);
    const double c1 = problem.prior() / (2 * lambda * problem.positives());
    const double c2 = 1 / (2 * lambda * problem.unlabeled());
    double value = -c1 * f.head(problem.positives()).sum() + 0.5 * alpha.dot((f.array() - beta).matrix());
    for (Eigen::Index u = problem.positives(); u < problem.size(); ++u) {
        value += c2 * std::max({0.0, f(u), (1 + f(u)) / 2});
    }
    return value;
}

double dualByDefinition(const PuProblem& problem, double lambda, const Eigen::VectorXd& sigma) {
    const Eigen::VectorXd alpha = coefficients(problem, lambda, sigma);
    const double c2 = 1 / (2 * lambda * problem.unlabeled());
    return -0.5 * alpha.dot(kernelMatrix(problem) * alpha) + sigma.cwiseMin((c2 - sigma.array()).matrix()).sum();
}

} // namespace lambdascope::pu
