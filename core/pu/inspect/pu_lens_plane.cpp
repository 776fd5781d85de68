// SPDX-License-Identifier: GPL-3.0-or-later
// The plane of two features: decision boundary, regions that screening proves, samples by σ.
#include "core/pu/inspect/plane_maker.h"
#include "core/pu/inspect/pu_lens.h"
#include "core/run/plane_axes.h"

namespace lambdascope::pu {

std::string PuLens::planeObstacle() const {
    return lambdascope::planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed);
}

Result<DecisionPlane> PuLens::plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) {
    if (const std::string obstacle = planeObstacle(); !obstacle.empty()) {
        return Failure{plainError(ErrorCode::BadUsage, obstacle)};
    }
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto chosen = chosenAxes(m_prepared.data(), sidesOfRows(m_prepared), axes);
    if (!chosen) {
        return Failure{chosen.error()};
    }
    PlaneEvidence evidence;
    const auto report = replay(
        point, [&](const ScreeningCheck& check) { evidence.take(check, m_prepared.samples().size()); }, stop);
    if (!report) {
        return Failure{report.error()};
    }
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    const PreparedPu::PointProblem at =
        m_prepared.problemAt(m_replay.path()[static_cast<std::size_t>(point)].axisValue, poll);
    const auto& warm = dynamic_cast<const PuWarmStart&>(*report->warmStart);
    DecisionPlane plane = PlaneMaker(m_prepared, *chosen).make(*at.problem, warm.solved, warm.model, evidence, poll);
    if (poll.isStopped()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while drawing the plane")};
    }
    return plane;
}

} // namespace lambdascope::pu
