// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope {

namespace {

/// The eight hues of [Okabe and Ito 2008], in an order that keeps neighbours far apart. Their lightness is spread,
/// since it is what colour-deficient sight tells shades by: vermilion, orange and yellow lie on one line of confusion.
/// A place has the same hue on light and dark.
QVector<QColor> seriesColours(bool dark) {
    if (dark) {
        return {QColor("#4A7CE0"), QColor("#E0532F"), QColor("#6FF2B2"), QColor("#F7CBF1"),
                QColor("#DFA61A"), QColor("#2FAEE6"), QColor("#F3F750"), QColor("#A3A3A3")};
    }
    return {QColor("#0A46A0"), QColor("#A83418"), QColor("#108F6C"), QColor("#E356B4"),
            QColor("#E8A818"), QColor("#45B4F2"), QColor("#8A8A1A"), QColor("#383838")};
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return int(std::lround(x + (y - x) * share)); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

ChartTheme themeOn(const QColor& background, const QColor& text, bool dark) {
    ChartTheme theme;
    theme.dark = dark;
    theme.background = background;
    theme.plotArea = background;
    theme.text = text;
    theme.mutedText = mixed(background, text, 0.66);
    theme.grid = mixed(background, text, dark ? 0.17 : 0.12);
    theme.minorGrid = mixed(background, text, dark ? 0.09 : 0.06);
    theme.axis = mixed(background, text, 0.55);
    theme.cursor = dark ? QColor("#FFD166") : QColor("#B3261E");
    theme.absent = mixed(background, text, dark ? 0.14 : 0.08);
    theme.accent = dark ? QColor("#6CB2FF") : QColor("#1F6FD1");
    theme.series = seriesColours(dark);
    return theme;
}

struct ColourStop {
    double at;
    int red, green, blue;
};

/// Support points of cividis at eighths; linear between them stays within two units of the published table.
constexpr std::array<ColourStop, 9> kCividis{{{0.000, 0, 34, 78},
                                              {0.125, 32, 56, 110},
                                              {0.250, 65, 77, 107},
                                              {0.375, 95, 98, 110},
                                              {0.500, 124, 123, 120},
                                              {0.625, 155, 148, 119},
                                              {0.750, 188, 174, 108},
                                              {0.875, 222, 203, 88},
                                              {1.000, 254, 232, 56}}};

} // namespace

ChartTheme ChartTheme::light() {
    return themeOn(Qt::white, QColor("#1A1A1A"), false);
}

ChartTheme ChartTheme::dim() {
    return themeOn(QColor("#1E2126"), QColor("#E6E6E6"), true);
}

ChartTheme ChartTheme::grey() {
    ChartTheme theme = themeOn(Qt::white, Qt::black, false);
    theme.series = {QColor("#000000"), QColor("#777777"), QColor("#444444"), QColor("#A0A0A0"),
                    QColor("#222222"), QColor("#8C8C8C"), QColor("#5C5C5C"), QColor("#B4B4B4")};
    theme.cursor = QColor("#444444");
    theme.accent = QColor("#444444");
    return theme;
}

bool isDarkPalette(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

ChartTheme ChartTheme::fromPalette(const QPalette& palette) {
    return themeOn(palette.color(QPalette::Base), palette.color(QPalette::Text), isDarkPalette(palette));
}

ResolvedStyle resolveStyle(const CurveStyle& style, int place, const ChartTheme& theme) {
    // The second round of colours takes other dashes, markers and tints than the first.
    static constexpr std::array kDashes{DashStyle::Solid, DashStyle::Dash, DashStyle::DashDot, DashStyle::Dot,
                                        DashStyle::DashDotDot};
    static constexpr std::array kMarkers{MarkerShape::Circle,  MarkerShape::Square,       MarkerShape::TriangleUp,
                                         MarkerShape::Diamond, MarkerShape::TriangleDown, MarkerShape::Cross,
                                         MarkerShape::Star,    MarkerShape::Plus};
    const int colours = int(theme.series.size());
    const int index = style.colourIndex >= 0 ? style.colourIndex : std::max(place, 0);
    ResolvedStyle resolved;
    const int round = index / colours; // through all colours
    const double tint = std::min(0.35 * round, 0.6);
    resolved.colour = style.colour.isValid() ? style.colour : mixed(theme.series[index % colours], theme.text, tint);
    resolved.dash = style.dash != DashStyle::Automatic ? style.dash : kDashes[size_t(index) % kDashes.size()];
    const size_t marker = size_t(index + round) % kMarkers.size();
    resolved.marker = style.marker != MarkerShape::Automatic ? style.marker : kMarkers[marker];
    resolved.width = style.width;
    return resolved;
}

QVector<qreal> dashPattern(DashStyle dash) {
    switch (dash) {
    case DashStyle::Dash: return {6, 3};
    case DashStyle::Dot: return {1.5, 2.5};
    case DashStyle::DashDot: return {7, 2.5, 1.5, 2.5};
    case DashStyle::DashDotDot: return {7, 2.5, 1.5, 2.5, 1.5, 2.5};
    case DashStyle::Automatic:
    case DashStyle::Solid:
    case DashStyle::NoLine: break;
    }
    return {};
}

QColor classColour(int index, const ChartTheme& theme) {
    return theme.series[std::max(index, 0) % theme.series.size()];
}

MarkerShape classMarker(int index) {
    static constexpr std::array kMarkers{MarkerShape::Circle,  MarkerShape::TriangleUp,   MarkerShape::Square,
                                         MarkerShape::Diamond, MarkerShape::TriangleDown, MarkerShape::Star,
                                         MarkerShape::Cross,   MarkerShape::Plus};
    const int colours = 8;
    const int place = std::max(index, 0);
    return kMarkers[size_t(place + place / colours) % kMarkers.size()];
}

QColor mapColour(double fraction) {
    const double at = std::isnan(fraction) ? 0 : std::clamp(fraction, 0.0, 1.0);
    const auto upper =
        std::find_if(kCividis.begin() + 1, kCividis.end() - 1, [at](const ColourStop& stop) { return at <= stop.at; });
    const ColourStop& a = *(upper - 1);
    const ColourStop& b = *upper;
    return mixed(QColor(a.red, a.green, a.blue), QColor(b.red, b.green, b.blue), (at - a.at) / (b.at - a.at));
}

QColor divergingColour(double fraction) {
    static const std::array stops{QColor("#004B78"), QColor("#4C9FD1"), QColor("#F6F5F2"), QColor("#E8853A"),
                                  QColor("#9C3A00")};
    const double at = (std::isnan(fraction) ? 0.5 : std::clamp(fraction, 0.0, 1.0)) * 4;
    const auto lower = std::min<std::size_t>(static_cast<std::size_t>(at), 3);
    return mixed(stops[lower], stops[lower + 1], at - static_cast<double>(lower));
}

const QVector<QRgb>& colourTable(ColourMap map) {
    const auto fill = [](QColor (*colour)(double)) {
        QVector<QRgb> colours(256);
        for (int index = 0; index < 256; ++index) {
            colours[index] = colour(index / 255.0).rgb();
        }
        return colours;
    };
    static const QVector<QRgb> sequential = fill(mapColour);
    static const QVector<QRgb> diverging = fill(divergingColour);
    return map == ColourMap::Diverging ? diverging : sequential;
}

} // namespace lambdascope
