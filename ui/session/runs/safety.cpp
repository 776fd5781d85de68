// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/safety.h"

#include "core/common/number_text.h"

#include <QObject>

namespace lambdascope {

namespace {

bool isMarkedUnsafe(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    const Json& facts = record.start().facts;
    return (audit && !audit->unsafeReason.empty()) || (facts.isObject() && facts.value("unsafe", false));
}

} // namespace

Safety safetyOf(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    const Verdict verdict = audit ? judgementOf(*audit).verdict : Verdict::Proven;
    if (verdict != Verdict::Proven) {
        return verdict == Verdict::Wrong ? Safety::Wrong : Safety::NotProven;
    }
    if (!screens(record)) {
        return Safety::NothingDecided;
    }
    if (isMarkedUnsafe(record, audit)) {
        return Safety::Unsafe;
    }
    return audit ? Safety::Proven : Safety::Unverified;
}

QString safetyText(const RunRecord& record, const std::optional<LaneAudit>& audit) {
    const bool isUnsafe = isMarkedUnsafe(record, audit);
    switch (safetyOf(record, audit)) {
    case Safety::NothingDecided: return QObject::tr("no screening");
    case Safety::Unverified: return QObject::tr("not verified");
    case Safety::Unsafe: return audit ? QObject::tr("! unsafe, proven") : QObject::tr("! unsafe");
    case Safety::Proven: return QObject::tr("✓ proven");
    case Safety::NotProven: return isUnsafe ? QObject::tr("? unsafe, not proven") : QObject::tr("? not proven");
    case Safety::Wrong: break;
    }
    const std::int64_t decisions = audit->report.wrong;
    const QString count = decisions > 0 ? QString::fromStdString(groupedText(decisions)) + QLatin1Char(' ') : QString();
    return isUnsafe ? QObject::tr("✗ unsafe, %1wrong").arg(count) : QObject::tr("✗ %1wrong").arg(count);
}

QString auditDetails(const LaneAudit& audit) {
    const AuditReport& report = audit.report;
    const Judgement judgement = judgementOf(audit);
    QString details = QString::fromUtf8(verdictName(judgement.verdict).data());
    for (const std::string& reason : judgement.reasons) {
        details += QLatin1Char('\n') + QString::fromStdString(reason);
    }
    details += QLatin1Char('\n') + QString::fromStdString(auditText(report)) + QLatin1Char('\n') +
               QObject::tr("%1 points solved again to a relative gap of %2 or less, in %3.")
                   .arg(report.points)
                   .arg(QString::fromStdString(shortText(report.largestGap, 2)),
                        QString::fromStdString(durationText(report.seconds)));
    if (!audit.unsafeReason.empty()) {
        details += QLatin1Char('\n') + QObject::tr("Unsafe: %1").arg(QString::fromStdString(audit.unsafeReason));
    }
    for (const auto* examples : {&report.examples, &audit.path.wrongExamples}) {
        for (const std::string& example : *examples) {
            details += QLatin1Char('\n') + QString::fromStdString(example);
        }
    }
    return details;
}

} // namespace lambdascope
