// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/inspect/decision_audit.h"

#include "core/common/number_text.h"

#include <cmath>
#include <iterator>
#include <numeric>

namespace lambdascope::pu {

double slackOf(Decision decision, double z, double epsilon) {
    switch (decision) {
    case Decision::Zero: return -epsilon - z;
    case Decision::Full: return z - epsilon;
    case Decision::Half: return epsilon - std::abs(z);
    default: return std::min(std::abs(z + epsilon), std::abs(z - epsilon));
    }
}

DecisionAudit auditDecisions(const PuProblem& problem, std::span<const Decision> decisions, const SolvedPu& tight) {
    constexpr Decision kSets[] = {Decision::Zero, Decision::Half, Decision::Full};
    DecisionAudit audit;
    audit.possible.assign(std::size(kSets), 0);
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    const double epsilon = problem.epsilon(tight.lambda);
    const double unit = problem.unit(tight.lambda);
    const Eigen::VectorXd& norms = problem.space().norms();
    const PuView view{all,     tight.scores.data(), tight.s.data(),     norms.data(),
                      epsilon, tight.error,         sumOf(tight.s, all)};
    const double radius = gapRadius(tight.gap);
    const BiasBracket bracket = bracketBias(view, radius);
    // Any optimal bias may be meant: from the least to the largest one.
    const double low = bracket.smallest.low;
    const double high = bracket.largest.high;
    for (std::size_t k = 0; k < decisions.size(); ++k) {
        const Decision decision = decisions[k];
        const SampleIndex u = all[k];
        const double reach = (radius + tight.error) * norms(u);
        // The middle of what z may be, and half its width.
        double z = tight.scores(u) + tight.bias;
        double doubt = reach;
        if (std::isfinite(low) && std::isfinite(high)) {
            z = tight.scores(u) + 0.5 * (low + high);
            doubt += 0.5 * (high - low);
        } else if (std::isfinite(low) || std::isfinite(high)) {
            // A bias without end: only its finite side can contradict.
            z = tight.scores(u) + (std::isfinite(low) ? low : high);
        }
        const bool isBracketed = std::isfinite(low) && std::isfinite(high);
        for (std::size_t set = 0; set < std::size(kSets); ++set) {
            const bool may = !isBracketed || DecisionAudit::mayLieInside(slackOf(kSets[set], z, epsilon), doubt);
            audit.possible[set] += may ? 1 : 0;
        }
        if (decision != Decision::Keep && audit.count(k, unit * slackOf(decision, z, epsilon), unit * doubt)) {
            audit.examples.push_back("sample " + std::to_string(k) + " at λ = " + shortText(tight.lambda) +
                                     ": σ fixed at " +
                                     (decision == Decision::Zero   ? "0"
                                      : decision == Decision::Half ? "c₂/2"
                                                                   : "c₂") +
                                     ", but f* = " + shortText(unit * z, 8));
        }
    }
    return audit;
}

} // namespace lambdascope::pu
