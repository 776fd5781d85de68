// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/svm/problem/svm_problem.h"

#include <Eigen/Core>

#include <memory>
#include <span>
#include <vector>

namespace lambdascope {
class StateArchive;
}

namespace lambdascope::svm {

/// Kernel values among a set of samples, rounded to single precision, each pair once: a product with a vector passes
/// over a quarter of the bytes that the rows themselves have. And K ≈ FFᵀ + diag(d) for a few columns of F, a partial
/// Cholesky factorization with pivots chosen at random [Chen, Epperly, Tropp, Webber 2022], by rejection [Epperly,
/// Tropp, Webber 2024], for solvers that iterate.
///
/// Samples that enter get the next places; those that are no more asked for keep theirs until they are many. Depends on
/// no C, so one serves a whole path. What is rounded here may steer a solver but proves nothing.
class RoundedProducts {
  public:
    /// Samples beyond which the values take too much memory (512 MB).
    static constexpr std::size_t kLargest = 16'000;

    /// Of kernels with rows.
    explicit RoundedProducts(const SvmProblem& problem) : m_problem(problem) {}

    /// Sees to it that all `samples` have places. O(places) picks for each that enters, and rank² operations. False
    /// when `stopCheck` asked to stop; nothing has a place then.
    bool hold(std::span<const SampleIndex> samples, StopCheck& stopCheck);
    /// How many of them have none yet.
    [[nodiscard]] std::size_t missing(std::span<const SampleIndex> samples) const;

    [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(m_samples.size()); } ///< places
    [[nodiscard]] Eigen::Index placeOf(SampleIndex i) const { return m_places[static_cast<std::size_t>(i)]; }
    /// K x over all places. O(size²).
    [[nodiscard]] Eigen::VectorXd multiply(const Eigen::VectorXd& x) const;

    [[nodiscard]] Eigen::Index rank() const { return m_factor.rows(); }
    [[nodiscard]] const Eigen::MatrixXf& factor() const { return m_factor; } ///< Fᵀ: rank × places or more
    [[nodiscard]] const Eigen::VectorXd& rest() const { return m_rest; }     ///< d > 0 by place

    /// The values are not written: hold() makes those of what was read.
    void transfer(StateArchive& archive);

  private:
    /// Values are stored in panels of so many rows, each from its first column to the diagonal block, which is whole.
    static constexpr Eigen::Index kPanel = 8;

    [[nodiscard]] static std::size_t panelBegin(Eigen::Index panel) {
        return static_cast<std::size_t>(kPanel * kPanel / 2 * panel * (panel + 1));
    }
    [[nodiscard]] static std::size_t placeOfValue(Eigen::Index row, Eigen::Index column) {
        const Eigen::Index panel = row / kPanel;
        return panelBegin(panel) + static_cast<std::size_t>(row % kPanel * kPanel * (panel + 1) + column);
    }
    [[nodiscard]] float value(Eigen::Index a, Eigen::Index b) const {
        return m_values[a < b ? placeOfValue(b, a) : placeOfValue(a, b)];
    }
    void reserve(Eigen::Index places);
    /// The values of the places from `first` on.
    bool fetch(Eigen::Index first, StopCheck& stopCheck);
    /// Only the samples that are asked for keep a place.
    void compact(std::span<const SampleIndex> samples);
    /// Rows of the last panel that no place has are 0.
    void clearPadding();
    bool choosePivots(StopCheck& stopCheck);
    /// Columns of Fᵀ and d from place `first` on.
    bool extendFactor(Eigen::Index first, StopCheck& stopCheck);
    void clear();

    const SvmProblem& m_problem;
    std::vector<SampleIndex> m_samples; ///< by place
    std::vector<std::int32_t> m_places; ///< by sample, −1 for none
    std::unique_ptr<float[]> m_values;
    std::size_t m_capacity = 0;         ///< numbers
    bool m_awaitsValues = false;        ///< samples come from an archive, which holds no values
    std::vector<Eigen::Index> m_pivots; ///< places
    Eigen::Index m_chosenAmong = 0;     ///< places when they were chosen
    Eigen::MatrixXd m_pivotFactor;      ///< of K among the pivots, lower triangle
    Eigen::MatrixXf m_factor;
    Eigen::VectorXd m_left; ///< of the diagonal, by F
    Eigen::VectorXd m_rest;
};

} // namespace lambdascope::svm
