// SPDX-License-Identifier: GPL-3.0-or-later
// The plane through the optimum and the centres of BT1 and BT2, and the balls it cuts.
#include "core/svm/svm_lens.h"

#include <algorithm>
#include <cmath>
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

} // namespace

Result<BallSlice> SvmLens::slice(std::int32_t point, std::stop_token stop) {
    if (auto checked = checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const SolvedSvm& solved = (*solution)->solution();
    const auto tight = solved.alpha.size() > 0 ? m_accurate->at(solved.c, solved, stop) : nullptr;
    BallSlice slice;
    if (tight == nullptr) {
        return stop.stop_requested()
                   ? Result<BallSlice>(Failure{plainError(ErrorCode::Stopped, "stopped while cutting the balls")})
                   : Result<BallSlice>(slice);
    }
    const Eigen::VectorXd& alpha = tight->solved.alpha;
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    CutVector cut(m_problem);
    std::optional<Plane> plane;
    Projection start;
    Projection chosen;
    Eigen::VectorXd margins; // of the reference
    const auto watch = [&](const ScreeningCheck& check) {
        ScreeningReference from = check.reference;
        if (from.path != nullptr) { // the path screening, which comes first
            cut.update(*from.path, from.c, poll);
            from.cut = &cut;
            start = {alpha.dot(from.path->margins), from.path->squaredNorm.value, cut.withReference().value,
                     from.path->squaredNorm.value};
            chosen = {alpha.dot(cut.products()), cut.withReference().value, cut.squaredNorm().value,
                      cut.squaredNorm().value};
            const Projection optimum{tight->solved.squaredNorm.value, start.withOptimum, chosen.withOptimum,
                                     tight->solved.squaredNorm.value};
            plane.emplace(optimum, start, chosen, *makeBall(BoundKind::BallOne, from),
                          *makeBall(BoundKind::BallTwo, from));
            margins = from.path->margins;
        }
        if (!plane) {
            return;
        }
        for (const BoundKind kind : {BoundKind::BallOne, BoundKind::BallTwo, BoundKind::Gap}) {
            const auto ball = makeBall(kind, from);
            if (!ball) {
                continue;
            }
            const auto uses = [&](BoundKind used) {
                return used == kind || (used == BoundKind::Intersection && kind != BoundKind::Gap);
            };
            const bool isUsed = std::any_of(m_lane.bounds.begin(), m_lane.bounds.end(), uses);
            Projection centre;
            if (kind == BoundKind::Gap) {
                centre = {from.alpha->dot(tight->solved.margins), from.alpha->dot(margins),
                          from.alpha->dot(cut.products()), from.squaredNorm};
            } else {
                centre = sum(*ball, start, chosen, cut.withReference().value);
            }
            slice.balls.push_back(plane->cut(std::string(boundName(kind)), isUsed, centre, ball->squaredRadius));
            slice.balls.back().check = check.check;
            slice.balls.back().iteration = check.sweep;
        }
    };
    if (auto done = replay(point, watch, stop); !done) {
        return Failure{done.error()};
    }
    slice.xLabel = "towards the centre of BT1";
    slice.yLabel = "across, towards BT2";
    return slice;
}

} // namespace lambdascope::svm
