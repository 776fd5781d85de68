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

} // namespace lambdascope::ordinal
