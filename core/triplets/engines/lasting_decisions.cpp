// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/lasting_decisions.h"

#include "core/triplets/screening/decision_certificate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Radius over that of the ball a capsule is made round, and how many times the optimum may grow by the ratio of two
/// λ: on a path whose λ falls by a tenth, that serves about three λ.
constexpr double kWider = 2;
constexpr double kGrowthPerRadius = 6;
constexpr double kMostGrowth = 2;
constexpr int kLongestDelay = 32;

} // namespace

bool Capsule::holds(const Sphere& sphere) const {
    if (radius < 0 || sphere.centre.size() != centre.size()) {
        return false;
    }
    if (far.size() == 0) {
        return liesIn(sphere, {centre, radius});
    }
    const Eigen::MatrixXd way = far - centre;
    const double square = way.squaredNorm();
    const double along = square > 0 ? (sphere.centre - centre).cwiseProduct(way).sum() / square : 0;
    const double c = std::clamp(along, 0.0, 1.0); // whichever is taken, the distance to that point is enough
    const double rounding = 8 * kUnitRoundoff * (centre.norm() + far.norm());
    return liesIn(sphere, {centre + c * way, radius - rounding});
}

std::optional<Capsule> LastingDecisions::propose(const Sphere& sphere) {
    if (m_wait > 0) {
        --m_wait;
        return std::nullopt;
    }
    if (m_uses == 1) {
        m_wait = std::exchange(m_delay, std::min(2 * m_delay, kLongestDelay));
        m_uses = 0;
        return std::nullopt;
    }
    if (m_uses > 1) {
        m_delay = 1;
    }
    const double norm = sphere.centre.norm();
    if (!(sphere.radius > 0 && norm > 0) || !std::isfinite(sphere.radius)) {
        return std::nullopt;
    }
    // RRPB: r/‖Q‖ = (λ₀ − λ)/(λ₀ + λ) for an exact reference, and M*(λ) grows by λ₀/λ at most.
    const double growth = std::min(1 + kGrowthPerRadius * sphere.radius / norm, kMostGrowth);
    return Capsule{sphere.centre, growth * sphere.centre, kWider * sphere.radius};
}

void LastingDecisions::set(Capsule capsule, double gamma, ScreenedPart part) {
    m_capsule = std::move(capsule);
    m_gamma = gamma;
    m_part = std::move(part);
    m_uses = 0;
}

std::size_t LastingDecisions::bytes() const {
    return static_cast<std::size_t>(m_part.linearSum.size() + m_capsule.centre.size()) * sizeof(double);
}

bool LastingEngine::lastsIn(std::span<const Region> regions, double gamma) const {
    return std::any_of(regions.begin(), regions.end(),
                       [&](const Region& region) { return m_lasting.hold(region.sphere, gamma); });
}

bool LastingEngine::makeLasting(const Capsule& capsule, double gamma, StopCheck& stopCheck) {
    ScreenedPart part;
    m_narrowed.reset();
    if (!judgeCapsule(capsule, gamma, Kept::Lasting, nullptr, stopCheck, part)) {
        m_lasting.forget();
        return false;
    }
    m_lasting.set(capsule, gamma, std::move(part));
    return true;
}

bool LastingEngine::recall(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                           ScreenedPart& screened) {
    if (stopCheck.isStopped()) {
        return false;
    }
    return !isComplete() || !lastsIn(regions, gamma) || recallLasting(gamma, stopCheck, screened);
}

bool LastingEngine::recallLasting(double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    if (!confirmLasting(gamma, stopCheck)) {
        return false;
    }
    takeLasting(screened);
    return true;
}

bool LastingEngine::confirmLasting(double gamma, StopCheck& stopCheck) {
    m_lasting.count();
    ScreenedPart again;
    return m_states == nullptr || judgeCapsule(m_lasting.capsule(), gamma, Kept::Lasting, m_states, stopCheck, again);
}

void LastingEngine::takeLasting(ScreenedPart& screened) {
    const ScreenedPart& part = m_lasting.part();
    if (part.decided() == 0) {
        return;
    }
    activate(Kept::Lasting);
    screened.add(part);
}

bool LastingEngine::narrow(const Capsule& capsule, double gamma, StopCheck& stopCheck, ScreenedPart& screened) {
    ScreenedPart part;
    if (!judgeCapsule(capsule, gamma, Kept::Narrowed, nullptr, stopCheck, part)) {
        return false;
    }
    m_narrowed = capsule;
    activate(Kept::Narrowed);
    screened.add(part);
    return true;
}

void LastingEngine::widen(ScreenedPart& screened) {
    activateAll();
    screened = {};
    takeLasting(screened);
}

bool LastingEngine::confirmNarrowed(double gamma, StopCheck& stopCheck) {
    ScreenedPart again;
    return m_states == nullptr || judgeCapsule(*m_narrowed, gamma, Kept::Narrowed, m_states, stopCheck, again);
}

} // namespace lambdascope::triplets
