// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/path_cursor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

PathCursor::PathCursor(QObject* parent) : QObject(parent) {}

double PathCursor::value() const {
    return isSet() ? m_axis[static_cast<std::size_t>(m_index)] : std::numeric_limits<double>::quiet_NaN();
}

void PathCursor::setAxis(std::vector<double> values, int followed) {
    const int last = static_cast<int>(values.size()) - 1;
    const bool isNew = values != m_axis;
    m_followed = followed < 0 ? last : std::min(followed, last);
    if (isNew) {
        m_axis = std::move(values);
        m_index = std::min(m_index, last); // index and axis fit together in whoever hears of the new axis
        Q_EMIT axisChanged();
    }
    place(m_isFollowing || m_index < 0 ? m_followed : m_index);
}

void PathCursor::moveTo(int index) {
    if (m_axis.empty()) {
        return;
    }
    const int target = std::clamp(index, 0, count() - 1);
    if (target != m_followed) {
        setFollowing(false);
    }
    place(target);
}

void PathCursor::moveToValue(double value) {
    if (m_axis.empty() || !std::isfinite(value)) {
        return;
    }
    const bool byRatio = value > 0 && std::all_of(m_axis.begin(), m_axis.end(), [](double v) { return v > 0; });
    const auto distance = [&](double v) { return byRatio ? std::abs(std::log(v / value)) : std::abs(v - value); };
    const auto nearest =
        std::min_element(m_axis.begin(), m_axis.end(), [&](double a, double b) { return distance(a) < distance(b); });
    moveTo(static_cast<int>(nearest - m_axis.begin()));
}

void PathCursor::setFollowing(bool following) {
    if (m_isFollowing == following) {
        return;
    }
    m_isFollowing = following;
    Q_EMIT followingChanged(following);
    if (following) {
        place(m_followed);
    }
}

void PathCursor::clear() {
    setAxis({});
    setFollowing(true);
}

void PathCursor::place(int index) {
    const double before = m_placedValue;
    m_placedValue = index >= 0 ? m_axis[static_cast<std::size_t>(index)] : std::numeric_limits<double>::quiet_NaN();
    const bool sameValue = before == m_placedValue || (std::isnan(before) && std::isnan(m_placedValue));
    if (m_index == index && sameValue) {
        return;
    }
    m_index = index;
    Q_EMIT moved(m_index, m_placedValue);
}

} // namespace lambdascope
