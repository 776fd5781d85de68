// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/study/study_panel.h"

#include "ui/session/count_text.h"
#include "ui/session/study/slurm_watch.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kRestBeforeChecking = 250; // ms after the last letter
constexpr int kMostSeeds = 1000;
constexpr std::size_t kFaultsTold = 6;

} // namespace

StudyPanel::StudyPanel(StudyDraft& draft, QWidget* parent)
    : QWidget(parent), m_draft(draft), m_hint(new QLabel(this)), m_axesHost(new QWidget(this)),
      m_axes(new QVBoxLayout(m_axesHost)), m_seeds(new QSpinBox(this)), m_summary(new QLabel(this)),
      m_run(new QPushButton(tr("Run study"), this)), m_slurm(new QCheckBox(tr("on Slurm"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    m_hint->setWordWrap(true);
    m_hint->setText(tr("A study computes the experiment for every combination of some values. Right-click a field of "
                       "the form and choose Vary… to give it several."));
    m_axes->setContentsMargins(0, 0, 0, 0);
    m_axes->setSpacing(4);
    m_seeds->setRange(1, kMostSeeds);
    m_seeds->setValue(draft.seeds());
    m_seeds->setAccessibleName(tr("Seeds"));
    m_seeds->setToolTip(tr("So many times each, with other random numbers. Tables have means and 95 % intervals."));
    auto* seeds = new QHBoxLayout;
    auto* label = new QLabel(tr("Seeds"), this);
    label->setBuddy(m_seeds);
    seeds->addWidget(label);
    seeds->addWidget(m_seeds);
    seeds->addStretch(1);
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    auto* open = new QPushButton(tr("Open study…"), this);
    auto* buttons = new QHBoxLayout;
    m_slurm->setToolTip(tr("Submits the cells as a job array; the queue shows the states of its tasks"));
    m_slurm->setVisible(hasSlurm());
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_slurm);
    buttons->addWidget(open);
    layout->addWidget(m_hint);
    layout->addWidget(m_axesHost);
    layout->addLayout(seeds);
    layout->addWidget(m_summary);
    layout->addLayout(buttons);
    layout->addStretch(1);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestBeforeChecking);
    connect(&m_rest, &QTimer::timeout, this, &StudyPanel::check);
    connect(m_seeds, &QSpinBox::valueChanged, &draft, &StudyDraft::setSeeds);
    connect(&draft, &StudyDraft::axesChanged, this, &StudyPanel::rebuildAxes);
    connect(&draft, &StudyDraft::changed, &m_rest, qOverload<>(&QTimer::start));
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (auto study = m_draft.study()) {
            Q_EMIT runRequested(*study, m_slurm->isChecked());
        } else {
            check();
        }
    });
    connect(open, &QPushButton::clicked, this, &StudyPanel::openRequested);
    rebuildAxes();
    check();
}

void StudyPanel::rebuildAxes() {
    while (QLayoutItem* item = m_axes->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const std::size_t before = m_values.size();
    m_values.clear();
    for (std::size_t i = 0; i < m_draft.axes().size(); ++i) {
        const StudyDraft::Axis& axis = m_draft.axes()[i];
        auto* row = new QWidget(m_axesHost);
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(1);
        auto* values = new QLineEdit(axis.text, row);
        values->setPlaceholderText(tr("values: 3, 5, 10 or 2..20"));
        values->setAccessibleName(tr("Values of %1").arg(axis.field));
        values->setToolTip(tr("Values with commas between them; 2..20 stands for all whole numbers from 2 to 20"));
        auto* label = new QLabel(axis.field, row);
        label->setBuddy(values);
        auto* remove = new QToolButton(row);
        remove->setText(QStringLiteral("✕"));
        remove->setAutoRaise(true);
        remove->setAccessibleName(tr("Vary %1 no more").arg(axis.field));
        remove->setToolTip(tr("Takes the value of the form again"));
        grid->addWidget(label, 0, 0, 1, 2);
        grid->addWidget(values, 1, 0);
        grid->addWidget(remove, 1, 1);
        connect(values, &QLineEdit::textChanged, this, [this, i](const QString& text) { m_draft.setText(i, text); });
        connect(
            remove, &QToolButton::clicked, this, [this, i] { m_draft.remove(i); }, Qt::QueuedConnection);
        m_axes->addWidget(row);
        m_values.push_back(values);
    }
    if (m_values.size() > before) {
        m_values.back()->setFocus();
        m_values.back()->selectAll();
    }
    m_rest.start();
}

QLineEdit* StudyPanel::valuesOf(const QString& field) const {
    const auto& axes = m_draft.axes();
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const StudyDraft::Axis& axis) { return axis.field == field; });
    return found == axes.end() ? nullptr : m_values.at(static_cast<std::size_t>(found - axes.begin()));
}

void StudyPanel::check() {
    m_rest.stop();
    m_isSound = false;
    if (m_draft.isEmpty()) {
        m_summary->setText(QString());
    } else if (const auto count = m_draft.cellCount()) {
        m_isSound = true;
        m_summary->setText(countText(static_cast<int>(*count), tr("cell"), tr("cells")));
    } else {
        QStringList lines;
        for (const Fault& fault : count.error().faults) {
            if (lines.size() < static_cast<qsizetype>(kFaultsTold)) {
                lines << QString::fromStdString(fault.text());
            }
        }
        m_summary->setText(lines.isEmpty() ? QString::fromStdString(count.error().message) : lines.join('\n'));
    }
    m_run->setEnabled(m_isSound && !m_isBusy);
    m_run->setToolTip(m_isBusy     ? tr("Another study computes; stop it in the queue, or wait")
                      : !m_isSound ? tr("Give a field several values first")
                                   : QString());
}

QString StudyPanel::summary() {
    check();
    return m_summary->text();
}

void StudyPanel::setBusy(bool busy) {
    m_isBusy = busy;
    m_run->setEnabled(m_isSound && !m_isBusy);
}

} // namespace lambdascope
