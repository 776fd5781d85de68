// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/common/thread_team.h"
#include "core/data/dataset.h"
#include "core/kernel/kernel_function.h"
#include "core/kernel/kernel_rows.h"
#include "core/numeric/feature_rows.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lambdascope::pu {

using SampleIndex = std::int32_t;

/// Labelled positives and unlabeled samples, in this order in one block of rows. Immutable.
struct PuSamples {
    DenseRows dense;
    SparseRows sparse;
    bool isSparse = false;
    SampleIndex positives = 0;            ///< p ≥ 1
    SampleIndex unlabeled = 0;            ///< n ≥ 1
    std::vector<std::int8_t> truth;       ///< of the unlabeled: 1 positive, 0 negative; empty when unknown
    std::vector<std::int32_t> sourceRows; ///< row of the data set that each sample is; empty without a data set
    [[nodiscard]] FeatureRows features() const;
    [[nodiscard]] SampleIndex size() const { return positives + unlabeled; }
};

/// Samples with a kernel, whatever prior and λ: lengths, the sum of the positives' images, and kernel rows. One space
/// serves all lanes and a whole path. The linear kernel never stores rows.
class PuSpace {
  public:
    /// `budget`: bytes for kernel rows. Rows that all fit are made at once when `fills`; else each when it is wanted.
    PuSpace(std::shared_ptr<const PuSamples> samples, const KernelFunction& kernel, double budget, bool fills,
            StopCheck& stopCheck, ThreadTeam& team);

    [[nodiscard]] const PuSamples& samples() const { return *m_samples; }
    [[nodiscard]] const std::shared_ptr<const PuSamples>& sharedSamples() const { return m_samples; }
    [[nodiscard]] const KernelFunction& kernel() const { return m_kernel; }
    [[nodiscard]] bool isLinear() const { return m_kernel.kind == KernelKind::Linear; }
    [[nodiscard]] SampleIndex positives() const { return m_samples->positives; }
    [[nodiscard]] SampleIndex unlabeled() const { return m_samples->unlabeled; }
    [[nodiscard]] SampleIndex size() const { return m_samples->size(); }
    [[nodiscard]] FeatureRows features() const { return m_samples->features(); }

    /// k(xᵢ, ·) over all samples; for the linear kernel made in `scratch`, O(n d).
    [[nodiscard]] KernelRow row(SampleIndex i, std::vector<double>& scratch) const;
    /// A sample and a factor.
    using Weighted = std::pair<SampleIndex, double>;
    /// sum += Σ factor · k(x, ·) over all samples, four rows at a time: O(size) each. Gives up when `stopCheck` says
    /// so.
    void addRows(std::span<const Weighted> weighted, Eigen::VectorXd& sum, StopCheck& stopCheck) const;
    /// sum += Σ factor · k(x, ·) over all samples, from values made in tiles that nobody keeps: O(size) values each.
    void addTiles(std::span<const Weighted> weighted, Eigen::VectorXd& sum, StopCheck& stopCheck) const;
    /// sum += Σ sᵤ k(xᵤ, ·) over all samples, s being 0 for the positives; each value among the unlabeled is made once
    /// for both of its samples: O(n²/2 + n p) values, none of them kept. Sums of so many summands at most one after
    /// another are returned.
    double addAllTiles(const Eigen::VectorXd& s, Eigen::VectorXd& sum, StopCheck& stopCheck) const;
    /// Whether kernel values can be made from the features in tiles, and rows are not all kept anyhow.
    [[nodiscard]] bool makesTiles() const;
    /// Operations that asking for a row may cost; rows that happen to be kept are counted too.
    [[nodiscard]] std::int64_t rowWork() const {
        return m_rows && m_rows->keepsAll() ? 0 : std::int64_t{size()} * (2 * features().features() + 16);
    }
    /// k(xᵢ, xᵢ).
    [[nodiscard]] const Eigen::VectorXd& diagonal() const { return m_diagonal; }
    /// Upper bounds of ‖φ(xᵢ)‖.
    [[nodiscard]] const Eigen::VectorXd& norms() const { return m_norms; }
    /// hᵤ = Σ_P k(xᵢ, xᵤ) of all samples.
    [[nodiscard]] const Eigen::VectorXd& attraction() const { return m_attraction; }
    /// Σ_P φ(xᵢ) of the linear kernel; else empty.
    [[nodiscard]] const Eigen::VectorXd& positiveSum() const { return m_positiveSum; }
    /// Rounding of hᵤ is at most this times ‖φᵤ‖.
    [[nodiscard]] double attractionError() const { return m_attractionError; }
    /// Rounding of a kernel value is at most this times ‖φᵢ‖‖φⱼ‖.
    [[nodiscard]] double valueError() const;
    [[nodiscard]] double budget() const { return m_budget; } ///< bytes for kernel rows
    [[nodiscard]] double kernelBytes() const { return m_rows ? m_rows->bytes() : 0.0; }
    [[nodiscard]] std::int64_t rowsMade() const { return m_rows ? m_rows->rowsMade() : 0; }

  private:
    void makeAttraction(StopCheck& stopCheck);
    /// Kernel values of `block`, whose ‖x‖² are `squares`, with samples from … from + columns − 1.
    [[nodiscard]] FeatureRows::Dense tile(const FeatureRows& block, Eigen::Index first, Eigen::Index count,
                                          const Eigen::Ref<const Eigen::VectorXd>& squares, Eigen::Index from,
                                          Eigen::Index columns) const;

    std::shared_ptr<const PuSamples> m_samples;
    KernelFunction m_kernel;
    double m_budget;
    std::unique_ptr<KernelRows> m_rows; ///< null for the linear kernel
    Eigen::VectorXd m_squares;          ///< ‖x‖², for tiles
    Eigen::VectorXd m_diagonal;
    Eigen::VectorXd m_norms;
    Eigen::VectorXd m_attraction;
    Eigen::VectorXd m_positiveSum;
    double m_attractionError = 0;
};

} // namespace lambdascope::pu
