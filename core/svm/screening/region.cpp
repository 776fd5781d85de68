// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/region.h"

#include "core/common/number_text.h"
#include "core/svm/screening/bias_anchor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Relative rounding of the handful of operations that a bound is made of.
constexpr double kPad = 16 * kUnitRoundoff;
/// Of a quantity, where no rounding can turn a comparison.
constexpr double kClear = 0.5;
/// What rounding of the distance of two centres may do to the squared radius of their cut for that.
constexpr double kSharp = 0.05;

/// Product of a sample with a u + b v.
double combined(const Ball& ball, const Direction& u, const Direction& v, SampleIndex i) {
    const auto at = static_cast<std::size_t>(i);
    return ball.a * u.products[at] + (ball.b != 0 ? ball.b * v.products[at] : 0.0);
}

/// Size of the terms of `combined`, for its rounding.
double magnitude(const Ball& ball, const Direction& u, const Direction& v, SampleIndex i) {
    const auto at = static_cast<std::size_t>(i);
    return std::abs(ball.a * u.products[at]) + (ball.b != 0 ? std::abs(ball.b * v.products[at]) : 0.0);
}

/// Error of `combined` per ‖zᵢ‖.
double errorOf(const Ball& ball, const Direction& u, const Direction& v) {
    return std::abs(ball.a) * u.error + std::abs(ball.b) * v.error + ball.centreError;
}

double rootAbove(double square) {
    return std::sqrt(std::max(square, 0.0)) * (1 + 2 * kUnitRoundoff);
}

} // namespace

void Region::judge(std::span<const SampleIndex> samples, std::span<Decision> out) const {
    std::vector<MarginRange> all(samples.size());
    ranges(samples, all);
    std::transform(all.begin(), all.end(), samples.begin(), out.begin(),
                   [this](const MarginRange& range, SampleIndex i) { return range.decision(threshold(i)); });
}

BoundDecision Region::explain(SampleIndex i) const {
    MarginRange range;
    ranges({&i, 1}, {&range, 1});
    const double edge = threshold(i);
    const bool isLower = range.lower - edge >= edge - range.upper;
    BoundDecision decision;
    decision.bound = m_name;
    decision.rule = "margin";
    decision.inequality = formula(i, isLower) + (isLower ? " > " : " < ") + shortText(edge);
    decision.left = isLower ? range.lower : range.upper;
    decision.threshold = edge;
    decision.room = isLower ? range.lower - edge : edge - range.upper;
    decision.set = decision.room > 0 ? (isLower ? "R" : "L") : "";
    decision.terms = terms(i);
    decision.values = ValueInterval{range.lower, range.upper};
    return decision;
}

BallRegion::BallRegion(std::string name, const SvmProblem& problem, Direction u, Direction v, const Ball& ball,
                       std::optional<FreeBias> bias)
    : Region(std::move(name), problem), m_u(u), m_v(v), m_ball(ball), m_bias(bias),
      m_radius(rootAbove(ball.squaredRadius)), m_error(errorOf(ball, u, v)) {}

double BallRegion::centre(SampleIndex i) const {
    return combined(m_ball, m_u, m_v, i);
}

double BallRegion::reachOf(SampleIndex i) const {
    if (!m_bias) {
        return m_radius * m_problem.norms()(i);
    }
    return tiedReach(m_radius, m_bias->room, m_bias->distances[static_cast<std::size_t>(i)]);
}

MarginRange BallRegion::range(SampleIndex i) const {
    const double middle = centre(i);
    const double moved = reachOf(i) + m_error * m_problem.norms()(i);
    const double reach = moved * (1 + kPad) + kPad * magnitude(m_ball, m_u, m_v, i);
    const double pad = kPad * (std::abs(middle) + reach);
    if (!m_bias) {
        return {middle - reach - pad, middle + reach + pad};
    }
    const bool isPositive = m_problem.y()(i) > 0;
    const double low = isPositive ? m_bias->bracket.low : -m_bias->bracket.high;
    const double high = isPositive ? m_bias->bracket.high : -m_bias->bracket.low;
    const double infinity = std::numeric_limits<double>::infinity();
    return {std::isfinite(low) ? middle - reach + low - (pad + kPad * std::abs(low)) : -infinity,
            std::isfinite(high) ? middle + reach + high + (pad + kPad * std::abs(high)) : infinity};
}

void BallRegion::ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const {
    std::transform(samples.begin(), samples.end(), out.begin(), [this](SampleIndex i) { return range(i); });
}

void BallRegion::judge(std::span<const SampleIndex> samples, std::span<Decision> out) const {
    std::transform(samples.begin(), samples.end(), out.begin(),
                   [this](SampleIndex i) { return range(i).decision(threshold(i)); });
}

std::vector<NamedValue> BallRegion::terms(SampleIndex i) const {
    std::vector<NamedValue> all = {{"zᵀm", m_bias ? "product with the centre" : "margin at the centre", centre(i)}};
    if (!m_bias) {
        all.push_back({"r", "radius", m_radius});
        all.push_back({"‖z‖", "length of the sample", m_problem.norms()(i)});
        return all;
    }
    const double distance = m_bias->distances[static_cast<std::size_t>(i)];
    const bool isFreed = isTied() && m_bias->room * distance < 2 * m_radius;
    const char* const meaning = isTied() ? "distance of the sample from the mean of free ones"
                                         : "distance of the sample from the middle of all";
    if (isFreed) {
        all.push_back({"R", "r²/δ + δ‖Φ − o‖²/4", reachOf(i)});
        all.push_back({"δ", "what the free samples may move between their bounds", m_bias->room});
    }
    all.push_back({"r", "radius", m_radius});
    all.push_back({"‖Φ − o‖", meaning, distance});
    all.push_back({"y",
                   m_problem.sharesRows()     ? "side of the tube"
                   : m_problem.balance() != 0 ? "the one class"
                                              : "class of the sample",
                   m_problem.y()(i)});
    if (isTied()) {
        all.push_back({"b", "the bias that puts free samples on their edges", m_bias->bracket.middle()});
    } else {
        all.push_back({"b₁", "an optimal bias as the middle of all sees it, at least", m_bias->bracket.low});
        all.push_back({"b₂", "and at most", m_bias->bracket.high});
    }
    return all;
}

std::string BallRegion::formula(SampleIndex i, bool isLower) const {
    const std::string sign = isLower ? " − " : " + ";
    if (!m_bias) {
        return "zᵀm" + sign + "r‖z‖";
    }
    if (!isTied()) {
        return "zᵀm" + sign + "r‖Φ − o‖" + (isLower ? " + min yb" : " + max yb");
    }
    const bool isFreed = m_bias->room * m_bias->distances[static_cast<std::size_t>(i)] < 2 * m_radius;
    return "zᵀm" + sign + (isFreed ? "R" : "r‖Φ − o‖") + " + yb";
}

LensRegion::LensRegion(std::string name, const SvmProblem& problem, Direction u, Direction v, const Ball& first,
                       const Ball& second, Bounded squaredDistance, const Biases& biases)
    : Region(std::move(name), problem), m_u(u), m_v(v), m_first(first), m_second(second),
      m_squaredDistance(squaredDistance), m_biases(biases),
      m_room(biases.first ? biases.first->room : std::numeric_limits<double>::infinity()),
      m_distance(std::sqrt(std::max(squaredDistance.value, 0.0))), m_perDistance(m_distance > 0 ? 1 / m_distance : 0) {
    m_zeta =
        m_distance > 0 ? (squaredDistance.value + second.squaredRadius - first.squaredRadius) / (2 * m_distance) : 0;
    m_kappa = std::sqrt(std::max(second.squaredRadius - m_zeta * m_zeta, 0.0));
    const double blur = squaredDistance.error / squaredDistance.value;
    m_isSharp = blur * std::max(first.squaredRadius, second.squaredRadius) <= kSharp * m_kappa * m_kappa;
    m_firstRadius = rootAbove(first.squaredRadius) * (1 + kPad);
    m_secondRadius = rootAbove(second.squaredRadius) * (1 + kPad);
    m_firstError = errorOf(first, u, v) * (1 + kPad);
    m_secondError = errorOf(second, u, v) * (1 + kPad);
    m_firstBias = biases.first ? biases.first->bracket.middle() : 0;
    for (const std::optional<FreeBias>& bias : {biases.first, biases.second}) {
        if (bias) {
            const BiasBracket& bracket = bias->bracket;
            m_biasError = std::max(m_biasError, (0.5 * (bracket.high - bracket.low) +
                                                 kPad * (std::abs(bracket.low) + std::abs(bracket.high))) *
                                                    (1 + kPad));
        }
    }
}

double LensRegion::radius() const {
    return rootAbove(std::min(m_first.squaredRadius, m_second.squaredRadius));
}

LensRegion::Centres LensRegion::centresFor(SampleIndex i) const {
    const double norm = m_problem.norms()(i);
    Centres centres{combined(m_first, m_u, m_v, i),
                    combined(m_second, m_u, m_v, i),
                    magnitude(m_first, m_u, m_v, i),
                    magnitude(m_second, m_u, m_v, i),
                    norm,
                    norm};
    if (m_biases.first) {
        const double y = m_problem.y()(i);
        const double first = m_biases.first->bracket.middle();
        const double second = m_biases.second->bracket.middle();
        centres.first += y * first;
        centres.second += y * second;
        centres.firstSize += std::abs(first);
        centres.secondSize += std::abs(second);
        centres.distance = m_biases.first->distances[static_cast<std::size_t>(i)];
    }
    return centres;
}

double LensRegion::lowerAt(double t, double sign, const Centres& centres) const {
    const double s = 1 - t;
    const double balls = t * m_first.squaredRadius + s * m_second.squaredRadius;
    const double square = balls * (1 + kPad) - t * s * std::max(m_squaredDistance.lower(), 0.0) * (1 - kPad);
    const double error = (t * m_firstError + s * m_secondError) * centres.norm + m_biasError;
    const double room = m_biases.first ? t * m_room * (1 - kPad) : m_room;
    const double reach = (tiedReach(rootAbove(square), room, centres.distance) + error) * (1 + kPad);
    const double middle = sign * (t * centres.first + s * centres.second);
    return middle - reach - kPad * (2 * (t * centres.firstSize + s * centres.secondSize) + reach);
}

double LensRegion::bestShare(double sign, const Centres& centres) const {
    const double p = sign * (centres.first - centres.second) * m_perDistance;
    const double across = centres.distance * centres.distance - p * p;
    const double tau = across > 0 ? m_kappa * p / std::sqrt(across) : (p > 0 ? m_distance : -m_distance);
    const double share = std::clamp((m_zeta + tau) * m_perDistance, 0.0, 1.0);
    if (!m_biases.first) {
        return share;
    }
    // With less of the first ball the bias would be freer than w is.
    const double tied = 2 * std::min(m_firstRadius, m_secondRadius) / (m_room * centres.distance);
    return std::max(share, std::min(tied, 1.0));
}

double LensRegion::lower(SampleIndex i, double sign) const {
    const Centres centres = centresFor(i);
    double best = std::max(lowerAt(0, sign, centres), lowerAt(1, sign, centres));
    if (hasCut()) {
        best = std::max(best, lowerAt(bestShare(sign, centres), sign, centres));
    }
    return best;
}

double LensRegion::reachOf(double radius, double error, double size, double distance, double norm) const {
    return (tiedReach(radius, m_room, distance) + error * norm + m_biasError) * (1 + 2 * kPad) + 2 * kPad * size;
}

std::size_t LensRegion::judgeByFirst(std::span<const SampleIndex> samples, std::span<Decision> out,
                                     std::span<std::uint16_t> open) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const SampleIndex i = samples[k];
        const double norm = m_problem.norms()(i);
        const double bias = m_biases.first ? m_problem.y()(i) * m_firstBias : 0;
        const double distance = m_biases.first ? m_biases.first->distances[static_cast<std::size_t>(i)] : norm;
        const double middle = combined(m_first, m_u, m_v, i) + bias;
        const double size = magnitude(m_first, m_u, m_v, i) + std::abs(bias);
        const double reach = reachOf(m_firstRadius, m_firstError, size, distance, norm);
        out[k] = MarginRange{middle - reach, middle + reach}.decision(threshold(i));
        open[count] = static_cast<std::uint16_t>(k);
        count += static_cast<std::size_t>(out[k] == Decision::Keep);
    }
    return count;
}

std::size_t LensRegion::judgeByCut(std::span<const SampleIndex> samples, std::span<Decision> out,
                                   std::span<std::uint16_t> open) const {
    const double clear = kClear * m_kappa * m_kappa;
    std::size_t count = 0;
    for (const std::uint16_t k : open) {
        const SampleIndex i = samples[k];
        const Centres centres = centresFor(i);
        const double edge = threshold(i);
        if (!m_biases.first) {
            const double reach = reachOf(m_secondRadius, m_secondError, centres.secondSize, centres.norm, centres.norm);
            out[k] = MarginRange{centres.second - reach, centres.second + reach}.decision(edge);
        }
        // Both balls hold the disk of the cut, of radius κ: where the edge passes through it nothing can be decided.
        // Where that is beyond the rounding of a difference of centres, it settles most of the rest without a root.
        const double square = centres.distance * centres.distance;
        const double along = (centres.first - centres.second) * m_perDistance;
        const double fromEdge = centres.second + m_zeta * along - edge;
        const double across = square - along * along;
        const bool isCut = across > kClear * square && fromEdge * fromEdge < clear * across;
        open[count] = k;
        count += static_cast<std::size_t>(out[k] == Decision::Keep && hasCut() && !isCut);
    }
    return count;
}

/// ψ, the middle of the cut, lies in both balls, so that only the side of the edge that it is on is possible.
Decision LensRegion::decisionByLens(SampleIndex i) const {
    const double edge = threshold(i);
    const Centres centres = centresFor(i);
    const double t = std::clamp(m_zeta * m_perDistance, 0.0, 1.0);
    const double sign = t * centres.first + (1 - t) * centres.second > edge ? 1 : -1;
    const double bound = lowerAt(bestShare(sign, centres), sign, centres);
    if (sign > 0) {
        return bound > edge ? Decision::Zero : Decision::Keep;
    }
    return -bound < edge ? Decision::Full : Decision::Keep;
}

/// Either ball alone settles most, and the first of them what needs the least; the second only where it has no bias to
/// leave free.
void LensRegion::judge(std::span<const SampleIndex> samples, std::span<Decision> out) const {
    constexpr std::size_t kAtOnce = 512; // samples whose numbers stay in the cache
    std::array<std::uint16_t, kAtOnce> open;
    for (std::size_t from = 0; from < samples.size(); from += kAtOnce) {
        const std::size_t size = std::min(kAtOnce, samples.size() - from);
        const auto here = samples.subspan(from, size);
        const auto decisions = out.subspan(from, size);
        std::size_t count = judgeByFirst(here, decisions, open);
        if (!hasCut() || m_isSharp) {
            count = judgeByCut(here, decisions, std::span(open).first(count));
        }
        for (std::size_t k = 0; k < count; ++k) {
            const SampleIndex i = here[open[k]];
            decisions[open[k]] =
                m_isSharp ? decisionByLens(i) : MarginRange{lower(i, 1), -lower(i, -1)}.decision(threshold(i));
        }
    }
}

void LensRegion::ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const {
    std::transform(samples.begin(), samples.end(), out.begin(), [this](SampleIndex i) {
        return MarginRange{lower(i, 1), -lower(i, -1)};
    });
}

std::vector<NamedValue> LensRegion::terms(SampleIndex i) const {
    const Centres centres = centresFor(i);
    const bool isTied = m_biases.first.has_value();
    std::vector<NamedValue> all = {{isTied ? "f₁" : "zᵀm₁", "margin at the first centre", centres.first},
                                   {"r₁", "first radius", rootAbove(m_first.squaredRadius)},
                                   {isTied ? "f₂" : "zᵀm₂", "margin at the second centre", centres.second},
                                   {"r₂", "second radius", rootAbove(m_second.squaredRadius)},
                                   {"‖φ‖", "distance of the centres", m_distance},
                                   {"ζ", "from the second centre to the plane of the cut", m_zeta},
                                   {"κ", "radius of the cut", m_kappa}};
    if (isTied) {
        all.push_back({"‖Φ − o‖", "distance of the sample from the mean of free ones", centres.distance});
        all.push_back({"δ", "what the free samples may move between their bounds", m_room});
    } else {
        all.push_back({"‖z‖", "length of the sample", centres.norm});
    }
    return all;
}

std::string LensRegion::formula(SampleIndex, bool isLower) const {
    const std::string what = m_biases.first ? "zᵀw + yb" : "zᵀw";
    return (isLower ? "min " : "max ") + what + " over both balls";
}

CapRegion::CapRegion(std::string name, const SvmProblem& problem, Direction u, Bounded squaredNorm, double height,
                     double squaredRadius)
    : Region(std::move(name), problem), m_u(u), m_squaredNorm(squaredNorm), m_height(height),
      m_squaredRadius(squaredRadius), m_radius(rootAbove(squaredRadius)) {}

double CapRegion::lowerAt(double mu, double margin, double norm) const {
    const double square = norm * norm + 2 * mu * (m_u.error * norm - margin) + mu * mu * m_squaredNorm.upper();
    const double size = norm * norm + 2 * mu * std::abs(margin) + mu * mu * m_squaredNorm.upper();
    const double reach = m_radius * rootAbove(square + kPad * size);
    return mu * m_height - reach - kPad * (mu * std::abs(m_height) + reach);
}

double CapRegion::lower(SampleIndex i, double sign) const {
    const double norm = m_problem.norms()(i);
    const double margin = sign * m_u.products[static_cast<std::size_t>(i)];
    const double square = m_squaredNorm.value;
    double best = lowerAt(0, margin, norm);
    const double room = m_squaredRadius - m_height * m_height / square; // of the cut, squared radius
    const double across = norm * norm - margin * margin / square;
    if (square > 0 && m_height > 0) {
        // The cap may be so flat that the best μ is huge; a finite one is nearly as good.
        const double q = m_height * std::sqrt(std::max(across, 0.0) /
                                              std::max(room, kPad * std::max(m_squaredRadius, kUnitRoundoff)));
        const double mu = (q + margin) / square;
        if (mu > 0 && std::isfinite(mu)) {
            best = std::max(best, lowerAt(mu, margin, norm));
        }
    }
    return best;
}

void CapRegion::ranges(std::span<const SampleIndex> samples, std::span<MarginRange> out) const {
    std::transform(samples.begin(), samples.end(), out.begin(), [this](SampleIndex i) {
        return MarginRange{lower(i, 1), -lower(i, -1)};
    });
}

std::vector<NamedValue> CapRegion::terms(SampleIndex i) const {
    return {{"zᵀw₀", "margin at the reference", m_u.products[static_cast<std::size_t>(i)]},
            {"‖w₀‖²", "squared length of the reference", m_squaredNorm.value},
            {"h", "least w₀ᵀw", m_height},
            {"√γ", "largest length of the optimum", m_radius},
            {"‖z‖", "length of the sample", m_problem.norms()(i)}};
}

std::string CapRegion::formula(SampleIndex, bool isLower) const {
    return isLower ? "min zᵀw over the cap" : "max zᵀw over the cap";
}

} // namespace lambdascope::svm
