// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_audit.h"

#include "core/common/number_text.h"
#include "core/inspect/decision_auditor.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

std::string_view verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Proven: return "proven";
    case Verdict::NotProven: return "not proven";
    case Verdict::Wrong: break;
    }
    return "wrong";
}

Judgement judgementOf(const LaneAudit& audit) {
    const AuditReport& report = audit.report;
    const PathCheck& path = audit.path;
    const std::string ofDecisions = " of " + groupedText(report.decisions) + " decisions ";
    Judgement judgement;
    const auto add = [&judgement](Verdict verdict, std::string reason) {
        judgement.verdict = std::max(judgement.verdict, verdict);
        judgement.reasons.push_back(std::move(reason));
    };
    if (report.wrong > 0) {
        add(Verdict::Wrong, groupedText(report.wrong) + ofDecisions + (report.wrong == 1 ? "is wrong" : "are wrong"));
    }
    if (path.wrong > 0) {
        add(Verdict::Wrong, groupedText(path.wrong) +
                                (path.wrong == 1 ? " stored value cannot be true" : " stored values cannot be true"));
    }
    if (report.undecided > 0) {
        add(Verdict::NotProven,
            groupedText(report.undecided) + ofDecisions +
                (report.undecided == 1 ? "is too near its threshold to tell" : "are too near their threshold to tell"));
    }
    if (report.loosePoints > 0) {
        const std::string which = report.largestGapPoint < 0
                                      ? std::string("the least exact reference solution")
                                      : "the reference solution of point " + std::to_string(report.largestGapPoint);
        const std::string more = report.loosePoints > 1
                                     ? " (the largest of " + std::to_string(report.loosePoints) + " that miss it)"
                                     : std::string();
        add(Verdict::NotProven, which + " has a relative gap of " + shortText(report.largestGap, 2) + "; " +
                                    shortText(report.promisedGap, 2) + " is promised" + more);
    }
    if (path.unproven > 0) {
        add(Verdict::NotProven, groupedText(path.unproven) + " of " + groupedText(path.points) +
                                    " points could not be checked: " + path.unprovenReason);
    }
    return judgement;
}

std::string judgementText(const LaneAudit& audit) {
    const Judgement judgement = judgementOf(audit);
    std::string text = std::string(verdictName(judgement.verdict)) + ": ";
    if (judgement.verdict == Verdict::Proven) {
        text += auditText(audit.report);
    }
    for (const std::string& reason : judgement.reasons) {
        text += (&reason == &judgement.reasons.front() ? "" : "; ") + reason;
    }
    return audit.unsafeReason.empty() ? text : "unsafe lane (" + audit.unsafeReason + "), " + text;
}

Result<std::vector<double>> storedAxis(const StoredPath& stored, const LaneDescription& lane) {
    const auto column = std::find(stored.columns.begin(), stored.columns.end(), lane.axisKey);
    if (column == stored.columns.end()) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {lane.axisKey,
                                                 "path.csv has no column " + lane.axisKey,
                                                 "The file was changed after the run; run the experiment again.",
                                                 {}})};
    }
    std::vector<double> values;
    for (const std::vector<double>& row : stored.rows) {
        values.push_back(row[static_cast<std::size_t>(column - stored.columns.begin())]);
    }
    return values;
}

Result<LaneAudit> auditLane(RunLens& lens, std::string lane, const StoredPath& stored,
                            const RunLens::Progress& progress, std::stop_token stop) {
    LaneAudit audit;
    audit.lane = std::move(lane);
    if (const auto auditor = capability<DecisionAuditor>(lens)) {
        audit.unsafeReason = (*auditor)->unsafeReason();
    }
    if (stored.rows.empty()) {
        return audit;
    }
    auto axis = storedAxis(stored, lens.lane());
    if (auto placed = axis ? lens.computeAt(std::move(*axis)) : Result<void>(Failure{axis.error()}); !placed) {
        audit.path.addWrong(placed.error().message);
        return audit;
    }
    auto report = askLens(lens, &DecisionAuditor::audit, 0, progress, std::move(stop));
    if (!report) {
        return Failure{report.error()};
    }
    audit.report = std::move(*report);
    audit.path = comparePath(stored, lens.lane().columns, lens.path(), audit.report.proven);
    return audit;
}

} // namespace lambdascope
