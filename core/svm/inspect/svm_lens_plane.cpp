// SPDX-License-Identifier: GPL-3.0-or-later
// The plane of two features: decision boundary, regions that the lane's bounds prove, samples by state.
#include "core/run/plane_axes.h"
#include "core/svm/inspect/plane_maker.h"
#include "core/svm/inspect/svm_lens.h"

namespace lambdascope::svm {

std::string SvmLens::planeObstacle() const {
    return lambdascope::planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed);
}

Result<DecisionPlane> SvmLens::plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) {
    if (const std::string obstacle = planeObstacle(); !obstacle.empty()) {
        return Failure{plainError(ErrorCode::BadUsage, obstacle)};
    }
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto chosen = chosenAxes(m_prepared.data(), m_prepared.problem().y(), axes);
    if (!chosen) {
        return Failure{chosen.error()};
    }
    std::vector<Verdict> verdicts(static_cast<std::size_t>(items()), Verdict::Keep);
    PlaneEvidence evidence(m_lane.bounds);
    const auto report = replay(
        point,
        [&](const ScreeningCheck& check) {
            verdicts.assign(check.verdicts.begin(), check.verdicts.end());
            evidence.take(check);
        },
        stop);
    if (!report) {
        return Failure{report.error()};
    }
    WorkPoll poll([&stop] { return stop.stop_requested(); });
    DecisionPlane plane =
        PlaneMaker(m_prepared, *chosen)
            .make(dynamic_cast<const SvmWarmStart&>(*report->warmStart).solution(), verdicts, evidence, poll);
    if (poll.isStopped()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while drawing the plane")};
    }
    return plane;
}

} // namespace lambdascope::svm
