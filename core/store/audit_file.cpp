// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/audit_file.h"

#include "core/common/text_file.h"
#include "core/config/json_text.h"
#include "core/store/append_file.h"
#include "core/store/machine_facts.h"
#include "core/store/run_folder_layout.h"

namespace lambdascope {

namespace {

constexpr std::size_t kAuditBytes = std::size_t{32} << 20U;

} // namespace

Json auditToJson(const LaneAudit& audit) {
    const AuditReport& report = audit.report;
    Json json = Json::object();
    json["lane"] = audit.lane;
    const Judgement judgement = judgementOf(audit);
    json["verdict"] = verdictName(judgement.verdict);
    json["reasons"] = judgement.reasons;
    json["unsafe_reason"] = audit.unsafeReason;
    json["decisions"] = report.decisions;
    json["wrong"] = report.wrong;
    json["undecided"] = report.undecided;
    json["smallest_slack"] = report.smallestSlack;
    json["closest_item"] = report.closestItem;
    json["closest_point"] = report.closestPoint;
    json["points"] = report.points;
    json["largest_relative_gap"] = report.largestGap;
    json["largest_gap_point"] = report.largestGapPoint;
    json["promised_gap"] = report.promisedGap;
    json["loose_points"] = report.loosePoints;
    json["seconds"] = report.seconds;
    json["wrong_examples"] = report.examples;
    json["path_points"] = audit.path.points;
    json["path_wrong"] = audit.path.wrong;
    json["path_wrong_examples"] = audit.path.wrongExamples;
    json["path_unproven"] = audit.path.unproven;
    json["path_unproven_reason"] = audit.path.unprovenReason;
    json["path_differences"] = audit.path.differences;
    json["path_examples"] = audit.path.examples;
    return json;
}

namespace {

/// What audits say since they have three verdicts, or what follows from the numbers of an earlier one.
void readVerdictsOf(const Json& json, LaneAudit& audit) {
    AuditReport& report = audit.report;
    PathCheck& path = audit.path;
    report.largestGapPoint = json.value("largest_gap_point", std::int32_t{-1});
    report.promisedGap = json.value("promised_gap", report.promisedGap);
    report.loosePoints = json.value("loose_points", std::int32_t{report.largestGap > report.promisedGap ? 1 : 0});
    if (json.contains("path_wrong")) {
        path.wrong = json.at("path_wrong").get<std::int64_t>();
        path.wrongExamples = json.at("path_wrong_examples").get<std::vector<std::string>>();
        path.unproven = json.at("path_unproven").get<std::int32_t>();
        path.unprovenReason = json.at("path_unproven_reason").get<std::string>();
    } else if (path.differences > 0) {
        path.unproven = path.points;
        path.unprovenReason =
            "values differ from those computed again, by an earlier version that compared last bits only";
    }
}

} // namespace

std::optional<LaneAudit> auditFromJson(const Json& json) {
    if (!json.isObject()) {
        return std::nullopt;
    }
    try {
        LaneAudit audit;
        audit.lane = json.at("lane").get<std::string>();
        audit.unsafeReason = json.at("unsafe_reason").get<std::string>();
        audit.report.decisions = json.at("decisions").get<std::int64_t>();
        audit.report.wrong = json.at("wrong").get<std::int64_t>();
        audit.report.undecided = json.at("undecided").get<std::int64_t>();
        audit.report.smallestSlack = json.at("smallest_slack").get<double>();
        audit.report.closestItem = json.value("closest_item", std::int64_t{-1}); // earlier versions had none
        audit.report.closestPoint = json.value("closest_point", std::int32_t{-1});
        audit.report.points = json.at("points").get<std::int32_t>();
        audit.report.largestGap = json.at("largest_relative_gap").get<double>();
        audit.report.seconds = json.at("seconds").get<double>();
        audit.report.examples = json.at("wrong_examples").get<std::vector<std::string>>();
        audit.path.points = json.at("path_points").get<std::int32_t>();
        audit.path.differences = json.at("path_differences").get<std::int64_t>();
        audit.path.examples = json.at("path_examples").get<std::vector<std::string>>();
        readVerdictsOf(json, audit);
        return audit;
    } catch (const JsonError&) {
        return std::nullopt;
    }
}

Result<void> writeAudit(const std::filesystem::path& folder, const LaneAudit& audit, const std::string& version) {
    Json json = auditToJson(audit);
    json["version"] = version;
    json["audited_at"] = utcNow();
    return writeFileAtomically(folder / audit.lane / layout::kAudit, json.dump(2) + '\n');
}

std::optional<LaneAudit> readAudit(const std::filesystem::path& folder, const std::string& lane) {
    const std::filesystem::path file = folder / lane / layout::kAudit;
    const auto text = readTextFile(file, kAuditBytes, "an audit");
    const Result<Json> json = text ? parseOwnJson(*text, {file.string(), 1, 0}) : Failure{text.error()};
    return json ? auditFromJson(*json) : std::nullopt;
}

} // namespace lambdascope
