// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/label_bar.h"

#include "ui/session/runs/library_edits.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

namespace lambdascope {

namespace {

QString tagsText(const LibraryExperiment& experiment) {
    QStringList words;
    for (const std::string& tag : experiment.tags) {
        words << QString::fromStdString(tag);
    }
    return words.join(' ');
}

/// Notes of the command line may have several lines; here they are one.
QString notesText(const LibraryExperiment& experiment) {
    return QString::fromStdString(experiment.notes).simplified();
}

} // namespace

LabelBar::LabelBar(QWidget* parent)
    : QWidget(parent), m_star(new QToolButton(this)), m_tags(new QLineEdit(this)), m_notes(new QLineEdit(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_star->setCheckable(true);
    m_star->setAutoRaise(true);
    m_star->setText(QStringLiteral("☆"));
    m_star->setAccessibleName(tr("Star"));
    m_star->setToolTip(tr("Starred runs are found by is:starred"));
    m_tags->setPlaceholderText(tr("tags"));
    m_tags->setAccessibleName(tr("Tags of the run"));
    m_tags->setToolTip(tr("Words by which the run is found, with blanks between them: tag:paper"));
    m_notes->setPlaceholderText(tr("notes"));
    m_notes->setAccessibleName(tr("Notes on the run"));
    m_notes->setToolTip(tr("What you want to remember of the run"));
    layout->addWidget(m_star);
    layout->addWidget(m_tags, 2);
    layout->addWidget(m_notes, 3);
    connect(m_star, &QToolButton::toggled, this,
            [this](bool on) { m_star->setText(on ? QStringLiteral("★") : QStringLiteral("☆")); });
    connect(m_star, &QToolButton::clicked, this, [this](bool on) {
        if (m_edits != nullptr && m_experiment) {
            const LibraryExperiment before = *m_experiment; // an edit that fails has the library read again at once
            m_experiment->isStarred = on;
            m_edits->setStarred(before, on);
        }
    });
    connect(m_tags, &QLineEdit::editingFinished, this, &LabelBar::takeTags);
    connect(m_notes, &QLineEdit::editingFinished, this, &LabelBar::takeNotes);
    setVisible(false);
}

void LabelBar::setExperiment(const LibraryExperiment* experiment) {
    const bool isSame = experiment != nullptr && m_experiment && m_experiment->id == experiment->id;
    if (!isSame) { // the user may have left a field by a click on another run
        takeTags();
        takeNotes();
    }
    m_experiment = experiment == nullptr ? std::nullopt : std::optional(*experiment);
    setVisible(m_experiment && m_edits != nullptr);
    if (!m_experiment) {
        return;
    }
    m_star->setChecked(m_experiment->isStarred);
    const auto fill = [&](QLineEdit* field, const QString& text) {
        if (!isSame || !field->hasFocus() || !field->isModified()) {
            field->setText(text);
            field->setModified(false);
        }
    };
    fill(m_tags, tagsText(*m_experiment));
    fill(m_notes, notesText(*m_experiment));
}

void LabelBar::takeTags() {
    if (m_edits != nullptr && m_experiment && m_tags->isModified()) {
        m_tags->setModified(false);
        static const QRegularExpression separators(QStringLiteral("[\\s,]+"));
        const QStringList tags = m_tags->text().split(separators, Qt::SkipEmptyParts);
        const LibraryExperiment before = *m_experiment;
        m_experiment->tags.clear();
        for (const QString& tag : tags) {
            m_experiment->tags.push_back(tag.toStdString());
        }
        m_edits->setTags(before, tags);
    }
}

void LabelBar::takeNotes() {
    if (m_edits != nullptr && m_experiment && m_notes->isModified()) {
        m_notes->setModified(false);
        const LibraryExperiment before = *m_experiment;
        m_experiment->notes = m_notes->text().toStdString();
        m_edits->setNotes(before, m_notes->text());
    }
}

} // namespace lambdascope
