// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/bounds.h"
#include "core/svm/screening/c_ranges.h"
#include "core/svm/screening/sample_gap.h"
#include "core/svm/solver/dual_iterate.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::svm {

struct SampleCounts {
    std::int64_t zero = 0; ///< R
    std::int64_t full = 0; ///< L
    [[nodiscard]] std::int64_t sum() const { return zero + full; }
};

/// Which samples of one point are decided, by any of the bounds of its lane. A decision stays.
class PointScreening {
  public:
    PointScreening(const SvmProblem& problem, const std::vector<BoundKind>& bounds);

    [[nodiscard]] bool hasBounds() const { return !m_bounds.empty(); }
    [[nodiscard]] bool hasDynamicBounds() const;
    [[nodiscard]] bool hasPathBounds() const; ///< that need a solution at another C
    [[nodiscard]] bool needsCuts() const;
    /// Samples that likelyShare() looks at.
    static constexpr SampleIndex kProbed = 32;
    [[nodiscard]] bool isOpen(SampleIndex i) const {
        return m_decisions[static_cast<std::size_t>(i)] == Decision::Keep;
    }
    [[nodiscard]] std::span<const Decision> decisions() const { return m_decisions; }
    [[nodiscard]] const SampleCounts& decided() const { return m_decided; }
    /// What tied a free bias at the last look; may be null.
    [[nodiscard]] const std::shared_ptr<const BiasAnchor>& anchor() const { return m_anchor; }

    /// ŝ for `c` from the solution at another C, where a bound needs it. O(n) for each sample that changes sides.
    [[nodiscard]] std::shared_ptr<const Nc3Cut> cutFor(const SolvedSvm& start, double c, StopCheck& stopCheck) const;
    /// Margins of the members of the level, given in their order, by sample, for GAP. They stay until the next call.
    [[nodiscard]] Direction currentMargins(const DualIterate& space, const Eigen::VectorXd& margins);
    /// zᵢᵀw of the members of the level, in their order. Where there is a free bias, the iterate gets the best one for
    /// the undecided among them, the α of all others held.
    [[nodiscard]] Eigen::VectorXd measured(DualIterate& space) const;
    /// The gap of the undecided members of the level, whose zᵢᵀw these are in their order.
    [[nodiscard]] GapSum openGap(const DualIterate& space, const Eigen::VectorXd& margins) const;
    /// Margins of the members of the level, by sample; 0 for others.
    [[nodiscard]] Eigen::VectorXd marginsBySample(const DualIterate& space) const;

    /// Decides what was decided at smaller C and still holds at `c`. How many samples that are.
    std::int64_t carry(const DecisionRanges& ranges, double c);
    struct Kept {
        std::shared_ptr<const DecisionRanges> ranges; ///< those of the reference where nothing is added
        double operations = 0;
    };
    /// How far up the path the decisions hold that BT1 of `reference` has made at `c` and that no range holds yet; only
    /// where a few of them tell that judging less later will pay for it, on a path that rises as it has so far.
    [[nodiscard]] Kept keep(const SolvedSvm& reference, double c) const;
    /// A ball round `scale` times the w of these margins, with a bias; not padded.
    struct LikelyBall {
        const Eigen::VectorXd& margins; ///< zᵢᵀw of all samples
        double scale = 1;
        double bias = 0;
        double radius = 0;
    };
    /// The share of a draw of samples that such a ball would decide. Decides nothing.
    [[nodiscard]] double likelyShare(const LikelyBall& ball) const;
    /// A draw of the undecided members of the level, and the share of them that a ball of this radius round the iterate
    /// would decide; not padded. Decides nothing.
    struct Likely {
        double share = 0;
        double drawn = 0;
    };
    [[nodiscard]] Likely likelyLater(const DualIterate& space, double radius) const;
    struct Judged {
        double radius = 0; ///< the smallest; infinite without any region
        double operations = 0;
    };
    /// Judges the open ones of the members by each bound in turn, with what bounds a free bias, which the reference
    /// gets.
    Judged judge(ScreeningReference& reference, std::span<const SampleIndex> members);
    /// Decides the open ones that the smallest ball round `here` decides which holds `optimum`, w and α of the iterate
    /// in `space`: no ball round it decides more that sees samples from the same vectors o, even though the bias is
    /// known here. Leaves out those that would have to move but are no members. How many it decides.
    std::int64_t judgeByDistance(const SolvedSvm& here, const SolvedSvm& optimum, const DualIterate& space);
    struct Settled {
        double gain = 0; ///< of the dual value
        std::int64_t moved = 0;
    };
    /// Moves decided members of the level to their bounds, and with a free bias undecided ones near the edge against
    /// them, so that yᵀα = 0. Ends early when `stopCheck` asks to stop.
    Settled settle(DualIterate& space, StopCheck& stopCheck) const;

  private:
    void decide(SampleIndex i, Decision decision);
    /// Adds moves of undecided members that make up for what the given ones do to yᵀα.
    void balance(const DualIterate& space, std::vector<std::int32_t>& positions, std::vector<double>& targets) const;

    const SvmProblem& m_problem;
    const std::vector<BoundKind>& m_bounds;
    std::vector<Decision> m_decisions;
    SampleCounts m_decided;
    Eigen::VectorXd m_current;
    std::shared_ptr<const BiasAnchor> m_anchor; ///< of the last look
};

} // namespace lambdascope::svm
