// SPDX-License-Identifier: GPL-3.0-or-later
// The plane through the optimum and the centres of BT1 and BT2, and the balls it cuts. (With a free bias:
// free_bias_slice.h.)
#include "core/svm/inspect/free_bias_slice.h"
#include "core/svm/inspect/slice_outlines.h"
#include "core/svm/inspect/svm_lens.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace lambdascope::svm {

namespace {

/// A centre a u + b v in the coordinates of the plane, or any vector by what it has in common with w*, w₀ and z_ŝ.
struct Projection {
    double withOptimum = 0;
    double withReference = 0;
    double withCut = 0;
    double square = 0;
};

Projection sum(const Ball& ball, const Projection& u, const Projection& v, double uv) {
    return {ball.a * u.withOptimum + ball.b * v.withOptimum, ball.a * u.withReference + ball.b * v.withReference,
            ball.a * u.withCut + ball.b * v.withCut,
            ball.a * ball.a * u.square + 2 * ball.a * ball.b * uv + ball.b * ball.b * v.square};
}

/// Two orthonormal directions from the optimum as combinations of w*, w₀ and z_ŝ: towards the centre of BT1 and, across
/// it, of BT2.
class Plane {
  public:
    Plane(const Projection& optimum, const Projection& reference, const Projection& cut, const Ball& first,
          const Ball& second)
        : m_optimum(optimum), m_gram{{optimum.square, reference.withOptimum, cut.withOptimum},
                                     {reference.withOptimum, reference.square, cut.withReference},
                                     {cut.withOptimum, cut.withReference, cut.square}} {
        m_x = unit({-1, first.a, first.b});
        Eigen::Vector3d across(-1, second.a, second.b);
        across -= across.dot(m_gram * m_x) * m_x;
        m_y = unit(across);
    }

    [[nodiscard]] BallSlice::Ball cut(const std::string& name, bool isUsed, const Projection& centre,
                                      double squaredRadius) const {
        const Eigen::Vector3d common(centre.withOptimum - m_optimum.square,
                                     centre.withReference - m_optimum.withReference,
                                     centre.withCut - m_optimum.withCut);
        const double square = centre.square - 2 * centre.withOptimum + m_optimum.square; // ‖m − w*‖²
        BallSlice::Ball ball;
        ball.name = name;
        ball.isUsed = isUsed;
        ball.x = common.dot(m_x);
        ball.y = common.dot(m_y);
        const double off = std::max(square - ball.x * ball.x - ball.y * ball.y, 0.0);
        ball.radius = std::sqrt(std::max(squaredRadius - off, 0.0));
        ball.fullRadius = std::sqrt(std::max(squaredRadius, 0.0));
        return ball;
    }

    /// The places with w₀ᵀw ≥ height.
    [[nodiscard]] HalfPlane above(double height) const {
        const Eigen::Vector3d reference = m_gram.row(1).transpose();
        return {reference.dot(m_x), reference.dot(m_y), height - m_optimum.withReference};
    }

  private:
    [[nodiscard]] Eigen::Vector3d unit(const Eigen::Vector3d& direction) const {
        const double square = direction.dot(m_gram * direction);
        return square > 1e-14 * m_optimum.square ? Eigen::Vector3d(direction / std::sqrt(square))
                                                 : Eigen::Vector3d(Eigen::Vector3d::Zero());
    }

    Projection m_optimum;
    Eigen::Matrix3d m_gram;
    Eigen::Vector3d m_x;
    Eigen::Vector3d m_y;
};

/// Makes the slice check by check.
class Slicer {
  public:
    Slicer(const SvmProblem& problem, const std::vector<BoundKind>& bounds, const SolvedSvm& optimum,
           StopCheck& stopCheck)
        : m_bounds(bounds), m_optimum(optimum), m_stopCheck(stopCheck), m_cut(problem) {}

    void take(const ScreeningCheck& check) {
        ScreeningReference from = check.reference;
        if (from.path != nullptr) { // the path screening, which comes first
            layPlane(from);
        }
        if (!m_plane) {
            return;
        }
        for (const BoundKind kind : {BoundKind::BallOne, BoundKind::BallTwo, BoundKind::Gap}) {
            if (const auto ball = makeBall(kind, from)) {
                m_slice.balls.push_back(m_plane->cut(std::string(boundName(kind)), isUsed(kind),
                                                     centreOf(kind, *ball, from), ball->squaredRadius));
                m_slice.balls.back().check = check.check;
                m_slice.balls.back().iteration = check.sweep;
            }
        }
        if (from.path != nullptr) {
            addParts(from, check);
        }
    }

    [[nodiscard]] BallSlice finished() {
        m_slice.xLabel = "towards the centre of BT1";
        m_slice.yLabel = "across, towards BT2";
        return std::move(m_slice);
    }

  private:
    void layPlane(ScreeningReference& from) {
        m_cut.update(*from.path, from.c, m_stopCheck);
        from.cut = &m_cut;
        const Eigen::VectorXd& alpha = m_optimum.alpha;
        const double length = from.path->squaredNorm.value;
        const double product = m_cut.withReference().value;
        const double square = m_optimum.squaredNorm.value;
        m_start = {alpha.dot(from.path->margins), length, product, length};
        m_chosen = {alpha.dot(m_cut.products()), product, m_cut.squaredNorm().value, m_cut.squaredNorm().value};
        m_plane.emplace(Projection{square, m_start.withOptimum, m_chosen.withOptimum, square}, m_start, m_chosen,
                        *makeBall(BoundKind::BallOne, from), *makeBall(BoundKind::BallTwo, from));
        m_margins = from.path->margins;
    }

    /// IT uses the balls of BT1 and BT2.
    [[nodiscard]] bool isUsed(BoundKind kind) const {
        const bool isHalfOfLens = kind == BoundKind::BallOne || kind == BoundKind::BallTwo;
        return std::any_of(m_bounds.begin(), m_bounds.end(), [&](BoundKind used) {
            return used == kind || (used == BoundKind::Intersection && isHalfOfLens);
        });
    }

    [[nodiscard]] Projection centreOf(BoundKind kind, const Ball& ball, const ScreeningReference& from) const {
        return kind == BoundKind::Gap ? Projection{from.alpha->dot(m_optimum.margins), from.alpha->dot(m_margins),
                                                   from.alpha->dot(m_cut.products()), from.squaredNorm}
                                      : sum(ball, m_start, m_chosen, m_cut.withReference().value);
    }

    /// The lens of both balls, and DT's cap, which only a lane that uses it has the reference for.
    void addParts(const ScreeningReference& from, const ScreeningCheck& check) {
        const auto discOf = [](const BallSlice::Ball& ball) { return Disc{ball.x, ball.y, ball.radius}; };
        const auto add = [&](BoundKind kind, std::vector<BallSlice::Corner> outline) {
            m_slice.parts.push_back(
                {std::string(boundName(kind)), isUsed(kind), std::move(outline), check.check, check.sweep, {}, false});
        };
        add(BoundKind::Intersection, commonOutline(discOf(m_slice.balls[0]), discOf(m_slice.balls[1])));
        if (const auto cap = makeCap(from)) {
            const BallSlice::Ball whole = m_plane->cut({}, true, Projection{}, cap->squaredRadius);
            add(BoundKind::Delta, commonOutline(discOf(whole), m_plane->above(cap->height)));
        }
    }

    const std::vector<BoundKind>& m_bounds;
    const SolvedSvm& m_optimum;
    StopCheck& m_stopCheck;
    Nc3Cut m_cut;
    std::optional<Plane> m_plane;
    Projection m_start;
    Projection m_chosen;
    Eigen::VectorXd m_margins; ///< of the reference
    BallSlice m_slice;
};

} // namespace

Result<BallSlice> SvmLens::slice(std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const SolvedSvm& solved = (*solution)->solution();
    const auto tight = solved.alpha.size() > 0 ? m_accurate->at(solved.c, solved, stop) : nullptr;
    if (tight == nullptr) {
        return stop.stop_requested()
                   ? Result<BallSlice>(Failure{plainError(ErrorCode::Stopped, "stopped while cutting the balls")})
                   : Result<BallSlice>(BallSlice());
    }
    const auto sliced = [&](auto slicer) -> Result<BallSlice> {
        const auto done = replay(
            point, [&slicer](const ScreeningCheck& check) { slicer.take(check); }, stop);
        return done ? Result<BallSlice>(slicer.finished()) : Failure{done.error()};
    };
    if (m_problem.hasFreeBias()) {
        return sliced(FreeBiasSlicer(m_problem, m_lane.bounds, tight->solved));
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    return sliced(Slicer(m_problem, m_lane.bounds, tight->solved, stopCheck));
}

namespace {

using Corner = BallSlice::Corner;

/// So that corners alone tell about where an outline lies.
constexpr double kLongestArc = std::numbers::pi / 32;

/// Corners of the arc of a rim up to `half` on both sides of the direction (ex, ey), without its end.
void addArc(std::vector<Corner>& outline, const Disc& disc, double ex, double ey, double half) {
    const int pieces = std::max(1, static_cast<int>(std::ceil(2 * half / kLongestArc)));
    const double bulge = std::tan(half / (2 * pieces));
    for (int piece = 0; piece < pieces; ++piece) {
        const double angle = half * (2.0 * piece / pieces - 1);
        const double along = disc.radius * std::cos(angle), across = disc.radius * std::sin(angle);
        outline.push_back({disc.x + along * ex - across * ey, disc.y + along * ey + across * ex, bulge});
    }
}

std::vector<Corner> rim(const Disc& disc) {
    std::vector<Corner> outline;
    addArc(outline, disc, 1, 0, std::numbers::pi);
    return outline;
}

} // namespace

std::vector<Corner> commonOutline(const Disc& first, const Disc& second) {
    if (!(first.radius > 0) || !(second.radius > 0)) {
        return {};
    }
    const double distance = std::hypot(second.x - first.x, second.y - first.y);
    const double sum = first.radius + second.radius;
    const double excess = first.radius - second.radius;
    if (!(distance < sum)) {
        return {};
    }
    if (distance <= std::abs(excess)) {
        return rim(excess > 0 ? second : first);
    }
    // Where the rims cross: `across` from the line of centres, by Heron's formula. As products of differences of what
    // is given these stay accurate when one circle is far larger than the other, or both than what they share.
    const double firstBeyond = (distance + excess) * (distance + sum) / (2 * distance);  // r₁ + along₁
    const double secondBeyond = (distance - excess) * (distance + sum) / (2 * distance); // r₂ + along₂
    const double across = std::sqrt((sum - distance) * (sum + distance)) *
                          std::sqrt((distance - excess) * (distance + excess)) / (2 * distance);
    const double ex = (second.x - first.x) / distance, ey = (second.y - first.y) / distance;
    std::vector<Corner> outline;
    addArc(outline, first, ex, ey, 2 * std::atan2(across, firstBeyond));
    addArc(outline, second, -ex, -ey, 2 * std::atan2(across, secondBeyond));
    return outline;
}

std::vector<Corner> commonOutline(const Disc& disc, const HalfPlane& half) {
    if (!(disc.radius > 0)) {
        return {};
    }
    const double length = std::hypot(half.a, half.b);
    if (!(length > 0)) {
        return half.least <= 0 ? rim(disc) : std::vector<Corner>();
    }
    const double ex = half.a / length, ey = half.b / length;
    const double away = half.least / length - ex * disc.x - ey * disc.y; // of the edge from the centre
    if (away <= -disc.radius) {
        return rim(disc);
    }
    if (!(away < disc.radius)) {
        return {};
    }
    const double across = std::sqrt((disc.radius - away) * (disc.radius + away));
    std::vector<Corner> outline;
    addArc(outline, disc, ex, ey, 2 * std::atan2(across, disc.radius + away));
    outline.push_back({disc.x + away * ex - across * ey, disc.y + away * ey + across * ex, 0});
    return outline;
}

} // namespace lambdascope::svm
