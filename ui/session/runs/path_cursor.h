// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <limits>
#include <vector>

namespace lambdascope {

/// The place on the path that all views show: one path point, by index and axis value. While it follows, each newly
/// finished point takes it along; moving it by hand ends that. GUI thread only.
class PathCursor : public QObject {
    Q_OBJECT

  public:
    explicit PathCursor(QObject* parent = nullptr);

    [[nodiscard]] bool isSet() const { return m_index >= 0; }
    [[nodiscard]] int index() const { return m_index; } ///< of the path point; −1 when there is none
    [[nodiscard]] double value() const;                 ///< axis value; NaN when there is none
    [[nodiscard]] int count() const { return static_cast<int>(m_axis.size()); }
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }
    [[nodiscard]] const std::vector<double>& axis() const { return m_axis; }

    /// The axis values known so far, by point index (the longest path shown). Keeps index and follows if asked to:
    /// `followed` is the point that following means, the last one if negative.
    void setAxis(std::vector<double> values, int followed = -1);
    void moveTo(int index);         ///< clamped; by hand: ends following unless it is the one followed
    void moveToValue(double value); ///< the point whose axis value is nearest in ratio (in difference if not positive)
    void setFollowing(bool following);
    void clear();

  Q_SIGNALS:
    void moved(int index, double value);
    void axisChanged();
    void followingChanged(bool following);

  private:
    void place(int index);

    std::vector<double> m_axis;
    int m_index = -1;
    int m_followed = -1;
    double m_placedValue = std::numeric_limits<double>::quiet_NaN();
    bool m_isFollowing = true;
};

} // namespace lambdascope
