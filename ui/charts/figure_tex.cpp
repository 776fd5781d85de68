// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/latex_text.h"
#include "core/common/number_text.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/figure_writer.h"
#include "ui/charts/tikz_canvas.h"

#include <QMap>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

QByteArray words(const QString& text) {
    return QByteArray::fromStdString(latexText(text.toStdString()));
}

/// A value as pgfplots reads it; nan makes a gap.
QByteArray value(double number) {
    constexpr int kDigits = 10;
    return std::isfinite(number) ? QByteArray::fromStdString(shortText(number, kDigits)) : QByteArray("nan");
}

QByteArray markName(MarkerShape shape) {
    switch (shape) {
    case MarkerShape::Square: return "square*";
    case MarkerShape::TriangleUp: return "triangle*";
    case MarkerShape::TriangleDown: return "triangle*,mark options={rotate=180}";
    case MarkerShape::Diamond: return "diamond*";
    case MarkerShape::Cross: return "x";
    case MarkerShape::Plus: return "+";
    case MarkerShape::Star: return "star";
    case MarkerShape::None: return "none";
    default: return "*";
    }
}

/// Writes one axis environment.
class PgfAxis {
  public:
    explicit PgfAxis(const FigureStyle& style) : m_style(style), m_theme(printTheme(style)) {}

    void option(const QByteArray& text) { m_options += "  " + text + ",\n"; }

    void begin(const QString& title, const AxisSpec& x, const AxisSpec& y) {
        option("width=" + texNumber(m_style.widthMm) + "mm,height=" + texNumber(m_style.heightMm) + "mm");
        const QByteArray size = texNumber(m_style.fontPt) + "bp";
        const QByteArray skip = texNumber(m_style.fontPt * 1.2) + "bp";
        option("font=\\fontsize{" + size + "}{" + skip + "}\\selectfont");
        option("grid=major,grid style={line width=" + texNumber(0.4 * m_style.lineScale) + "bp," +
               colour(m_theme.grid) + "}");
        option("legend cell align=left,legend pos=outer north east,legend style={draw=none}");
        option("unbounded coords=jump");
        if (m_style.showTitle && !title.isEmpty()) {
            option("title={\\bfseries " + words(title) + "}");
        }
        axis("x", x);
        axis("y", y);
    }

    void range(const char* name, const std::optional<ValueRange>& fixed) {
        if (fixed) {
            option(QByteArray(name) + "min=" + value(fixed->low) + "," + name + "max=" + value(fixed->high));
        }
    }

    void add(const QByteArray& look, const QVector<QPointF>& points, const QString& name) {
        m_body += "\\addplot[" + look + "] table[header=false,row sep=crcr]{\n";
        for (const QPointF& point : points) {
            m_body += value(point.x()) + ' ' + value(point.y()) + "\\\\\n";
        }
        m_body += "};\n";
        if (!name.isEmpty() && m_style.showLegend) {
            m_body += "\\addlegendentry{" + words(name) + "}\n";
        }
    }

    /// The area between the edges of a band.
    void addBand(const QVector<BandPoint>& band, const QColor& fill) {
        m_body += "\\addplot[forget plot,draw=none,fill=" + colour(fill) + ",fill opacity=0.2] coordinates {";
        for (const BandPoint& point : band) {
            m_body += '(' + value(point.x) + ',' + value(point.low) + ')';
        }
        for (qsizetype i = band.size(); i-- > 0;) {
            m_body += '(' + value(band[i].x) + ',' + value(band[i].high) + ')';
        }
        m_body += "} -- cycle;\n";
    }

    /// A line across the axis with its label, as one more tick.
    void mark(const AxisMark& mark) {
        const QByteArray axisName = mark.orientation == Qt::Vertical ? "x" : "y";
        m_ticks[axisName].append(mark);
    }

    QByteArray colour(const QColor& colour) {
        QByteArray& name = m_names[colour.rgb()];
        if (name.isEmpty()) {
            name = "c" + QByteArray::number(m_names.size());
            m_colours += "\\definecolor{" + name + "}{HTML}{" + colour.name().mid(1).toUpper().toLatin1() + "}\n";
        }
        return name;
    }

    QByteArray document() {
        for (auto it = m_ticks.cbegin(); it != m_ticks.cend(); ++it) {
            QByteArrayList places;
            QByteArrayList labels;
            for (const AxisMark& mark : it.value()) {
                places << value(mark.value);
                labels << '{' + words(mark.label) + '}';
            }
            option("extra " + it.key() + " ticks={" + places.join(',') + "},extra " + it.key() + " tick labels={" +
                   labels.join(',') + "}");
            option("extra " + it.key() + " tick style={grid=major,grid style={dashed," + colour(m_theme.cursor) +
                   "},tick label style={" + (it.key() == "x" ? "yshift=-1.2em" : "xshift=-1.6em") + "}}");
        }
        return "% needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}\n\\begin{tikzpicture}\n" + m_colours +
               "\\begin{axis}[\n" + m_options + "]\n" + m_body + "\\end{axis}\n\\end{tikzpicture}\n";
    }

    [[nodiscard]] const ChartTheme& theme() const { return m_theme; }

  private:
    void axis(const QByteArray& name, const AxisSpec& spec) {
        option(name + "label={" + words(spec.label()) + "}");
        if (spec.scale == AxisScale::Log) {
            option(name + "mode=log");
        }
        if (spec.reversed) {
            option(name + " dir=reverse");
        }
        if (!spec.names.isEmpty()) {
            QByteArrayList places;
            QByteArrayList labels;
            for (qsizetype i = 0; i < spec.names.size(); ++i) {
                places << value(double(i) + 0.5);
                labels << '{' + words(spec.names[i]) + '}';
            }
            option(name + "tick={" + places.join(',') + "}," + name + "ticklabels={" + labels.join(',') + "}");
        }
    }

    const FigureStyle& m_style;
    ChartTheme m_theme;
    QMap<QRgb, QByteArray> m_names;
    QMap<QByteArray, QVector<AxisMark>> m_ticks;
    QByteArray m_colours;
    QByteArray m_options;
    QByteArray m_body;
};

QByteArray curveLook(PgfAxis& axis, const ResolvedStyle& style, const FigureStyle& page, qsizetype points) {
    const double width = style.width * 0.7 * page.lineScale;
    const double size = page.fontPt * 0.55 * std::sqrt(page.lineScale) / 2;
    QByteArray look = "color=" + axis.colour(style.colour) + ",mark=" + markName(style.marker) +
                      ",mark size=" + texNumber(size) + "bp";
    if (style.dash == DashStyle::NoLine) {
        return look + ",only marks";
    }
    look += ",line width=" + texNumber(width) + "bp";
    const QVector<qreal> dashes = dashPattern(style.dash);
    for (qsizetype i = 0; i < dashes.size(); ++i) {
        look += (i == 0 ? ",dash pattern=" : " ") + QByteArray(i % 2 == 0 ? "on " : "off ") +
                texNumber(dashes[i] * width) + "bp";
    }
    // About a dozen markers tell curves apart; more hide them.
    constexpr qsizetype kMostMarkers = 24;
    constexpr qsizetype kMarkers = 12;
    return points > kMostMarkers ? look + ",mark repeat=" + QByteArray::number(points / kMarkers) : look;
}

QByteArray axes(const CurveFigure& figure, const FigureStyle& style) {
    PgfAxis axis(style);
    axis.begin(figure.title, figure.x, figure.y);
    axis.range("x", figure.xRange);
    axis.range("y", figure.yRange);
    const auto named =
        std::count_if(figure.curves.begin(), figure.curves.end(), [](const Curve& curve) { return curve.visible; });
    for (qsizetype i = 0; i < figure.curves.size(); ++i) {
        const Curve& curve = figure.curves[i];
        if (!curve.visible) {
            continue;
        }
        const ResolvedStyle look = resolveStyle(curve.style, int(i), axis.theme());
        if (!curve.band.isEmpty()) {
            axis.addBand(curve.band, look.colour);
        }
        axis.add(curveLook(axis, look, style, curve.points.size()), curve.points, named > 1 ? curve.name : QString());
    }
    for (const AxisMark& mark : figure.marks) {
        axis.mark(mark);
    }
    return axis.document();
}

QByteArray axes(const CloudFigure& figure, const FigureStyle& style) {
    PgfAxis axis(style);
    axis.begin(figure.title, figure.x, figure.y);
    if (figure.equalAspect) {
        axis.option("axis equal");
    }
    QMap<int, QVector<QPointF>> groups;
    for (qsizetype i = 0; i < figure.points.size(); ++i) {
        groups[figure.classes.value(i, 0)].append({double(figure.points[i].x), double(figure.points[i].y)});
    }
    const double size = style.fontPt * 0.55 * std::sqrt(style.lineScale) * 0.4;
    for (auto it = groups.cbegin(); it != groups.cend(); ++it) {
        const QByteArray look = "only marks,color=" + axis.colour(classColour(it.key(), axis.theme())) +
                                ",mark=" + markName(classMarker(it.key())) + ",mark size=" + texNumber(size) + "bp";
        axis.add(look, it.value(), groups.size() > 1 ? figure.classNames.value(it.key()) : QString());
    }
    return axis.document();
}

} // namespace

QByteArray figureTex(const Figure& figure, const FigureStyle& style) {
    if (const auto* curves = std::get_if<CurveFigure>(&figure)) {
        return axes(*curves, style);
    }
    const auto* cloud = std::get_if<CloudFigure>(&figure);
    if (cloud != nullptr && cloud->links.isEmpty() && cloud->shadows.isEmpty()) {
        return axes(*cloud, style);
    }
    TikzCanvas canvas;
    paintFigure(canvas, QSizeF(style.widthMm, style.heightMm) * (72 / 25.4), figure, style);
    return canvas.document();
}

} // namespace lambdascope
