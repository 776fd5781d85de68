// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QStyle>

namespace lambdascope {

/// Text on one line, or on two where one is too short; ends in "…" where room ends.
class ElidedLabel : public QFrame {
  public:
    explicit ElidedLabel(QWidget* parent) : QFrame(parent) {
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    void setText(const QString& text) {
        if (text != m_text) {
            m_text = text;
            updateGeometry();
            update();
        }
    }
    [[nodiscard]] int heightForWidth(int width) const override {
        return fontMetrics().height() * (fits(width) ? 1 : 2) + 2;
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::Text));
        constexpr int flags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;
        const bool isWhole = fits(width()) || rect().contains(fontMetrics().boundingRect(rect(), flags, m_text));
        // Two lines lose a word's length at the break.
        const int room = height() < 2 * fontMetrics().height() ? width() : width() * 7 / 4;
        painter.drawText(rect(), flags, isWhole ? m_text : fontMetrics().elidedText(m_text, Qt::ElideRight, room));
    }

  private:
    [[nodiscard]] bool fits(int width) const { return fontMetrics().horizontalAdvance(m_text) <= width; }

    QString m_text;
};

/// Plain words on one line that take the room there is and end in "…" where it ends.
class HintLabel : public QLabel {
  public:
    explicit HintLabel(QWidget* parent) : HintLabel({}, parent) {}
    HintLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
        setTextFormat(Qt::PlainText);
        setMinimumWidth(1);
    }
    /// As drawn.
    [[nodiscard]] QString shownText() const {
        return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              palette(), isEnabled(), shownText(), foregroundRole());
    }
};

} // namespace lambdascope
