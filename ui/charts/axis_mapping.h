// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <QString>
#include <QVector>

#include <cmath>

namespace lambdascope {

/// Values to axis coordinates (the value itself, or log10 of it) and on to fractions of the axis length: 0 at the
/// left or bottom end, 1 at the other. Ranges and zooming work in axis coordinates, so a log axis is nothing special
/// and a value that has no logarithm can be clamped in one place.
class AxisMapping {
  public:
    AxisMapping() = default;
    /// `range` in axis coordinates; an empty range is widened.
    AxisMapping(ValueRange range, AxisScale scale, bool reversed);

    [[nodiscard]] const ValueRange& range() const { return m_range; }
    [[nodiscard]] AxisScale scale() const { return m_scale; }
    [[nodiscard]] bool reversed() const { return m_reversed; }

    /// NaN for a value ≤ 0 on a log axis.
    [[nodiscard]] static double toAxis(double value, AxisScale scale);
    [[nodiscard]] static double fromAxis(double coordinate, AxisScale scale);

    [[nodiscard]] double fractionOfAxis(double coordinate) const;
    [[nodiscard]] double axisAt(double fraction) const;
    [[nodiscard]] double fraction(double value) const { return fractionOfAxis(toAxis(value, m_scale)); }
    [[nodiscard]] double valueAt(double fraction) const { return fromAxis(axisAt(fraction), m_scale); }

    bool operator==(const AxisMapping&) const = default;

  private:
    ValueRange m_range;
    AxisScale m_scale = AxisScale::Linear;
    bool m_reversed = false;
};

/// A part of the plane, in axis coordinates: what a view shows.
struct PlotExtent {
    ValueRange x;
    ValueRange y;

    bool operator==(const PlotExtent&) const = default;
};
/// Both axes get as much per unit as the one that has less room; `aspect` = width / height of the plot.
[[nodiscard]] PlotExtent withEqualScales(const PlotExtent& extent, double aspect);

struct AxisTick {
    double coordinate = 0; ///< axis coordinate
    QString label;         ///< empty: minor tick

    [[nodiscard]] bool isMajor() const { return !label.isEmpty(); }
    bool operator==(const AxisTick&) const = default;
};

/// Round places inside of `range` (axis coordinates): at most about `majorLimit` labelled ones at 1, 2 or 5 times a
/// power of ten; on a log axis at powers of ten, between them 1-2-5 or linear steps when less than two decades are
/// shown.
/// `areWhole`: the values are counts, so no linear tick lies between whole numbers.
[[nodiscard]] QVector<AxisTick> axisTicks(const ValueRange& range, AxisScale scale, int majorLimit,
                                          bool areWhole = false);

/// Labels for given values with one number of decimals for all, powers of ten as 10⁻⁵ when far from one.
[[nodiscard]] QString tickLabel(double value, double step);
[[nodiscard]] QString powerLabel(int exponent, bool superscript);

/// `range` widened by `share` of its length at both ends; an empty one to ±half a unit (log: half a decade).
[[nodiscard]] ValueRange paddedRange(const ValueRange& range, double share);

} // namespace lambdascope
