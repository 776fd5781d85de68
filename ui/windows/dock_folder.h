// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

class QDockWidget;
class QMainWindow;

namespace lambdascope {

/// Keeps room for the charts of a narrow window: there the docks of one side are shown at a time, and showing one of
/// the other side folds them. What was folded comes back when the window grows wide again.
class DockFolder : public QObject {
    Q_OBJECT

  public:
    /// Below this width, in logical pixels, docks of both sides leave too little for a chart.
    static constexpr int kNarrow = 1100;

    /// `left` and `right`: the docks of the two sides, all docks of the window.
    DockFolder(QMainWindow& window, std::vector<QDockWidget*> left, std::vector<QDockWidget*> right);

    [[nodiscard]] bool isNarrow() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void follow(bool isLeft);
    void settle();

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_left;
    std::vector<QDockWidget*> m_right;
    std::vector<QDockWidget*> m_folded; ///< by this object, and not touched since
    bool m_isLeftPreferred = true;      ///< the side that was shown last
    bool m_isSettling = false;
};

} // namespace lambdascope
