// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

namespace lambdascope::pu {

/// f(x) = Σ αᵢ k(xᵢ, x) + β over all samples of a space, with its values there.
struct PuModel {
    Eigen::VectorXd alpha;   ///< c₁ on the positives and −σ on the unlabeled [P, (7)]; of other methods theirs
    Eigen::VectorXd weights; ///< w of the linear kernel; else empty
    double beta = 0;
    Eigen::VectorXd values; ///< f of all samples
    [[nodiscard]] double bytes() const {
        return static_cast<double>(sizeof(double)) * static_cast<double>(alpha.size() + weights.size() + values.size());
    }

    void transfer(auto& archive) {
        auto& [a, w, b, f] = *this;
        archive(a, w, b, f);
    }
};

[[nodiscard]] PuModel modelOf(const PuProblem& problem, const SolvedPu& solved);

/// f of other rows. O(rows · features), or that times the samples.
[[nodiscard]] Eigen::VectorXd valuesOn(const PuSamples& samples, const KernelFunction& kernel, const PuModel& model,
                                       const FeatureRows& rows, StopCheck& stopCheck);
[[nodiscard]] inline Eigen::VectorXd valuesOn(const PuSpace& space, const PuModel& model, const FeatureRows& rows,
                                              StopCheck& stopCheck) {
    return valuesOn(space.samples(), space.kernel(), model, rows, stopCheck);
}

} // namespace lambdascope::pu
