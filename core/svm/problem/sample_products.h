// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/common/thread_team.h"
#include "core/svm/problem/svm_problem.h"

#include <span>
#include <vector>

namespace lambdascope::svm {

/// Operations of asking for a kernel row: a pass over it, or making it when the store does not keep all.
[[nodiscard]] std::int64_t operationsPerRow(const SvmProblem& problem);

/// out_k = Qᵢⱼ for j = samples[k]. Cost of one kernel row, or one product of features for each.
void sampleProducts(const SvmProblem& problem, SampleIndex i, const std::vector<SampleIndex>& samples,
                    Eigen::Ref<Eigen::VectorXd> out);

/// Q among samples of before: its lower triangle.
struct KnownProducts {
    std::span<const SampleIndex> samples; ///< ascending
    Eigen::Ref<const Eigen::MatrixXd> products;
};

/// Q among the samples (ascending), into the lower triangle of `out`. Pairs that are `known` are copied, by runs; only
/// samples that are not among them cost a kernel row each, or products of features. By columns and rows that the
/// threads of `team` share. False when `stopCheck` asked to stop.
bool sampleProducts(const SvmProblem& problem, const std::vector<SampleIndex>& samples, const KnownProducts& known,
                    Eigen::Ref<Eigen::MatrixXd> out, ThreadTeam& team, StopCheck& stopCheck);

} // namespace lambdascope::svm
