// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_mapping.h"

#include "core/common/number_text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <limits>

namespace lambdascope {

namespace {

/// The largest range a double can subtract without overflow is far beyond what a screen needs.
constexpr double kLargest = 1e300;

QString superscriptText(int exponent) {
    static const std::array<QChar, 10> digits{QChar(0x2070), QChar(0x00B9), QChar(0x00B2), QChar(0x00B3),
                                              QChar(0x2074), QChar(0x2075), QChar(0x2076), QChar(0x2077),
                                              QChar(0x2078), QChar(0x2079)};
    QString text;
    for (const QChar character : QString::number(exponent)) {
        text += character == '-' ? QChar(0x207B) : digits[size_t(character.digitValue())];
    }
    return text;
}

double niceStep(double length, int parts) {
    const double raw = length / std::max(parts, 1);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    const double ratio = raw / power;
    return power * (ratio <= 1.0000001 ? 1 : ratio <= 2.0000001 ? 2 : ratio <= 5.0000001 ? 5 : 10);
}

QVector<AxisTick> linearTicks(const ValueRange& range, int majorLimit, bool areWhole = false) {
    QVector<AxisTick> ticks;
    const double nice = niceStep(range.high - range.low, majorLimit);
    const double step = areWhole ? std::max(nice, 1.0) : nice;
    const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    const int parts = std::lround(leading) == 2 ? 4 : 5;
    const int minors = areWhole && step < parts ? static_cast<int>(std::lround(step)) : parts;
    const double small = step / minors;
    const double slack = 1e-9 * (range.high - range.low);
    for (double index = std::ceil((range.low - slack) / small); index * small <= range.high + slack; ++index) {
        const double at = index * small;
        const bool major = std::fmod(std::abs(index), minors) == 0;
        ticks.append({at, major ? tickLabel(at, step) : QString()});
        if (ticks.size() > 1000) {
            break; // the step is below the resolution of the numbers
        }
    }
    return ticks;
}

/// Ticks of a log axis that shows less than about two decades: labels at 1, 2 and 5, or at linear steps.
QVector<AxisTick> fineLogTicks(const ValueRange& range, int majorLimit) {
    QVector<AxisTick> ticks;
    const double low = std::pow(10, range.low);
    const double high = std::pow(10, range.high);
    if (range.high - range.low < 0.6) {
        for (const AxisTick& tick : linearTicks({low, high}, std::max(majorLimit - 1, 2))) {
            if (tick.coordinate > 0) {
                ticks.append({std::log10(tick.coordinate), tick.label});
            }
        }
        return ticks;
    }
    // One label alone tells no scale.
    const double powers = std::floor(range.high + 1e-9) - std::ceil(range.low - 1e-9) + 1;
    const bool labelTwoAndFive = powers < 2 || (range.high - range.low) * 3 <= majorLimit + 1;
    for (int exponent = int(std::floor(range.low)); exponent <= int(std::ceil(range.high)); ++exponent) {
        for (int factor = 1; factor < 10; ++factor) {
            const double value = factor * std::pow(10, exponent);
            const double at = std::log10(value);
            if (at < range.low - 1e-9 || at > range.high + 1e-9) {
                continue;
            }
            const bool major = factor == 1 || (labelTwoAndFive && (factor == 2 || factor == 5));
            const bool plain = std::abs(exponent) <= 4;
            const QString text = plain         ? tickLabel(value, value)
                                 : factor == 1 ? powerLabel(exponent, true)
                                               : QStringLiteral("%1·%2").arg(factor).arg(powerLabel(exponent, true));
            ticks.append({at, major ? text : QString()});
        }
    }
    return ticks;
}

QVector<AxisTick> logTicks(const ValueRange& range, int majorLimit) {
    const double decades = range.high - range.low;
    if (decades < 2) {
        return fineLogTicks(range, majorLimit);
    }
    QVector<AxisTick> ticks;
    const int first = int(std::ceil(range.low - 1e-9));
    const int last = int(std::floor(range.high + 1e-9));
    // Two labels at least: one alone tells no scale.
    const int stride =
        std::clamp(int(std::ceil(decades / std::max(majorLimit, 1))), 1, std::max(1, (last - first + 1) / 2));
    const bool superscript = std::max(std::abs(first), std::abs(last)) > 4;
    for (int exponent = first - 1; exponent <= last; ++exponent) {
        const int phase = ((exponent % stride) + stride) % stride;
        if (exponent >= first) {
            ticks.append({double(exponent), phase == 0 ? powerLabel(exponent, superscript) : QString()});
        }
        if (stride > 1) {
            continue;
        }
        for (int factor = 2; factor < 10; ++factor) {
            const double at = exponent + std::log10(factor);
            if (at >= range.low && at <= range.high) {
                ticks.append(AxisTick{at, QString()});
            }
        }
    }
    return ticks;
}

} // namespace

AxisMapping::AxisMapping(ValueRange range, AxisScale scale, bool reversed)
    : m_range(range), m_scale(scale), m_reversed(reversed) {
    if (!(m_range.low < m_range.high)) {
        m_range = paddedRange(m_range, 0);
    }
}

double AxisMapping::toAxis(double value, AxisScale scale) {
    if (scale == AxisScale::Linear) {
        return std::isfinite(value) ? std::clamp(value, -kLargest, kLargest) : std::numeric_limits<double>::quiet_NaN();
    }
    return std::isfinite(value) && value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

double AxisMapping::fromAxis(double coordinate, AxisScale scale) {
    return scale == AxisScale::Linear ? coordinate : std::pow(10, coordinate);
}

double AxisMapping::fractionOfAxis(double coordinate) const {
    const double fraction = (coordinate - m_range.low) / (m_range.high - m_range.low);
    return m_reversed ? 1 - fraction : fraction;
}

double AxisMapping::axisAt(double fraction) const {
    return m_range.low + (m_reversed ? 1 - fraction : fraction) * (m_range.high - m_range.low);
}

QVector<AxisTick> axisTicks(const ValueRange& range, AxisScale scale, int majorLimit, bool areWhole) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high)) {
        return {};
    }
    return scale == AxisScale::Linear ? linearTicks(range, majorLimit, areWhole) : logTicks(range, majorLimit);
}

QString tickLabel(double value, double step) {
    if (value == 0 || std::abs(value) < 1e-9 * step) {
        return QStringLiteral("0");
    }
    const double size = std::abs(value);
    QString text;
    if (size >= 1e6 || size < 1e-4) {
        // One significant digit more than the step needs.
        const int digits = std::clamp(int(std::floor(std::log10(size)) - std::floor(std::log10(step) + 1e-9)), 0, 12);
        const int exponent = int(std::floor(std::log10(size) + 1e-12));
        const double mantissa = value / std::pow(10, exponent);
        text = QStringLiteral("%1·%2").arg(QString::number(mantissa, 'f', digits), powerLabel(exponent, true));
        if (digits == 0 && std::abs(std::abs(mantissa) - 1) < 1e-9) {
            text = (value < 0 ? QStringLiteral("-") : QString()) + powerLabel(exponent, true);
        }
    } else {
        const int decimals = std::clamp(-int(std::floor(std::log10(step) + 1e-9)), 0, 12);
        text = QString::number(value, 'f', decimals);
    }
    return text.replace('-', QChar(0x2212));
}

QString powerLabel(int exponent, bool superscript) {
    if (superscript) {
        return QStringLiteral("10") + superscriptText(exponent);
    }
    return exponent >= 0 ? QString::number(std::pow(10, exponent), 'f', 0)
                         : QString::number(std::pow(10, exponent), 'f', -exponent);
}

ValueRange paddedRange(const ValueRange& range, double share) {
    if (range.low < range.high) {
        const double extra = (range.high - range.low) * share;
        return {range.low - extra, range.high + extra};
    }
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) {
        return {0, 1};
    }
    const double half = std::max(0.5, std::abs(range.low) * 1e-6);
    return {range.low - half, range.low + half};
}

PlotExtent withEqualScales(const PlotExtent& extent, double aspect) {
    const double width = std::max(extent.x.high - extent.x.low, (extent.y.high - extent.y.low) * aspect);
    const auto widened = [](const ValueRange& range, double length) {
        const double middle = (range.low + range.high) / 2;
        return ValueRange{middle - length / 2, middle + length / 2};
    };
    return {widened(extent.x, width), widened(extent.y, width / aspect)};
}

} // namespace lambdascope
