// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/question_card.h"

#include "ui/charts/chart_theme.h"
#include "ui/charts/figure_thumbnail.h"

#include <QEvent>
#include <QPainter>

namespace lambdascope {

namespace {

constexpr int kCardHeight = 94;
constexpr int kCardMargin = 6;

/// Names below bars in one row, as far as they have room there; where they have none, the bars alone.
QStringList shortNames(const QStringList& names) {
    constexpr qsizetype kLettersOfAll = 20;
    const qsizetype letters = names.isEmpty() ? 0 : kLettersOfAll / names.size();
    QStringList shortened;
    for (const QString& name : names) {
        shortened << (letters < 3              ? QStringLiteral(" ")
                      : name.size() <= letters ? name
                                               : name.left(letters - 1).trimmed() + QChar(0x2026));
    }
    return shortened;
}

/// Without what has no room in a small picture.
Figure withoutWords(Figure figure) {
    std::visit(
        [](auto& kind) {
            kind.title.clear();
            kind.x.title.clear();
            kind.x.unit.clear();
            kind.y.title.clear();
            kind.y.unit.clear();
            kind.x.names = shortNames(kind.x.names);
            if constexpr (requires { kind.marks; }) {
                kind.marks.clear();
            }
            if constexpr (requires { kind.valueTitle; }) {
                kind.valueTitle.clear();
            }
        },
        figure);
    return figure;
}

} // namespace

QuestionCard::QuestionCard(const QString& question, QWidget* parent) : QAbstractButton(parent) {
    setText(question);
    setAccessibleName(question);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // that of a button would not let it shrink
    setAttribute(Qt::WA_Hover);
}

void QuestionCard::setPicture(const Figure& figure) {
    Figure next = withoutWords(figure);
    if (next == m_figure) {
        return;
    }
    m_figure = std::move(next);
    repaintPicture();
}

void QuestionCard::setWords(const QString& words) {
    if (words != m_words) {
        m_words = words;
        update();
    }
}

void QuestionCard::setCompact(bool compact) {
    if (compact != m_isCompact) {
        m_isCompact = compact;
        updateGeometry();
        repaintPicture();
    }
}

QSize QuestionCard::sizeHint() const {
    return {180, m_isCompact ? fontMetrics().height() + 2 * kCardMargin : kCardHeight};
}

QSize QuestionCard::minimumSizeHint() const {
    return {72, sizeHint().height()};
}

QRect QuestionCard::pictureRect() const {
    return rect().adjusted(kCardMargin, fontMetrics().height() + kCardMargin, -kCardMargin, -kCardMargin + 2);
}

void QuestionCard::repaintPicture() {
    const QRect area = pictureRect();
    m_picture = hasPicture() && area.isValid() && !m_isCompact
                    ? figureThumbnail(m_figure, area.size(), devicePixelRatioF(), ChartTheme::fromPalette(palette()))
                    : QPixmap();
    update();
}

void QuestionCard::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    repaintPicture();
}

void QuestionCard::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange) {
        repaintPicture();
    }
}

void QuestionCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    painter.fillRect(rect(), theme.background);
    const bool isLit = isChecked() || underMouse();
    painter.setPen(QPen(isLit && isEnabled() ? theme.accent : theme.grid, isChecked() ? 2 : 1));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) { // of who goes through by keys
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(4, 4, -4, -4));
    }
    QFont bold = font();
    bold.setBold(isChecked());
    painter.setFont(bold);
    painter.setPen(isEnabled() ? theme.text : theme.mutedText);
    const int titleHeight = m_isCompact ? height() - 6 : fontMetrics().height() + 2;
    const QRect title(kCardMargin + 2, 3, width() - 2 * kCardMargin - 4, titleHeight);
    // Where "What is screened" has no room, "Screened" tells it.
    const QFontMetrics metrics(bold);
    QString words = text();
    if (metrics.horizontalAdvance(words) > title.width()) {
        words = words.section(QLatin1Char(' '), -1);
        words[0] = words[0].toUpper();
    }
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(words, Qt::ElideRight, title.width()));
    painter.setFont(font());
    if (m_isCompact) {
        return;
    }
    if (hasPicture()) {
        painter.drawPixmap(pictureRect().topLeft(), m_picture);
    } else {
        painter.setPen(theme.mutedText);
        painter.drawText(pictureRect(), Qt::AlignCenter | Qt::TextWordWrap, m_words);
    }
}

} // namespace lambdascope
