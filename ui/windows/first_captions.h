// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QRect>
#include <QString>
#include <QTimer>

#include <vector>

class QLabel;
class QWidget;

namespace lambdascope {

/// Captions that point at parts of the window while the first example computes, once in a user's life. Whatever
/// somebody clicks or turns the wheel on, or Esc, takes all away: who works with the window needs them no longer. Once
/// the example has ended they go by themselves, after time enough to read them: they stand over what it shows.
class FirstCaptions : public QObject {
    Q_OBJECT

  public:
    struct Caption {
        QWidget* target = nullptr;
        QString words;
        bool isAbove = false; ///< the caption stands above its target, else below
        double place = 0;     ///< along its target: 0 at the left end, 1 at the right; another where a chooser is
        int distance = 6;     ///< px to the target, over what must stay readable
    };
    FirstCaptions(QWidget* window, std::vector<Caption> captions);

    /// Shows them, unless they were shown before, by this program or an earlier one.
    void showOnce();
    /// The example has ended: when they can have been read, the captions go.
    void closeWhenRead();
    void setReadingTime(int milliseconds) { m_farewell.setInterval(milliseconds); }
    void close();
    [[nodiscard]] bool areShown() const { return !m_labels.empty(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void place();
    [[nodiscard]] QPoint freePlace(QPoint wanted, std::size_t caption) const;
    [[nodiscard]] std::vector<QRect> placesTaken(std::size_t caption) const;

    QWidget* m_window;
    std::vector<Caption> m_captions;
    std::vector<QPointer<QLabel>> m_labels; ///< aligned with the captions while they are shown
    QTimer m_farewell;
};

} // namespace lambdascope
