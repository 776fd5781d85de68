// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/command_palette.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr QSize kPaletteSize(520, 380);
constexpr int kTopMargin = 80; // below the top of the window

} // namespace

int paletteScore(const QString& words, const QString& title, const QString& help) {
    int score = 1;
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = title.indexOf(word, 0, Qt::CaseInsensitive);
        if (at == 0) {
            score += 100;
        } else if (at > 0) {
            score += title[at - 1].isLetterOrNumber() ? 10 : 50;
        } else if (help.contains(word, Qt::CaseInsensitive)) {
            score += 1;
        } else {
            return 0;
        }
    }
    return score;
}

CommandPalette::CommandPalette(QWidget* window)
    : QDialog(window, Qt::Popup), m_input(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setObjectName(QStringLiteral("command-palette"));
    setAccessibleName(tr("All commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(4);
    m_input->setPlaceholderText(tr("What do you want to do?"));
    m_input->setAccessibleName(tr("Words of a command"));
    m_input->setClearButtonEnabled(true);
    m_input->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setAlternatingRowColors(true);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    connect(m_input, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_input, &QLineEdit::returnPressed, this, &CommandPalette::act);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::act);
}

void CommandPalette::ask(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    m_input->clear();
    filter();
    const QSize room = parentWidget()->size();
    resize(kPaletteSize.boundedTo(room - QSize(40, 2 * kTopMargin)));
    move(parentWidget()->mapToGlobal(QPoint((room.width() - width()) / 2, kTopMargin)));
    show();
    m_input->setFocus();
}

void CommandPalette::filter() {
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (const int score = paletteScore(m_input->text(), m_entries[i].title, m_entries[i].help); score > 0) {
            scored.emplace_back(score, i);
        }
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_list->clear();
    m_found.clear();
    for (const auto& [score, i] : scored) {
        const Entry& entry = m_entries[i];
        auto* item = new QListWidgetItem(
            entry.keys.isEmpty() ? entry.title : QStringLiteral("%1   (%2)").arg(entry.title, entry.keys), m_list);
        item->setToolTip(entry.help);
        if (!entry.isEnabled) {
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        }
        m_found.push_back(i);
    }
    m_list->setCurrentRow(m_found.empty() ? -1 : 0);
}

QStringList CommandPalette::offered() const {
    QStringList titles;
    for (const std::size_t i : m_found) {
        titles << m_entries[i].title;
    }
    return titles;
}

void CommandPalette::act() {
    const int row = m_list->currentRow();
    if (row < 0 || row >= static_cast<int>(m_found.size())) {
        return;
    }
    const Entry entry = m_entries[m_found[static_cast<std::size_t>(row)]];
    if (entry.isEnabled) {
        close(); // first: what is done may open something itself
        entry.act();
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? 10
                         : key == Qt::Key_PageUp   ? -10
                                                   : 0;
        if (step != 0) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lambdascope
