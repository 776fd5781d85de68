// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/shown_runs.h"

#include "core/record/run_record.h"

#include <algorithm>

namespace lambdascope {

QString runLabel(const RunCollection& runs, RunId id) {
    const QString& name = runs.display(id).name;
    int use = 0;
    for (const RunId other : runs.ids()) {
        use += runs.display(other).name == name ? 1 : 0;
        if (other == id) {
            break;
        }
    }
    return use <= 1 ? name : QStringLiteral("%1 (%2)").arg(name).arg(use);
}

RunsByAxis runsByAxis(const RunCollection& runs) {
    RunsByAxis found;
    const std::vector<RunId> shown = runs.shownIds();
    if (shown.empty()) {
        return found;
    }
    const std::string& axis = runs.record(shown.back())->start().axisKey;
    for (const RunId id : shown) {
        (runs.record(id)->start().axisKey == axis ? found.drawn : found.leftOut).push_back(id);
    }
    return found;
}

QString pathEndReason(const RunStarted& start) {
    return start.facts.isObject() ? QString::fromStdString(start.facts.value("path_end", std::string())) : QString();
}

QString endText(Termination termination, const QString& reason) {
    const std::string_view name = terminationName(termination);
    const QString words = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return termination == Termination::PathEnded && !reason.isEmpty() ? QStringLiteral("%1: %2").arg(words, reason)
                                                                      : words;
}

QString endText(const RunRecord& record) {
    return record.termination() ? endText(*record.termination(), pathEndReason(record.start())) : QString();
}

std::int32_t estimatedPoints(const RunCollection& runs, RunId id) {
    const RunRecord& record = *runs.record(id);
    const auto done = static_cast<std::int32_t>(record.finishedPointCount());
    if (record.hasEnded()) {
        return done;
    }
    std::int32_t estimate = record.estimatedPointCount();
    std::size_t farthest = record.finishedPointCount();
    for (const RunId other : runs.ids()) {
        const RunRecord& lane = *runs.record(other);
        const bool isOfSameStart = runs.display(other).batch == runs.display(id).batch;
        if (isOfSameStart && !lane.hasEnded() && lane.estimatedPointCount() > 0 &&
            (lane.finishedPointCount() > farthest || estimate <= 0)) {
            farthest = lane.finishedPointCount();
            estimate = lane.estimatedPointCount();
        }
    }
    return estimate > 0 ? std::max(estimate, done) : 0;
}

} // namespace lambdascope
