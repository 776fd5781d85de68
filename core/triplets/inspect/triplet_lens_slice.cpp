// SPDX-License-Identifier: GPL-3.0-or-later
// The plane through the optimum, and the balls it cuts.
#include "core/inspect/function_observer.h"
#include "core/triplets/inspect/triplet_lens.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lambdascope::triplets {

namespace {

/// The ball of every bound at a check: those that decided first.
struct NamedSphere {
    std::string name;
    bool isUsed = false;
    Sphere sphere;
};

std::vector<NamedSphere> allSpheres(const ScreeningCheck& check, const std::vector<BoundKind>& own) {
    std::vector<NamedSphere> balls;
    for (const Region& region : check.regions) {
        balls.push_back({std::string(makeBound(own[region.bound])->name()), true, region.sphere});
    }
    for (const BoundKind kind : boundsBeside(check.regions, own)) {
        const auto bound = makeBound(kind);
        balls.push_back({std::string(bound->name()), false, bound->sphere(check.reference)});
    }
    std::erase_if(balls, [](const NamedSphere& ball) { return !std::isfinite(ball.sphere.radius); });
    return balls;
}

using CheckObserver = FunctionObserver<ScreeningObserver, ScreeningCheck>;

double product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return a.cwiseProduct(b).sum();
}

/// Two orthonormal directions from the optimum: towards the first centre offered that is not the optimum itself, and
/// towards the one that lies farthest off that line.
class SlicePlane {
  public:
    explicit SlicePlane(Eigen::MatrixXd optimum) : m_optimum(std::move(optimum)) {}

    void offer(const NamedSphere& ball) {
        const Eigen::MatrixXd offset = ball.sphere.centre - m_optimum;
        const double length = offset.norm();
        if (!std::isfinite(length) || length == 0) {
            return;
        }
        if (m_x.size() == 0) {
            m_x = offset / length;
            xName = ball.name;
            return;
        }
        const Eigen::MatrixXd across = offset - product(offset, m_x) * m_x;
        if (across.norm() > m_across) {
            m_across = across.norm();
            m_y = across / m_across;
            yName = ball.name;
        }
    }

    /// The cut of a ball: with the centre's offset split into the plane's part and the rest δ, radius (r² − δ²)^½.
    [[nodiscard]] BallSlice::Ball cut(const NamedSphere& ball) const {
        const Eigen::MatrixXd offset = ball.sphere.centre - m_optimum;
        BallSlice::Ball result;
        result.name = ball.name;
        result.isUsed = ball.isUsed;
        result.x = m_x.size() > 0 ? product(offset, m_x) : 0;
        result.y = m_y.size() > 0 ? product(offset, m_y) : 0;
        const double inPlane = result.x * result.x + result.y * result.y;
        const double off = std::max(offset.squaredNorm() - inPlane, 0.0);
        result.radius = std::sqrt(std::max(ball.sphere.radius * ball.sphere.radius - off, 0.0));
        result.fullRadius = ball.sphere.radius;
        return result;
    }

    std::string xName;
    std::string yName;

  private:
    Eigen::MatrixXd m_optimum;
    Eigen::MatrixXd m_x;
    Eigen::MatrixXd m_y;
    double m_across = 0;
};

} // namespace

Result<BallSlice> TripletLens::slice(std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = m_replay.solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const auto tight = m_accurate->at((*solution)->solved.lambda, (*solution)->solved, stop);
    if (tight == nullptr) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while cutting the balls")};
    }
    // Two walks over the checks, one for the plane and one for the cuts, so that no centre need be kept.
    SlicePlane plane(tight->solved.point.matrix);
    CheckObserver finder([&](const ScreeningCheck& check) {
        for (const NamedSphere& ball : allSpheres(check, m_lane.bounds)) {
            plane.offer(ball);
        }
    });
    if (auto found = m_replay.replay(point, {nullptr, &finder}, stop); !found) {
        return Failure{found.error()};
    }
    BallSlice slice;
    CheckObserver cutter([&](const ScreeningCheck& check) {
        for (const NamedSphere& ball : allSpheres(check, m_lane.bounds)) {
            slice.balls.push_back(plane.cut(ball));
            slice.balls.back().check = check.check;
            slice.balls.back().iteration = check.iteration;
        }
    });
    if (auto cut = m_replay.replay(point, {nullptr, &cutter}, stop); !cut) {
        return Failure{cut.error()};
    }
    slice.xLabel = plane.xName.empty() ? std::string() : "towards the centre of " + plane.xName;
    slice.yLabel = plane.yName.empty() ? std::string() : "across, towards " + plane.yName;
    return slice;
}

} // namespace lambdascope::triplets
