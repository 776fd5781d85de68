// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

#include <functional>
#include <vector>

namespace lambdascope::pu {

/// What the published method came to.
struct UsmoOutcome {
    SolvedPu solved;
    std::int64_t sweeps = 0;
    std::int64_t steps = 0; ///< pairs moved
    bool hasConverged = false;
    double gained = 0; ///< sum of what the steps raised the dual value by, in the units of PuProblem
    /// How it stood after a sweep [P, figure 1].
    struct Sweep {
        double dual = 0;      ///< in the units of [P, (6)]
        double violation = 0; ///< of the samples looked at, in units of f
        double cpu = 0;       ///< seconds since the start
    };
    std::vector<Sweep> history;
};

/// USMO as published [P, algorithm 1 and section 4]: pairs of samples that violate τ-optimality (13), (14), solved by
/// the four cases of table I clipped to their conditions; sweeps over the non-bound set until it is τ-optimal, then one
/// over the whole set, until that finds nothing; the value of the non-bound samples is cached (15), that of the others
/// made from all coefficients whenever it is looked at.
class Usmo {
  public:
    /// `tau` in units of f, as in the paper.
    Usmo(const PuProblem& problem, double lambda, double tau);

    UsmoOutcome solve(Eigen::VectorXd start, std::int64_t mostSweeps, StopCheck& stopCheck);

    /// sⱼ of the four cases of table I, clipped, and the best of them; for tests too. `total` = sᵢ + sⱼ, e₁, e₂ and
    /// kernel values in the units of PuProblem; case 1 is divided by η like the others.
    struct Pair {
        double total = 0;
        double kii = 0, kij = 0, kjj = 0;
        double e1 = 0, e2 = 0;
        double epsilon = 0;
        [[nodiscard]] double bestSecond() const;
        [[nodiscard]] double objective(double sj) const;
    };

  private:
    /// The most critical samples: of the largest slope of raising s and of the smallest slope of lowering it. (13) says
    /// that they differ by at most τ.
    struct Extremes {
        SampleIndex raise = -1;
        SampleIndex lower = -1;
        double highest = 0;
        double lowest = 0;
        [[nodiscard]] double violation() const { return raise >= 0 && lower >= 0 ? highest - lowest : 0.0; }
        void take(SampleIndex u, double s, double score, double epsilon);
    };

    [[nodiscard]] bool isNonBound(SampleIndex u) const { return m_s(u) > 0 && m_s(u) < 2 && m_s(u) != 1; }
    [[nodiscard]] double valueOf(SampleIndex u, StopCheck& stopCheck);
    bool takeStep(SampleIndex i, SampleIndex j, StopCheck& stopCheck);
    void updateCache(SampleIndex u, double score);
    void findExtremes();
    std::int64_t sweepNonBound(StopCheck& stopCheck);
    std::int64_t sweepAll(StopCheck& stopCheck);

    const PuProblem& m_problem;
    double m_lambda;
    double m_epsilon;
    double m_tau; ///< in the units of PuProblem
    Eigen::VectorXd m_s;
    Eigen::VectorXd m_cache;      ///< a = z − b of cached samples
    std::vector<char> m_isCached; ///< non-bound, and the one being examined
    std::vector<SampleIndex> m_nonBound;
    Extremes m_extremes; ///< of the non-bound set
    double m_gained = 0;
    std::vector<double> m_scratch;
    std::vector<double> m_otherScratch;
};

} // namespace lambdascope::pu
