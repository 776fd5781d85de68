// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/certificate_bar.h"

#include "core/record/run_record.h"
#include "ui/session/runs/safety.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <utility>

namespace lambdascope {

namespace {

/// Okabe–Ito bluish green, orange and vermillion; a sign says the same without colour.
struct Look {
    const char* sign;
    const char* colours;
};

Look lookOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Proven: return {"✓ ", "background: #00735a; color: white;"};
    case Verdict::NotProven: return {"? ", "background: #e69f00; color: black;"};
    case Verdict::Wrong: break;
    }
    return {"✗ ", "background: #b34a00; color: white;"};
}

} // namespace

CertificateBar::CertificateBar(RunCollection& runs, RunLensSession& lens, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_lens(lens) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_text = new QLabel(this);
    m_text->setWordWrap(true);
    m_text->setAccessibleName(tr("Safety certificate"));
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of the audit"));
    m_progress->setFormat(tr("auditing, %p %"));
    m_verify = new QPushButton(tr("Verify"), this);
    m_verify->setToolTip(tr("Computes the lane again, solves every point to a far smaller gap and checks every "
                            "decision against that solution. Runs in the background."));
    m_stop = new QPushButton(tr("Stop"), this);
    m_stop->setToolTip(tr("Stops the audit"));
    layout->addWidget(m_text, 1);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_verify);
    m_closest = new QPushButton(tr("Smallest slack"), this);
    m_closest->setToolTip(
        tr("Explains the decision with the smallest slack: the one that came closest to being wrong"));
    m_closest->setAccessibleName(tr("Explain the decision with the smallest slack"));
    layout->addWidget(m_stop);
    layout->addWidget(m_closest);
    m_certificate = new QPushButton(tr("Certificate…"), this);
    m_certificate->setToolTip(
        tr("Writes a certificate: what others need to prove every decision without this program"));
    layout->addWidget(m_certificate);
    for (QWidget* optional : std::initializer_list<QWidget*>{m_progress, m_verify, m_stop, m_closest, m_certificate}) {
        optional->hide();
    }
    connect(m_verify, &QPushButton::clicked, this, [this] {
        m_problem.clear();
        m_lens.audit(m_run);
    });
    connect(m_stop, &QPushButton::clicked, this, [this] { m_lens.cancelAudit(m_run); });
    connect(m_closest, &QPushButton::clicked, this, [this] {
        if (const auto& audit = m_runs.display(m_run).audit) {
            Q_EMIT closestRequested(m_run, audit->report.closestPoint, audit->report.closestItem);
        }
    });
    connect(m_certificate, &QPushButton::clicked, this, [this] { Q_EMIT certificateRequested(m_run); });
    connect(&lens, &RunLensSession::activityChanged, this, &CertificateBar::refresh);
    connect(&lens, &RunLensSession::failed, this, [this](RunId run, const QString& topic, const Error& error) {
        if (run == m_run && topic.isEmpty()) {
            m_problem = QString::fromStdString(error.message);
            refresh();
        }
    });
    connect(&runs, &RunCollection::runsUpdated, this, &CertificateBar::refresh);
    refresh();
}

void CertificateBar::setRun(RunId run) {
    if (run != m_run) {
        m_run = run;
        m_problem.clear();
    }
    refresh();
}

QString CertificateBar::text() const {
    return isHidden() || m_text->isHidden() ? QString() : m_text->text();
}

void CertificateBar::refresh() {
    const RunRecord* record = m_runs.record(m_run);
    const bool canAsk = m_lens.obstacle(m_run).isEmpty();
    setVisible(record != nullptr && canAsk);
    if (record == nullptr || !canAsk) {
        return;
    }
    const bool isAuditing = m_lens.isAuditing(m_run);
    const std::optional<LaneAudit>& audit = m_runs.display(m_run).audit;
    const bool hasScreening = safetyOf(*record, audit) != Safety::NothingDecided;
    const std::pair<QWidget*, bool> parts[] = {
        {m_progress, isAuditing},
        {m_stop, isAuditing},
        {m_text, !isAuditing},
        {m_verify, !isAuditing && !audit && hasScreening},
        {m_closest, !isAuditing && audit && hasScreening && audit->report.closestItem >= 0},
        {m_certificate, !isAuditing && hasScreening}};
    // First those that go: together with those that come they would widen the dock for good.
    for (const bool isShown : {false, true}) {
        for (const auto& [part, isWanted] : parts) {
            if (isWanted == isShown) {
                part->setVisible(isShown);
            }
        }
    }
    if (isAuditing) {
        const double share = m_lens.auditShare(m_run);
        m_progress->setRange(0, share < 0 ? 0 : 100);
        m_progress->setValue(share < 0 ? -1 : static_cast<int>(100 * share));
        return;
    }
    m_text->setStyleSheet({});
    m_text->setToolTip({});
    if (audit && hasScreening) {
        showAudit(*audit);
    } else if (!m_problem.isEmpty()) {
        m_text->setText(tr("Not verified: %1").arg(m_problem));
    } else {
        m_text->setText(hasScreening ? tr("Decisions not verified yet") : tr("No screening, nothing to verify"));
    }
}

void CertificateBar::showAudit(const LaneAudit& audit) {
    const Verdict verdict = judgementOf(audit).verdict;
    // An unsafe lane is never green: that its decisions are right was luck.
    const bool isLucky = verdict == Verdict::Proven && !audit.unsafeReason.empty();
    const Look look = lookOf(isLucky ? Verdict::NotProven : verdict);
    m_text->setText(QString::fromUtf8(isLucky ? "! " : look.sign) + QString::fromStdString(judgementText(audit)));
    m_text->setStyleSheet(QString::fromUtf8(look.colours) + QStringLiteral(" border-radius: 3px; padding: 3px 6px;"));
    m_text->setToolTip(auditDetails(audit));
}

} // namespace lambdascope
