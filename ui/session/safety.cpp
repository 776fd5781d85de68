// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/safety.h"

#include "core/common/number_text.h"

#include <QObject>

#include <algorithm>

namespace lambdascope {

namespace {

bool isMarkedUnsafe(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    const Json& facts = record.start().facts;
    return (audit && !audit->unsafeReason.empty()) || (facts.is_object() && facts.value("unsafe", false));
}

} // namespace

Safety safetyOf(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    const bool screens = std::any_of(record.points().begin(), record.points().end(),
                                     [](const PointRecord& point) { return !point.screenings.empty(); });
    if (!screens) {
        return Safety::NothingDecided;
    }
    if (audit && !audit->isGood()) {
        return Safety::Wrong;
    }
    if (isMarkedUnsafe(record, audit)) {
        return Safety::Unsafe;
    }
    return audit ? Safety::Verified : Safety::Unverified;
}

QString safetyText(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    switch (safetyOf(record, audit)) {
    case Safety::NothingDecided: return QObject::tr("no screening");
    case Safety::Unverified: return QObject::tr("not verified");
    case Safety::Unsafe: return audit ? QObject::tr("! unsafe, 0 wrong") : QObject::tr("! unsafe");
    case Safety::Verified: return QObject::tr("✓ 0 wrong");
    case Safety::Wrong: break;
    }
    return audit->report.wrong > 0
               ? QObject::tr("✗ %1 wrong").arg(QString::fromStdString(groupedText(audit->report.wrong)))
               : QObject::tr("✗ path differs");
}

QString auditDetails(const LaneAudit& audit) {
    const AuditReport& report = audit.report;
    QString details = QString::fromStdString(auditText(report)) + QLatin1Char('\n') +
                      QObject::tr("%1 points solved again to a relative gap of %2 or less, in %3.")
                          .arg(report.points)
                          .arg(QString::fromStdString(shortText(report.largestGap, 2)),
                               QString::fromStdString(durationText(report.seconds)));
    if (!audit.unsafeReason.empty()) {
        details += QLatin1Char('\n') + QObject::tr("Unsafe: %1").arg(QString::fromStdString(audit.unsafeReason));
    }
    for (const auto* examples : {&report.examples, &audit.path.examples}) {
        for (const std::string& example : *examples) {
            details += QLatin1Char('\n') + QString::fromStdString(example);
        }
    }
    return details;
}

} // namespace lambdascope
