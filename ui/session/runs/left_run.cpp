// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/left_run.h"

#include "core/store/run_library.h"

#include <QObject>

#include <algorithm>

namespace lambdascope {

namespace {

bool isLeftLane(const LibraryRun& run) {
    return run.state == RunRecord::State::Interrupted ||
           (run.state == RunRecord::State::Stopped && run.termination == Termination::StoppedByUser);
}

LeftRunListing listingOf(const RunLibrary& library, const LibraryExperiment& experiment) {
    std::int64_t finished = 0;
    std::int64_t planned = 0;
    bool isPlanKnown = true;
    bool wasStopped = false;
    for (const LibraryRun& run : experiment.runs) {
        finished += run.finishedPoints;
        const auto plan = isLeftLane(run) ? library.plannedPoints(run.id) : Result<std::int32_t>(run.finishedPoints);
        planned += plan ? std::max(*plan, run.finishedPoints) : 0;
        isPlanKnown = isPlanKnown && plan && *plan > 0;
        wasStopped = wasStopped || run.state == RunRecord::State::Stopped;
    }
    const QString name = QString::fromStdString(experiment.name);
    const QString points = isPlanKnown ? QObject::tr("%1 of %2 points").arg(finished).arg(planned)
                                       : QObject::tr("%1 points").arg(finished);
    return {experiment.id.value,
            (wasStopped ? QObject::tr("%1: stopped at %2") : QObject::tr("%1: interrupted at %2")).arg(name, points),
            wasStopped};
}

} // namespace

bool isLeft(const LibraryExperiment& experiment) {
    return std::any_of(experiment.runs.begin(), experiment.runs.end(), isLeftLane);
}

Result<std::vector<LeftRunListing>> leftRuns(const RunLibrary* library, int limit) {
    std::vector<LeftRunListing> left;
    if (library == nullptr) {
        return left;
    }
    const auto experiments = library->experiments();
    if (!experiments) {
        return Failure{experiments.error()};
    }
    int seen = 0;
    for (const LibraryExperiment& experiment : *experiments) {
        if (seen++ == limit) {
            break;
        }
        if (isLeft(experiment)) {
            left.push_back(listingOf(*library, experiment));
        }
    }
    return left;
}

} // namespace lambdascope
