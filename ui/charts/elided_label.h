// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QStyle>

#include <algorithm>

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

    /// As drawn: as many letters as the lines have room for.
    [[nodiscard]] QString shownText() const {
        const auto hasRoom = [this](const QString& words) {
            return fontMetrics().boundingRect(rect(), kFlags, words).height() <= height();
        };
        if (fits(width()) || hasRoom(m_text)) {
            return m_text;
        }
        // Lines lose up to a word's length at their breaks.
        const int lines = std::max(1, height() / fontMetrics().height());
        for (int room = lines * width(); room > width(); room -= width() / 8 + 1) {
            if (QString words = fontMetrics().elidedText(m_text, Qt::ElideRight, room); hasRoom(words)) {
                return words;
            }
        }
        return fontMetrics().elidedText(m_text, Qt::ElideRight, width());
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(rect(), kFlags, shownText());
    }

  private:
    static constexpr int kFlags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;

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
