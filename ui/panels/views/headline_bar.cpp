// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/headline_bar.h"

#include "core/record/run_record.h"
#include "core/store/run_headline.h"
#include "ui/charts/elided_label.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/shown_runs.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kHeadlineFrame = 200; // ms between sentences while lanes compute
constexpr double kHeadlineScale = 1.2;
constexpr int kLeastForAbout = 700; // px of a window; in a lower one charts need the room

/// With numbers kept beside their unit or name at the end of a line.
QString unbroken(QString sentence) {
    const QChar space(QChar::Nbsp);
    return sentence.replace(QLatin1String(" %"), space + QLatin1String("%"))
        .replace(QStringLiteral(" ×"), space + QStringLiteral("×"))
        .replace(QStringLiteral(" = "), space + QStringLiteral("=") + space);
}

} // namespace

std::vector<RunId> newestShownBatch(const RunCollection& runs) {
    const std::vector<RunId> shown = runs.shownIds();
    if (shown.empty()) {
        return {};
    }
    const auto batchOf = [&runs](RunId id) { return runs.display(id).batch; };
    const int newest = batchOf(
        *std::max_element(shown.begin(), shown.end(), [&](RunId a, RunId b) { return batchOf(a) < batchOf(b); }));
    std::vector<RunId> lanes;
    std::copy_if(runs.ids().begin(), runs.ids().end(), std::back_inserter(lanes),
                 [&](RunId id) { return batchOf(id) == newest; });
    return lanes;
}

HeadlineBar::HeadlineBar(RunCollection& runs, RunLensSession& lens, QWidget* parent)
    : QFrame(parent), m_runs(runs), m_lens(lens) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    layout->addLayout(words, 1);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("headline"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_sentence->setContextMenuPolicy(Qt::NoContextMenu);
    m_sentence->setAccessibleName(tr("What the experiment has shown"));
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kHeadlineScale);
    m_sentence->setFont(large);
    m_remark = new QLabel(this);
    m_remark->setObjectName(QStringLiteral("form-remark"));
    m_remark->setWordWrap(true);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->hide();
    m_about = new HintLabel(this);
    m_about->setObjectName(QStringLiteral("about"));
    m_about->setAccessibleName(tr("What the experiment is for"));
    m_about->setEnabled(false);
    m_about->hide();
    words->addWidget(m_sentence);
    words->addWidget(m_about);
    words->addWidget(m_remark);
    m_verify = new QPushButton(tr("Verify all"), this);
    m_verify->setToolTip(tr("Check every decision of every lane against solutions of much higher accuracy"));
    m_verify->hide();
    layout->addWidget(m_verify, 0, Qt::AlignTop);
    connect(m_verify, &QPushButton::clicked, this, &HeadlineBar::verifyAll);

    m_rest.setSingleShot(true);
    m_rest.setInterval(kHeadlineFrame);
    connect(&m_rest, &QTimer::timeout, this, &HeadlineBar::refreshNow);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, [this] {
            if (!m_rest.isActive()) {
                m_rest.start();
            }
        });
    }
    connect(&lens, &RunLensSession::activityChanged, this, &HeadlineBar::refreshVerify);
    refreshNow();
}

void HeadlineBar::refreshNow() {
    std::vector<HeadlineLane> lanes;
    for (const RunId id : newestShownBatch(m_runs)) {
        const auto& audit = m_runs.display(id).audit;
        lanes.push_back({m_runs.record(id), runLabel(m_runs, id).toStdString(), audit ? &*audit : nullptr});
    }
    const QString words = QString::fromStdString(headlineOf(lanes));
    m_sentence->setText(words.isEmpty() ? tr("What an experiment shows is said here. Press F5.") : unbroken(words));
    m_sentence->setEnabled(!words.isEmpty());
    const Json* experiment = lanes.empty() ? nullptr : &lanes.front().record->start().experiment;
    m_about->setText(experiment != nullptr && experiment->isObject()
                         ? QString::fromStdString(experiment->value("description", std::string())).simplified()
                         : QString());
    m_about->setToolTip(m_about->text());
    refreshAbout();
    refreshVerify();
}

void HeadlineBar::refreshAbout() {
    m_about->setVisible(!m_about->text().isEmpty() && window()->height() >= kLeastForAbout);
}

void HeadlineBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    refreshAbout();
}

QString HeadlineBar::sentence() const {
    return m_sentence->isEnabled() ? m_sentence->text().replace(QChar::Nbsp, QLatin1Char(' ')) : QString();
}

QString HeadlineBar::caption() const {
    const std::vector<RunId> lanes = newestShownBatch(m_runs);
    if (lanes.empty() || sentence().isEmpty()) {
        return {};
    }
    return tr("%1. %2").arg(QString::fromStdString(m_runs.record(lanes.front())->start().experimentName), sentence());
}

void HeadlineBar::setRemark(const QString& remark) {
    m_remark->setText(remark.isEmpty() ? QString() : QString::fromUtf8("⚠ ") + remark);
    m_remark->setVisible(!remark.isEmpty());
}

QString HeadlineBar::remark() const {
    return m_remark->text();
}

std::vector<RunId> HeadlineBar::unverified() const {
    std::vector<RunId> lanes;
    for (const RunId id : newestShownBatch(m_runs)) {
        if (!m_runs.display(id).audit && screens(*m_runs.record(id)) && m_lens.lookingObstacle(id).isEmpty()) {
            lanes.push_back(id);
        }
    }
    return lanes;
}

void HeadlineBar::refreshVerify() {
    const std::vector<RunId> lanes = unverified();
    const auto waiting = std::count_if(lanes.begin(), lanes.end(), [this](RunId id) { return m_lens.isAuditing(id); });
    m_verify->setVisible(!lanes.empty());
    m_verify->setEnabled(waiting < static_cast<std::ptrdiff_t>(lanes.size()));
    m_verify->setText(waiting > 0 ? tr("Verifying, %1 left").arg(waiting) : tr("Verify all"));
}

void HeadlineBar::verifyAll() {
    for (const RunId id : unverified()) {
        if (!m_lens.isAuditing(id)) {
            m_lens.audit(id);
        }
    }
    refreshVerify();
}

void HeadlineBar::copySentence() const {
    QApplication::clipboard()->setText(sentence());
}

void HeadlineBar::copyCaption() const {
    QApplication::clipboard()->setText(caption());
}

void HeadlineBar::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    connect(menu.addAction(tr("Copy sentence")), &QAction::triggered, this, &HeadlineBar::copySentence);
    connect(menu.addAction(tr("Copy as caption")), &QAction::triggered, this, &HeadlineBar::copyCaption);
    for (QAction* action : menu.actions()) {
        action->setEnabled(!sentence().isEmpty());
    }
    menu.exec(event->globalPos());
}

} // namespace lambdascope
