// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/work_poll.h"
#include "core/data/dataset.h"
#include "core/numeric/feature_rows.h"
#include "core/numeric/kernel_function.h"
#include "core/numeric/kernel_rows.h"
#include "core/numeric/thread_team.h"

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
            WorkPoll& poll, ThreadTeam& team);

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
    /// sum += Σ factor · k(x, ·) over all samples, four rows at a time: O(size) each. Gives up when `poll` says so.
    void addRows(std::span<const Weighted> weighted, Eigen::VectorXd& sum, WorkPoll& poll) const;
    /// sum += Σ factor · k(x, ·) over all samples, from values made in tiles that nobody keeps: O(size) values each.
    void addTiles(std::span<const Weighted> weighted, Eigen::VectorXd& sum, WorkPoll& poll) const;
    /// sum += Σ sᵤ k(xᵤ, ·) over all samples, s being 0 for the positives; each value among the unlabeled is made once
    /// for both of its samples: O(n²/2 + n p) values, none of them kept. Sums of so many summands at most one after
    /// another are returned.
    double addAllTiles(const Eigen::VectorXd& s, Eigen::VectorXd& sum, WorkPoll& poll) const;
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
    void makeAttraction(WorkPoll& poll);
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

/// Positive-unlabeled learning with the double hinge loss [P, (3), (5), (6)]:
///   primal  −c₁Σ_P f + c₂Σ_U max(0, f, (1+f)/2) + ½‖w‖²,   f = ⟨w, φ⟩ + β,  c₁ = π/(2λp), c₂ = 1/(2λn);
///   dual    −½‖w‖² + Σ min(σ, c₂−σ),  Σσ = c₁p, 0 ≤ σ ≤ c₂,  w = c₁Σ_Pφ − Σσφ.
///
/// All work is done in units of q = c₂/2 = 1/(4λn): σ = q s, w = q ω, β = q b, f = q z. Then
///   min_s  ½ sᵀKs − tᵀs + ε Σ|s − 1|,   0 ≤ s ≤ 2,  Σs = m,     t = (m/p) h,  m = 2πn,  ε = 4λn,
/// which is an ε-SVR in v = s − 1, and λ is in ε alone: a solution at one λ is feasible, with the same zᵤ − b, at all
/// others. The kinks of the loss, f = ∓1, are z = ∓ε, and σ = 0, c₂/2, c₂ are s = 0, 1, 2: exact numbers.
///
/// s are multiples of kQuantum and so is m, so that Σs = m holds exactly in every step; π is rounded for that by at
/// most kQuantum.
class PuProblem {
  public:
    PuProblem(std::shared_ptr<const PuSpace> space, double prior);

    static constexpr double kQuantum = 0x1p-50;

    [[nodiscard]] const PuSpace& space() const { return *m_space; }
    [[nodiscard]] const std::shared_ptr<const PuSpace>& sharedSpace() const { return m_space; }
    [[nodiscard]] double prior() const { return m_prior; }
    [[nodiscard]] SampleIndex positives() const { return m_space->positives(); }
    [[nodiscard]] SampleIndex unlabeled() const { return m_space->unlabeled(); }
    [[nodiscard]] SampleIndex size() const { return m_space->size(); }

    [[nodiscard]] double mass() const { return m_mass; } ///< m = Σs
    /// m/p: the weight of each positive, s being that of the unlabeled.
    [[nodiscard]] double pull() const { return m_mass / static_cast<double>(positives()); }
    [[nodiscard]] double epsilon(double lambda) const { return 4 * lambda * static_cast<double>(unlabeled()); }
    [[nodiscard]] double unit(double lambda) const { return 1 / epsilon(lambda); } ///< q

    /// Rounding of tᵤ − Σ sⱼ k(xⱼ, xᵤ) that comes from kernel values alone, per ‖φᵤ‖.
    [[nodiscard]] double kernelValueError() const { return m_valueError; }
    /// ‖ω‖ is never more, whatever the s.
    [[nodiscard]] double largestNorm() const { return m_largestNorm; }

  private:
    std::shared_ptr<const PuSpace> m_space;
    double m_prior;
    double m_mass;
    double m_valueError;
    double m_largestNorm;
};

/// Rounds to a multiple of the quantum.
[[nodiscard]] double quantized(double value);

/// Exact sum of multiples of the quantum in [0, 2].
class ExactSum {
  public:
    void add(double value);
    /// this − other, rounded once.
    [[nodiscard]] double minus(const ExactSum& other) const;
    [[nodiscard]] ExactSum without(const ExactSum& other) const;
    [[nodiscard]] double value() const;
    /// The sum that is a given multiple of the quantum, such as PuProblem::mass().
    [[nodiscard]] static ExactSum of(double value);

  private:
    std::int64_t m_high = 0; ///< whole units
    std::int64_t m_low = 0;  ///< quanta
};

} // namespace lambdascope::pu
