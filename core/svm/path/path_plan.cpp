// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/path_plan.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// Accuracy of the ε-path's own solutions, as a share of ε.
constexpr double kPlanShare = 0.01;
/// Least factor between two values, so that a poor reference cannot stop the path.
constexpr double kLeastStep = 1.001;

std::vector<double> approximationPath(const PathConfig& config, double start, const SvmProblem& problem,
                                      const SolvedSvm& bottom, RunContext& context,
                                      const std::function<void(double)>& progress) {
    PointSettings settings;
    settings.tolerance = kPlanShare * config.epsilon;
    settings.bounds = {problem.hasFreeBias() ? BoundKind::Gap : BoundKind::Intersection};
    PointSolver solver(problem, settings);
    std::vector<double> values = {start};
    PointOutcome last = solver.solve(start, bottom, 0, context);
    while (static_cast<std::int64_t>(values.size()) < config.maxPoints && values.back() < config.maxC &&
           last.setCounts.full > 0 && !context.shouldStop()) {
        const double c =
            std::min(config.maxC, std::max(nextC(last.solved, config.epsilon), kLeastStep * values.back()));
        last = solver.solve(c, last.solved, static_cast<std::int32_t>(values.size()), context);
        values.push_back(c);
        if (progress) {
            progress(std::log(c / start) / std::log(config.maxC / start));
        }
    }
    return values;
}

} // namespace

double nextC(const SolvedSvm& reference, double epsilon) {
    const double a = reference.squaredNorm.upper();
    const double b = a + epsilon * reference.linearSum.value - reference.gap;
    const double discriminant = b * b - (1 + epsilon) * a * a;
    if (!(discriminant > 0) || !(a > 0)) {
        return reference.c;
    }
    return reference.c * std::max(1.0, (b + std::sqrt(discriminant)) / ((1 + epsilon) * a));
}

std::vector<double> pathSchedule(const PathConfig& config, const SvmProblem& problem, const SolvedSvm& bottom,
                                 double cMin, RunContext& context, const std::function<void(double)>& progress) {
    const auto inC = [&](double value) {
        return config.unit == CUnit::CMin ? value * cMin : config.unit == CUnit::Nu ? cMin / value : value;
    };
    std::vector<double> values;
    if (config.kind == PathKind::List || config.kind == PathKind::Reference) {
        values = config.values;
        if (config.kind == PathKind::List) {
            std::transform(values.begin(), values.end(), values.begin(), inC);
        }
        values.resize(std::min(values.size(), static_cast<std::size_t>(config.maxPoints)));
        return values;
    }
    const double start = std::min(config.start ? inC(*config.start) : cMin, config.maxC);
    if (config.kind == PathKind::Approximation) {
        return approximationPath(config, start, problem, bottom, context, progress);
    }
    // The last value is max_c to the last bit when the ratio leads there.
    constexpr double kAlmost = 1e-9;
    for (double c = start; static_cast<std::int64_t>(values.size()) < config.maxPoints; c *= config.ratio) {
        if (c > config.maxC * (1 - kAlmost)) {
            if (c <= config.maxC * (1 + kAlmost)) {
                values.push_back(config.maxC);
            }
            break;
        }
        values.push_back(c);
    }
    return values;
}

Result<void> checkShares(double cMin, std::vector<double>& schedule) {
    constexpr double kAlmost = 1e-12;
    for (double& c : schedule) {
        if (c < cMin * (1 - kAlmost)) {
            return dataFault("path",
                             "has C = " + exactText(c) + ", where ν = 1/(C Σω) = " + exactText(cMin / c) +
                                 " is above 1: more samples than there are would have to lie outside",
                             "Begin at C_min = " + exactText(cMin) + " or above; with unit \"nu\", at 1 or below.");
        }
        c = std::max(c, cMin);
    }
    return {};
}

} // namespace lambdascope::svm
