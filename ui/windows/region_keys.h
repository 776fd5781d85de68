// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QWidget;

namespace lambdascope {

/// The parts of a window that F6 goes through, in reading order. A part is entered at the widget that had the focus in
/// it last, else at the first one that takes it; parts that cannot be seen are left out.
class RegionKeys : public QObject {
    Q_OBJECT

  public:
    using Region = std::function<QWidget*()>; ///< the part as it is now; null when there is none
    RegionKeys(QWidget* window, std::vector<Region> regions);

    /// To the next part, or the one before for −1, round and round.
    void step(int by);
    /// The part that has the focus; −1 for none.
    [[nodiscard]] int current() const;

  private:
    [[nodiscard]] QWidget* regionAt(int index) const;
    static QWidget* firstOf(QWidget& region);

    QWidget* m_window;
    std::vector<Region> m_regions;
};

} // namespace lambdascope
