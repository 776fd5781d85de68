// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/pair_search.h"
#include "core/pu/engines/deferred_scores.h"
#include "core/pu/engines/pu_engine.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::pu {

/// Kernel rows over the visited samples alone, by position: contiguous, so that what screening and shrinking have taken
/// away costs nothing. Rows over all unlabeled samples are looked at where they stand; shorter ones are gathered when
/// they are first asked for, and kept while the visited samples stay the same, as far as kMostValues, and the memory
/// for kernel rows once more, reach.
class ActiveRows {
  public:
    static constexpr std::size_t kMostValues = std::size_t{1} << 23; ///< 64 MB

    /// Keeps a row that was handed out valid until the next one is handed out with it.
    struct Hold {
        KernelRow row;
        std::vector<double> made;     ///< rows of the linear kernel
        std::vector<double> gathered; ///< rows that are not kept
    };

    explicit ActiveRows(const PuSpace& space) : m_space(space) {}

    /// Looks at exactly these samples from now on; `active` must stay where it is until the next call.
    void visit(std::span<const SampleIndex> active);
    /// k(x at `position`, x at 0 … active − 1). O(active) the first time, besides making the whole row.
    [[nodiscard]] const double* row(std::int32_t position, Hold& hold);
    [[nodiscard]] double bytes() const;

  private:
    const PuSpace& m_space;
    std::span<const SampleIndex> m_active;
    std::vector<std::int32_t> m_slots;  ///< by position; −1: not kept
    std::unique_ptr<double[]> m_values; ///< kept rows, one after the other
    std::size_t m_room = 0;             ///< values that m_values has room for
    std::size_t m_touched = 0;          ///< of them ever used
    std::size_t m_kept = 0;             ///< rows
};

/// Pair steps, for any kernel (rows of the linear one are made each time): the sample that may be raised at the largest
/// slope, with the one whose lowering gains most to second order [Fan, Chen, Lin 2005]; scores of all visited samples
/// are kept; samples that cannot be part of a violating pair are put aside and looked at again before success is
/// declared.
class KernelEngine final : public PuEngine {
  public:
    KernelEngine(const PuProblem& problem, bool shrinks)
        : PuEngine(problem), m_shrinks(shrinks), m_lapsed(problem), m_rows(problem.space()) {}

    void load(double epsilon, const SolvedPu& start) override;
    EngineRun run(std::int64_t steps, double target, StopCheck& stopCheck) override;
    void update(StopCheck& stopCheck) override;
    void updateAll(StopCheck& stopCheck) override;
    void refresh(StopCheck& stopCheck) override;
    void fix(std::span<const Decision> decisions, StopCheck& stopCheck) override;
    [[nodiscard]] std::int64_t visited() const override { return static_cast<std::int64_t>(m_active.size()); }
    [[nodiscard]] double bytes() const override;

  private:
    /// Visits exactly these samples from now on; their scores must be up to date.
    void visit(std::vector<SampleIndex> samples);
    /// Lays out what steps need of the visited samples: only when there are steps.
    void gatherVisited();
    /// Slopes at which the sample at a position may be raised and lowered.
    void setSlopes(std::size_t position);
    /// What pairs are chosen from; positions are those in m_active.
    [[nodiscard]] PairSamples samples();
    [[nodiscard]] PairPick pick();
    /// Moves the pair and updates all visited scores; the next pick.
    PairPick move(const PairPick& pair, double length, const double* raiseRow, const double* lowerRow);
    void shrink(const PairPick& extremes);
    /// Makes the scores of members that are not visited up to date, or of all samples.
    void catchUp(bool all, StopCheck& stopCheck);
    /// Rows of the linear kernel are rounded products, while the scores it loads come from ω: what all moves together
    /// can owe to that, per ‖φ‖, as Σ|Δs|‖φ‖ is at most the largest norm of a difference.
    [[nodiscard]] double rowDoubt() const;
    void store(); ///< visited scores → m_scores

    bool m_shrinks;
    std::vector<SampleIndex> m_active; ///< visited samples
    bool m_isGathered = false;         ///< what follows is theirs
    std::vector<double> m_activeScores;
    std::vector<double> m_up;   ///< score + this is the slope of raising; −∞ when s = 2
    std::vector<double> m_down; ///< score + this is the slope of lowering; ∞ when s = 0
    std::vector<double> m_diagonal;
    DeferredScores m_lapsed;
    ActiveRows m_rows;
    ActiveRows::Hold m_raised;
    ActiveRows::Hold m_lowered;
    std::int64_t m_sinceShrink = 0;
    std::int64_t m_sinceLook = 0;
    double m_gained = 0;           ///< of the dual value, since the last look whether anything is gained at all
    std::vector<double> m_scratch; ///< rows of the linear kernel
};

} // namespace lambdascope::pu
