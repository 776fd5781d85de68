// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QResizeEvent>

#include <algorithm>

namespace lambdascope {

/// A line of rich text that takes a second one where it is too long. It gives that back only when it gets another width
/// or has nothing to say, so that a chart below it does not jump with the numbers.
class ReadoutLabel : public QLabel {
  public:
    explicit ReadoutLabel(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::RichText);
        setWordWrap(true);
        setAlignment(Qt::AlignLeft | Qt::AlignTop);
        setMinimumWidth(1);
        fit(1);
    }

    void say(const QString& richText) {
        if (richText != text()) {
            setText(richText);
            setToolTip(richText);
            fit(richText.isEmpty() ? 1 : std::max(m_lines, needed()));
        }
    }
    [[nodiscard]] int lines() const { return m_lines; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        if (event->size().width() != event->oldSize().width()) {
            fit(needed());
        }
    }

  private:
    [[nodiscard]] int needed() const {
        // The signs may come from a font with taller lines than the label's.
        return !text().isEmpty() && heightForWidth(width()) > heightForWidth(QWIDGETSIZE_MAX) ? 2 : 1;
    }
    void fit(int lines) {
        m_lines = lines;
        setFixedHeight(lines * (fontMetrics().height() + 2));
    }

    int m_lines = 1;
};

} // namespace lambdascope
