// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/trial.h"

#include "core/common/clocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace lambdascope::ordinal {

Trial::Trial(const SolverConfig& config, const Objective& objective, Eigen::Index dimensions, std::uint64_t seed,
             std::int64_t number)
    : m_objective(objective), m_method(makeMethod(config, objective)),
      m_random(seed, "draws of trial " + std::to_string(number)) {
    RandomStream start(seed, "start of trial " + std::to_string(number));
    m_state.x = randomStart(objective.set().objects(), dimensions, config.spread, start);
}

void Trial::advance(StopCheck& stopCheck) {
    m_lastSeconds = 0;
    {
        const CpuCharge charge(m_lastSeconds);
        if (m_hasStarted) {
            m_method->advance(m_state, m_random, stopCheck);
        } else {
            refresh(m_objective, m_state, stopCheck);
            m_hasStarted = true;
        }
    }
    m_seconds += m_lastSeconds;
}

double trialBytes(const SolverConfig& config, double objects, double dimensions, double comparisons) {
    constexpr double kNumber = sizeof(double);
    const double points = objects * dimensions * kNumber;
    const double slopes = comparisons * static_cast<double>(sizeof(Slopes));
    constexpr double kPadding = 8;  // numbers of a cache line
    constexpr double kHistory = 24; // vectors of L-BFGS: pairs, point, gradient, direction
    double bytes = 2 * points + slopes;
    switch (config.method) {
    case MethodKind::Batch: bytes += 2 * points + slopes; break;
    case MethodKind::Convex: bytes += 7 * objects * objects * kNumber; break;
    case MethodKind::Lbfgs: break;
    default:
        bytes += 5 * points + objects * (3 * dimensions + kPadding) * kNumber +
                 std::min(static_cast<double>(config.batch), comparisons) * (2 * dimensions + kPadding) * kNumber;
    }
    if (config.method == MethodKind::Lbfgs || config.polish) {
        bytes += kHistory * points + slopes;
    }
    return bytes;
}

double quantile(std::vector<double> values, double share) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    // No difference of infinities.
    return part == 0 || values[below] == values[above] ? values[below]
                                                       : (1 - part) * values[below] + part * values[above];
}

} // namespace lambdascope::ordinal
