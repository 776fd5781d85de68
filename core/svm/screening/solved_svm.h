// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/svm/screening/look_history.h"

#include <Eigen/Core>

#include <memory>

namespace lambdascope::svm {

class Nc3Cut;
struct DecisionRanges;

/// A dual feasible point at one C with w = Σ αᵢzᵢ, and what it is worth: start and reference of the next C.
struct SolvedSvm {
    double c = 0;
    Eigen::VectorXd alpha;
    Eigen::VectorXd margins; ///< zᵢᵀw of all samples, exact up to marginError ‖zᵢ‖: fᵢ where there is no free bias
    double bias = 0;         ///< b, the best for w; 0 without a free one
    double marginError = 0;
    double drift = 0;        ///< the part of it that changes on the way have left, which a next point inherits
    Eigen::VectorXd weights; ///< w of a linear kernel; empty for others
    Bounded squaredNorm;     ///< ‖w‖²
    Bounded hingeSum;        ///< Σ ωᵢ max(0, tᵢ − fᵢ)
    Bounded linearSum;       ///< tᵀα
    Bounded biasCost;        ///< sb
    double gap = 0;          ///< upper bound of primal − dual
    std::shared_ptr<const DecisionRanges> ranges; ///< decisions that hold for larger C too; null where none is kept
    LookHistory looks;                            ///< of the path up to here
    std::shared_ptr<const Nc3Cut> cut; ///< ŝ that was used on the way here, from which the next is made; may be null

    /// fᵢ of a sample of class y: zᵢᵀw + yb.
    [[nodiscard]] double marginOf(Eigen::Index i, double y) const { return margins(i) + y * bias; }

    /// All but the cut, which can only be read where its problem is known.
    void transfer(auto& archive) {
        auto& [upper, a, f, b, error, changes, w, square, hinges, sum, cost, bound, ends, history, plane] = *this;
        archive(upper, a, f, b, error, changes, w, square, hinges, sum, cost, bound, ends, history);
    }
};

} // namespace lambdascope::svm
