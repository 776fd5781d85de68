// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/ordinal_runs/model_floors.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/numeric/lbfgs.h"

#include <cstdio>
#include <vector>

namespace lambdascope::benchmarks {

using namespace ordinal;

Floor floorOf(const Objective& objective, const ComparisonSet& test, const Points& start, double ridge,
              int mostIterations, double goal) {
    const double scale = ridge / static_cast<double>(start.rows());
    Points x = start;
    Points gradient;
    StopCheck stopCheck;
    Floor floor;
    const auto function = [&](const Eigen::VectorXd& v, Eigen::VectorXd& slope) {
        x = Eigen::Map<const Points>(v.data(), start.rows(), start.cols());
        const double loss = objective.evaluate(x, &gradient, nullptr, stopCheck).loss;
        slope = Eigen::Map<const Eigen::VectorXd>(gradient.data(), gradient.size()) + 2 * scale * v;
        return loss + scale * v.squaredNorm();
    };
    const auto heldOut = [&](const Eigen::VectorXd& v) {
        return violatedShare(test, Eigen::Map<const Points>(v.data(), start.rows(), start.cols()), stopCheck);
    };
    double begin = threadCpuSeconds();
    Lbfgs search(function, Eigen::Map<const Eigen::VectorXd>(start.data(), start.size()));
    for (int iteration = 0; iteration < mostIterations && search.iterate(); ++iteration) {
        if (iteration % 5 == 0 && floor.secondsToGoal < 0) {
            const double now = threadCpuSeconds();
            if (heldOut(search.point()) <= goal) {
                floor.secondsToGoal = now - begin;
            }
            begin += threadCpuSeconds() - now; // looking costs the solver nothing
        }
    }
    floor.seconds = threadCpuSeconds() - begin;
    floor.gradientNorm = search.gradient().norm();
    floor.heldOutError = heldOut(search.point());
    x = Eigen::Map<const Points>(search.point().data(), start.rows(), start.cols());
    const ObjectiveValue value = objective.evaluate(x, nullptr, nullptr, stopCheck);
    floor.loss = value.loss;
    floor.trainingError = value.error;
    return floor;
}

void printCklFloors(const SyntheticSet& set) {
    std::printf("\nOptimum of CKL by L-BFGS, whatever solver is to find it:\n\n"
                "| μ | loss | norm of the gradient | training error | held-out error |\n|---|---|---|---|---|\n");
    for (const double mu : {0.001, 0.01, 0.05, 0.2, 1.0, 5.0}) {
        ModelSpec model = modelOf(ModelKind::Ckl, 10);
        model.mu = mu;
        const Objective objective(*set.train, model);
        RandomStream random(3);
        const Floor floor = floorOf(objective, *set.test, randomStart(100, 10, 0.1, random), 0, 1000, 0.15);
        std::printf("| %s | %.5f | %.1e | %.4f | %.4f |\n", shortText(mu).c_str(), floor.loss, floor.gradientNorm,
                    floor.trainingError, floor.heldOutError);
        std::fflush(stdout);
    }
}

bool printLearningCurve() {
    struct Case {
        ModelKind kind;
        double margin;
        double ridge; ///< for 100,000 triplets; it falls as their number rises
    };
    constexpr ObjectIndex kObjects = 500;
    constexpr Eigen::Index p = 10;
    constexpr double kGoal = 0.01;
    std::printf("| triplets m | 0.44 np/m | model | training error | held-out error | CPU s | CPU s to 0.01 |\n"
                "|---|---|---|---|---|---|---|\n");
    bool isMet = false;
    for (const std::int64_t count : {100000, 200000, 400000}) {
        const SyntheticSet set = syntheticSet(kObjects, p, count, 20000);
        for (const Case& tried : {Case{ModelKind::Gnmds, 0.1, 0}, Case{ModelKind::Soe, 1, 0},
                                  Case{ModelKind::Soe, 1, 3e-5}, Case{ModelKind::Soe, 1, 1e-5}}) {
            ModelSpec model = modelOf(tried.kind, p);
            model.margin = tried.margin;
            const Objective objective(*set.train, model);
            Trial trial(solverOf("", MethodKind::SvrgSbb, 0.01, 10).config, objective, p, 1, 0);
            StopCheck stopCheck;
            for (int epoch = 0; epoch <= 3; ++epoch) {
                trial.advance(stopCheck);
            }
            const double ridge = tried.ridge * 1e5 / static_cast<double>(count);
            const Floor floor = floorOf(objective, *set.test, trial.state().x, ridge, 400, kGoal);
            const bool isReached = floor.secondsToGoal >= 0;
            const double seconds = trial.seconds() + floor.secondsToGoal;
            std::printf("| %s | %.4f | %s, margin %s%s | %.5f | %.4f | %.2f | %s |\n", groupedText(count).c_str(),
                        0.44 * kObjects * p / static_cast<double>(count), modelName(tried.kind).c_str(),
                        shortText(tried.margin).c_str(), ridge > 0 ? (", ridge " + shortText(ridge)).c_str() : "",
                        floor.trainingError, floor.heldOutError, trial.seconds() + floor.seconds,
                        isReached ? shortText(seconds, 3).c_str() : "–");
            std::fflush(stdout);
            isMet = isMet || (count == 100000 && isReached && seconds <= 5);
        }
    }
    std::printf("\n0.44 d/m is the error that the best rule has on average after m answers about d unknowns (Opper and "
                "Haussler, 1991, for random half-spaces); here d = np.\n");
    return isMet;
}

} // namespace lambdascope::benchmarks
