// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/pu_model.h"

#include "core/kernel/kernel_rows.h"

#include <algorithm>

namespace lambdascope::pu {

PuModel modelOf(const PuProblem& problem, const SolvedPu& solved) {
    const double unit = problem.unit(solved.lambda);
    PuModel model;
    model.alpha = -unit * solved.s;
    model.alpha.head(problem.positives()).setConstant(unit * problem.pull());
    model.weights = unit * solved.weights;
    model.beta = unit * solved.bias;
    model.values = unit * (solved.scores.array() + solved.bias).matrix();
    return model;
}

Eigen::VectorXd valuesOn(const PuSamples& samples, const KernelFunction& kernel, const PuModel& model,
                         const FeatureRows& rows, StopCheck& stopCheck) {
    Eigen::VectorXd values = Eigen::VectorXd::Constant(rows.rows(), model.beta);
    if (kernel.kind == KernelKind::Linear) {
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            values(i) += rows.dot(i, model.weights.data());
        }
        return values;
    }
    constexpr Eigen::Index kBlock = 256;
    const FeatureRows own = samples.features();
    const Eigen::RowVectorXd ownNorms = own.squaredNorms().transpose();
    const Eigen::VectorXd norms = rows.squaredNorms();
    for (Eigen::Index from = 0; from < rows.rows() && !stopCheck.isStopped(); from += kBlock) {
        const Eigen::Index count = std::min(kBlock, rows.rows() - from);
        FeatureRows::Dense block = rows.products(from, count, own);
        applyKernel(kernel, norms.segment(from, count), ownNorms, block);
        values.segment(from, count) += block * model.alpha;
        (void)stopCheck.spend(2 * count * own.rows() * (own.features() + 8));
    }
    return values;
}

} // namespace lambdascope::pu
