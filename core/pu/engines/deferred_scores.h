// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace lambdascope::pu {

/// Scores that are not kept up to date while s moves: those of samples that are not visited, with s as it was when they
/// last were right, so that all that is owed to them can be made good in one go.
class DeferredScores {
  public:
    explicit DeferredScores(const PuProblem& problem) : m_problem(problem) {}

    /// All scores are right for `s`; from now on only those of `members` (ascending) are kept.
    void begin(std::span<const SampleIndex> members, const Eigen::VectorXd& s);
    /// The scores of some samples more, right for `s`, are not kept; `areMembers`: shrinking has put them aside.
    void add(std::vector<SampleIndex> samples, const Eigen::VectorXd& s, bool areMembers);
    /// s has changed.
    void moved() { m_hasMoved = true; }

    struct Caught {
        double rounding = 0; ///< what is added to the error of scores, per ‖φ‖
        std::int64_t kernelValues = 0;
    };
    /// Makes scores right for `s` again, of members or of all, and forgets about them; `norm` bounds ‖ω‖.
    Caught catchUp(bool all, const Eigen::VectorXd& s, double norm, Eigen::VectorXd& scores, StopCheck& stopCheck);

    [[nodiscard]] double bytes() const;

  private:
    struct Lapse {
        std::vector<SampleIndex> samples;
        Eigen::VectorXd s;
        bool areMembers = false;
    };
    Caught catchUp(const Lapse& lapse, const Eigen::VectorXd& s, double norm, Eigen::VectorXd& scores,
                   StopCheck& stopCheck);

    const PuProblem& m_problem;
    std::vector<Lapse> m_lapses;
    bool m_hasMoved = false;       ///< since begin()
    std::vector<double> m_scratch; ///< rows of the linear kernel
};

} // namespace lambdascope::pu
