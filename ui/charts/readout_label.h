// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLayout>
#include <QResizeEvent>
#include <QStringList>

#include <algorithm>

namespace lambdascope {

/// A line of rich text that takes a second and a third one where it is too long, and says how many parts are left out
/// where that is not enough. It gives lines back only when it gets another width or has nothing to say, so that a chart
/// below it does not jump with the numbers.
class ReadoutLabel : public QLabel {
  public:
    explicit ReadoutLabel(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::RichText);
        setWordWrap(true);
        setAlignment(Qt::AlignLeft | Qt::AlignTop);
        setMinimumWidth(1);
        take(1);
    }

    /// Parts of rich text, no line ends within one.
    void say(const QStringList& parts) {
        if (parts != m_parts) {
            m_parts = parts;
            setToolTip(joined(parts.size()));
            fit(parts.isEmpty() ? 1 : m_lines);
        }
    }
    [[nodiscard]] QString whole() const { return joined(m_parts.size()); }
    [[nodiscard]] int lines() const { return m_lines; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        if (event->size().width() != event->oldSize().width()) {
            fit(1);
        }
    }

  private:
    static constexpr int kMostLines = 3;
    static constexpr int kEndless = 100000; // px; texts are not laid out as wide as widgets may be

    [[nodiscard]] QString joined(qsizetype count) const {
        return m_parts.mid(0, count).join(QStringLiteral(" &nbsp; ")) +
               (count < m_parts.size() ? QStringLiteral(" &nbsp; ") + tr("and %1 more").arg(m_parts.size() - count)
                                       : QString());
    }
    /// At least so many lines, with as many parts as go into the most.
    void fit(int least) {
        setMinimumHeight(0); // no text is told to be less high than that
        for (qsizetype count = m_parts.size(); count >= 0; --count) {
            setText(joined(count));
            // The signs may come from a font with taller lines than the label's.
            const int line = std::max(1, heightForWidth(kEndless));
            const int needed = text().isEmpty() ? 1 : (heightForWidth(width()) + line - 1) / line;
            if (needed <= kMostLines || count <= 1) {
                take(std::clamp(needed, least, kMostLines));
                return;
            }
        }
    }
    void take(int lines) {
        m_lines = lines;
        const int line = std::max(fontMetrics().height() + 2, text().isEmpty() ? 0 : heightForWidth(kEndless));
        const bool isNew = lines * line != maximumHeight();
        setFixedHeight(lines * line);
        if (isNew && parentWidget() != nullptr && parentWidget()->layout() != nullptr) {
            parentWidget()->layout()->activate(); // no picture in between shows half a line
        }
    }

    QStringList m_parts;
    int m_lines = 1;
};

} // namespace lambdascope
