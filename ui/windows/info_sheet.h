// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QTextBrowser;

namespace lambdascope {

/// A page laid over the window: shortcuts, what the bounds mean, about. Esc, the close button or a click beside it
/// puts it away. Nothing waits for it.
class InfoSheet : public QWidget {
    Q_OBJECT

  public:
    explicit InfoSheet(QWidget* window);

    void open(const QString& title, const QString& html);
    void close();
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString plainText() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void place();

    QWidget* m_page;
    QLabel* m_title;
    QTextBrowser* m_text;
    QWidget* m_focusBefore = nullptr;
};

} // namespace lambdascope
