// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/dual_iterate.h"
#include "core/svm/solver/free_set_factor.h"
#include "core/svm/solver/free_set_system.h"
#include "core/svm/solver/rounded_products.h"

#include <memory>
#include <vector>

namespace lambdascope::svm {

/// What steps leave behind for the next.
struct FreeSetMemory {
    FreeSetFactor& factor;
    RoundedProducts& products;
    std::size_t largestFactored = FreeSetFactor::kLargest;
};

/// The dual over the samples strictly between their bounds, the others held: δ = Q_FF⁻¹(t_F − f_F) leads to the best
/// point of the face's affine hull. Where that lies outside the box, the step is either cut off coordinate by
/// coordinate [Bertsekas 1982, two-metric projection] or ends at the first bound it meets, whichever gains more;
/// samples that have met a bound are held too, and so on for a few rounds. Coordinate descent finds the face, this
/// finds the point on it, whatever the condition of Q_FF.
///
/// With a free bias δ keeps y_Fᵀδ = 0, by a multiple of Q_FF⁻¹y_F, and what is cut off is balanced by a shift of all.
class FreeSetNewton {
  public:
    /// Looks for the free samples among the members at `visit`. `memory` is that of the last step.
    /// A solution need be no more exact than for a gap of `goodEnough` on the face. `visit` must outlive this.
    FreeSetNewton(DualIterate& space, const FreeSetMemory& memory, const std::vector<std::int32_t>& visit,
                  double goodEnough);

    [[nodiscard]] std::size_t size() const { return m_free.size(); }
    /// What solving takes, in operations of a sweep; infinite when nothing could solve for so many samples.
    [[nodiscard]] double cost() const { return m_cost; }
    /// What take() does in all.
    [[nodiscard]] double work() const;
    /// Its rounds take so long that the set should be known before.
    [[nodiscard]] bool isIterative() const { return m_system != nullptr && m_system->isIterative(); }
    /// Takes the step; what the dual value gained: 0 when no step helps or `stopCheck` asked to stop.
    double take(StopCheck& stopCheck);

  private:
    /// One round over the samples of `open` (places in m_free): `change` of all, and Q times it; what it gains.
    double round(const std::vector<Eigen::Index>& open, Eigen::VectorXd& change, Eigen::VectorXd& image,
                 StopCheck& stopCheck);
    /// What the bounded samples among the members at m_visit add to the gap, by their margins.
    [[nodiscard]] double gapOfBounded(const Eigen::VectorXd& margins) const;
    /// The same of samples that have met a bound since, with the pull that is left, but for a bias that suits the open
    /// ones.
    [[nodiscard]] double gapOfMet(const std::vector<Eigen::Index>& open) const;
    /// How far yᵀα of the free samples is from what it should be.
    [[nodiscard]] double excess() const;
    /// Takes that off the sample with most room.
    void settleExcess();
    /// `aim` cut off at the bounds; with a free bias aim − θy for the θ that makes yᵀα of all samples 0.
    [[nodiscard]] Eigen::VectorXd cutOff(const Eigen::VectorXd& aim) const;
    /// The step of `direction` up to the first bound.
    [[nodiscard]] Eigen::VectorXd cutAtFirstBound(const Eigen::VectorXd& direction) const;
    /// The cheapest way to solve for these samples.
    void chooseSystem(const FreeSetMemory& memory);

    DualIterate& m_space;
    std::unique_ptr<FreeSetSystem> m_system;
    double m_cost;
    const std::vector<std::int32_t>& m_visit;
    double m_goodEnough;
    bool m_isCutShort = false;          ///< the last round ended at the first bound
    std::vector<std::int32_t> m_free;   ///< positions
    std::vector<SampleIndex> m_samples; ///< and the samples there
    Eigen::VectorXd m_alpha;
    Eigen::VectorXd m_upper;
    Eigen::VectorXd m_y;
    double m_balance = 0;   ///< yᵀα that the free samples should have, with a free bias
    Eigen::VectorXd m_pull; ///< t − f
};

} // namespace lambdascope::svm
