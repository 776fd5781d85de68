// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/status_line.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"
#include "ui/charts/elided_label.h"
#include "ui/windows/workbench.h"

#include <unistd.h>

#include <QFile>
#include <QLabel>
#include <QStatusBar>

namespace lambdascope {

namespace {

constexpr int kRefreshInterval = 500; // ms

QString idleText(const Workbench&) {
    return StatusLine::tr("Ready");
}

} // namespace

double residentBytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QList<QByteArray> fields = file.readAll().split(' ');
    return fields.size() > 1 ? fields[1].toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

StatusLine::StatusLine(Workbench& workbench, QStatusBar* bar) : QObject(bar), m_workbench(workbench) {
    const auto addLabel = [bar](const QString& name, int stretch) {
        auto* label = stretch > 0 ? new HintLabel(bar) : new QLabel(bar); // a long activity must not widen the window
        label->setAccessibleName(name);
        if (stretch > 0) {
            bar->addWidget(label, stretch);
        } else {
            bar->addPermanentWidget(label);
        }
        return label;
    };
    m_activity = addLabel(tr("Activity"), 1);
    m_gap = addLabel(tr("Distance from the optimum"), 0);
    m_memory = addLabel(tr("Memory"), 0);
    m_cost = addLabel(tr("Cost of the live view"), 0);
    m_cost->setToolTip(tr("CPU time of drawing as a share of one processor, since the run began. The CPU times of "
                          "lanes come from their own thread and do not contain it."));

    RunController& controller = workbench.controller();
    connect(&controller, &RunController::progressChanged, this,
            [this](double, const QString& text, double) { refreshActivity(text); });
    connect(&controller, &RunController::stateChanged, this, [this](RunState state) {
        switch (state) {
        case RunState::Idle:
            refreshActivity(idleText(m_workbench));
            m_timer.stop();
            refreshNumbers();
            break;
        case RunState::Preparing:
            refreshActivity(tr("Preparing %1 …").arg(m_workbench.controller().currentName()));
            m_timer.start();
            break;
        case RunState::Paused:
            refreshActivity(tr("Paused: %1. Press F7 to go on.").arg(m_workbench.controller().currentName()));
            break;
        case RunState::Stopping: refreshActivity(tr("Stopping …")); break;
        case RunState::Running: m_timer.start(); break;
        }
    });
    m_timer.setInterval(kRefreshInterval);
    connect(&m_timer, &QTimer::timeout, this, &StatusLine::refreshNumbers);
    refreshActivity(idleText(workbench));
    refreshNumbers();
}

void StatusLine::refreshActivity(const QString& activity) {
    m_activity->setText(activity);
    m_activity->setToolTip(activity);
}

void StatusLine::refreshNumbers() {
    QString gap;
    for (const RunId id : m_workbench.runs().ids()) {
        const RunRecord* record = m_workbench.runs().record(id);
        if (record->currentPoint() == nullptr || record->hasEnded()) {
            continue;
        }
        if (const auto last = record->lastIteration()) {
            const auto kind = optimalityKindName(last->optimality.kind);
            gap = tr("%1 %2").arg(QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
                                  QString::fromStdString(shortText(last->optimality.value, 2)));
        }
    }
    m_gap->setText(gap);
    m_memory->setText(QString::fromStdString(byteText(residentBytes())));
    const RunEventBridge::Cost cost = m_workbench.bridge().cost();
    const bool isIdle = m_workbench.controller().state() == RunState::Idle; // then nothing is drawn live
    m_cost->setText(cost.drains == 0 || isIdle ? QString()
                                               : tr("live view %1 % CPU").arg(100 * cost.share(), 0, 'f', 1));
}

QString StatusLine::text() const {
    return QStringList{m_activity->text(), m_gap->text(), m_memory->text(), m_cost->text()}.join(QStringLiteral(" · "));
}

} // namespace lambdascope
