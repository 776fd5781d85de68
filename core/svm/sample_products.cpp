// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/sample_products.h"

#include <algorithm>

namespace lambdascope::svm {

namespace {

constexpr std::int64_t kColumns = 16; ///< that one thread makes before it asks for more

/// Products of i with samples[first …]; `spread` is zero on the way in and out.
void productsFrom(const SvmProblem& problem, SampleIndex i, const std::vector<SampleIndex>& samples, std::size_t first,
                  Eigen::VectorXd& spread, double* out) {
    const double y = problem.y()(i);
    if (problem.isLinear()) {
        problem.features().addTo(i, y, spread.data());
        for (std::size_t k = first; k < samples.size(); ++k) {
            out[k] = problem.y()(samples[k]) * problem.features().dot(samples[k], spread.data());
        }
        spread.setZero();
        return;
    }
    const KernelRow row = problem.rows().row(i);
    for (std::size_t k = first; k < samples.size(); ++k) {
        out[k] = y * problem.y()(samples[k]) * row.values[samples[k]];
    }
}

Eigen::VectorXd spreadFor(const SvmProblem& problem) {
    return Eigen::VectorXd::Zero(problem.isLinear() ? problem.features().features() : 0);
}

} // namespace

std::int64_t operationsPerRow(const SvmProblem& problem) {
    const std::int64_t each = problem.rows().keepsAll() ? 2 : 2 * (problem.features().features() + 8);
    return each * problem.size();
}

void sampleProducts(const SvmProblem& problem, SampleIndex i, const std::vector<SampleIndex>& samples,
                    Eigen::Ref<Eigen::VectorXd> out) {
    Eigen::VectorXd spread = spreadFor(problem);
    productsFrom(problem, i, samples, 0, spread, out.data());
}

bool sampleProducts(const SvmProblem& problem, const std::vector<SampleIndex>& samples, Eigen::Ref<Eigen::MatrixXd> out,
                    ThreadTeam& team, WorkPoll& poll) {
    const auto count = static_cast<std::int64_t>(samples.size());
    const auto columns = [&](std::int64_t block, std::size_t) {
        Eigen::VectorXd spread = spreadFor(problem);
        for (std::int64_t c = block * kColumns; c < std::min(count, (block + 1) * kColumns); ++c) {
            const auto first = static_cast<std::size_t>(c);
            productsFrom(problem, samples[first], samples, first, spread, out.col(c).data());
        }
    };
    const std::int64_t operations =
        problem.isLinear() ? 2 * count * problem.features().features() : operationsPerRow(problem);
    return team.forEachBlock((count + kColumns - 1) / kColumns, columns,
                             [&] { return poll.spend(kColumns * operations); });
}

} // namespace lambdascope::svm
