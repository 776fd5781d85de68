// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_view.h"

#include "ui/charts/curve_readout.h"
#include "ui/charts/plot_canvas.h"
#include "ui/charts/view_navigation.h"

#include <QAction>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace lambdascope {

class PlotView::State {
  public:
    CurveFigure figure;
    QSet<QString> hiddenByUser; ///< not those that the figure itself hides
    PlotCanvas* canvas = nullptr;
    AxisScale givenX = AxisScale::Linear; ///< as the last figure had them, before the user changed them
    AxisScale givenY = AxisScale::Linear;
    QAction* logX = nullptr;
    QAction* logY = nullptr;
    QAction* follow = nullptr;
    QString remark;
    bool stale = false;     ///< data changed since the series were replaced
    bool scheduled = false; ///< a refresh is on its way

    /// −1: there is none.
    [[nodiscard]] int indexOf(const QString& id) const {
        const auto found = std::find_if(figure.curves.begin(), figure.curves.end(),
                                        [&id](const Curve& candidate) { return candidate.id == id; });
        return found == figure.curves.end() ? -1 : int(found - figure.curves.begin());
    }
    [[nodiscard]] Curve* curve(const QString& id) {
        const int index = indexOf(id);
        return index < 0 ? nullptr : &figure.curves[index];
    }
};

PlotView::PlotView(QWidget* parent) : FigureView(parent), m_state(std::make_unique<State>()) {
    m_state->canvas = new PlotCanvas(this);
    attachCanvas(m_state->canvas);
    m_state->logX = makeAction("logX", tr("Logarithmic x axis"), Qt::Key_X, true);
    m_state->logY = makeAction("logY", tr("Logarithmic y axis"), Qt::Key_Y, true);
    m_state->follow = makeAction("follow", tr("Follow new data"), Qt::Key_F, true);
    addTool(m_state->logX, tr("log x"));
    addTool(m_state->logY, tr("log y"));
    addTool(m_state->follow, tr("Follow"));
    connect(m_state->logX, &QAction::toggled, this, &PlotView::setLogX);
    connect(m_state->logY, &QAction::toggled, this, &PlotView::setLogY);
    connect(m_state->follow, &QAction::toggled, this, [this](bool follow) {
        if (follow) {
            resetZoom();
        }
    });
    connectNavigator();
    connect(m_state->canvas, &PlotCanvas::resized, this, [this] { schedule(); });
    applyTheme();
    m_state->stale = true;
    flush();
}

PlotView::~PlotView() = default;

void PlotView::connectNavigator() {
    PlotCanvas* canvas = m_state->canvas;
    PlotNavigator* navigator = &canvas->navigator();
    navigator->setGrab([canvas](const QPointF& pixel) {
        const PlotFrame& frame = canvas->frame();
        const double x = frame.plot.left() + frame.x.mapping.fraction(canvas->cursorX()) * frame.plot.width();
        return std::abs(pixel.x() - x) < 5;
    });
    connectZoomAndPan(canvas, this, [this](const PlotExtent& view) { applyView(view.x, view.y); });
    connect(navigator, &PlotNavigator::resetRequested, this, &PlotView::resetZoom);
    connect(navigator, &PlotNavigator::hoverChanged, this, &PlotView::updateReadout);
    const auto moveCursor = [this, canvas](double x) {
        if (std::isfinite(x) && x != canvas->cursorX()) {
            canvas->setCursorX(x);
            emit cursorMoved(x);
        }
    };
    connect(navigator, &PlotNavigator::clicked, this, [this, canvas, moveCursor](const QPointF& pixel) {
        moveCursor(canvas->nearestX(pixel));
        const PlotCanvas::Hit hit = canvas->hitAt(pixel, 10);
        if (hit.isValid()) {
            emit itemActivated(m_state->figure.curves[hit.curve].id, hit.point);
        }
    });
    connect(navigator, &PlotNavigator::cursorDragged, this,
            [canvas, moveCursor](const QPointF& pixel) { moveCursor(canvas->nearestX(pixel)); });
    connect(navigator, &PlotNavigator::stepped, this,
            [canvas, moveCursor](int right, int up) { moveCursor(canvas->nextX(right != 0 ? right : up)); });
}

void PlotView::setFigure(const CurveFigure& figure) {
    const auto sameAxis = [](const AxisSpec& a, const AxisSpec& b) { return a.title == b.title && a.unit == b.unit; };
    const bool same = sameAxis(figure.x, m_state->figure.x) && sameAxis(figure.y, m_state->figure.y);
    CurveFigure next = figure;
    if (same) {
        for (Curve& curve : next.curves) {
            curve.visible = curve.visible && !m_state->hiddenByUser.contains(curve.id);
        }
        // The user's choice of scales outlives a new figure of the same kind.
        next.x.scale = figure.x.scale == m_state->givenX ? m_state->figure.x.scale : figure.x.scale;
        next.y.scale = figure.y.scale == m_state->givenY ? m_state->figure.y.scale : figure.y.scale;
    } else {
        m_state->canvas->setView({}, {}, false);
        m_state->hiddenByUser.clear();
    }
    if (next.x.scale != m_state->figure.x.scale || next.y.scale != m_state->figure.y.scale) {
        m_state->canvas->setView({}, {}, false); // axis coordinates of another scale mean nothing
    }
    m_state->givenX = figure.x.scale;
    m_state->givenY = figure.y.scale;
    m_state->figure = next;
    setTitle(figure.title);
    syncActions();
    schedule();
}

void PlotView::updateCurves(const QVector<Curve>& curves) {
    for (const Curve& curve : curves) {
        if (Curve* known = m_state->curve(curve.id)) {
            known->points = curve.points;
            known->name = curve.name;
            known->style = curve.style;
            known->band = curve.band;
            known->bandName = curve.bandName;
        } else {
            m_state->figure.curves.append(curve);
        }
    }
    schedule();
}

void PlotView::setRemark(const QString& remark) {
    if (m_state->remark != remark) {
        m_state->remark = remark;
        updateNote();
    }
}

bool PlotView::wereScalesGiven(const CurveFigure& figure) const {
    return figure.x.scale == m_state->givenX && figure.y.scale == m_state->givenY;
}

Figure PlotView::figure() const {
    return m_state->figure;
}

const CurveFigure& PlotView::curveFigure() const {
    return m_state->figure;
}

void PlotView::setLogX(bool log) {
    rescale(log, isLogY());
}

void PlotView::setLogY(bool log) {
    rescale(isLogX(), log);
}

bool PlotView::isLogX() const {
    return m_state->figure.x.scale == AxisScale::Log;
}

bool PlotView::isLogY() const {
    return m_state->figure.y.scale == AxisScale::Log;
}

void PlotView::rescale(bool logX, bool logY) {
    if (logX == isLogX() && logY == isLogY()) {
        return;
    }
    flush();
    const bool zoomed = isZoomed();
    const ValueRange x = shownX();
    const ValueRange y = shownY();
    m_state->figure.x.scale = logX ? AxisScale::Log : AxisScale::Linear;
    m_state->figure.y.scale = logY ? AxisScale::Log : AxisScale::Linear;
    m_state->canvas->setView({}, {}, false);
    m_state->stale = true;
    flush();
    if (zoomed) {
        zoomTo(x, y); // the same values stay in view
    }
    syncActions();
}

void PlotView::setFollow(bool follow) {
    m_state->follow->setChecked(follow);
}

bool PlotView::isFollowing() const {
    return m_state->follow->isChecked();
}

bool PlotView::isZoomed() const {
    return m_state->canvas->isZoomed();
}

ValueRange PlotView::shownX() const {
    flush();
    const ValueRange view = m_state->canvas->viewX();
    return {AxisMapping::fromAxis(view.low, m_state->figure.x.scale),
            AxisMapping::fromAxis(view.high, m_state->figure.x.scale)};
}

ValueRange PlotView::shownY() const {
    flush();
    const ValueRange view = m_state->canvas->viewY();
    return {AxisMapping::fromAxis(view.low, m_state->figure.y.scale),
            AxisMapping::fromAxis(view.high, m_state->figure.y.scale)};
}

void PlotView::zoomTo(const ValueRange& x, const ValueRange& y) {
    flush();
    const auto axis = [](const ValueRange& values, AxisScale scale, const ValueRange& otherwise) {
        const double low = AxisMapping::toAxis(values.low, scale);
        const double high = AxisMapping::toAxis(values.high, scale);
        const ValueRange range{std::isfinite(low) ? low : otherwise.low, std::isfinite(high) ? high : otherwise.high};
        return range.low < range.high ? range : otherwise;
    };
    applyView(axis(x, m_state->figure.x.scale, m_state->canvas->viewX()),
              axis(y, m_state->figure.y.scale, m_state->canvas->viewY()));
}

void PlotView::applyView(const ValueRange& x, const ValueRange& y) {
    m_state->canvas->setView(x, y, true);
    m_state->canvas->refresh();
    updateNote();
}

void PlotView::setEntryVisible(const QString& id, bool visible) {
    Curve* curve = m_state->curve(id);
    if (curve && curve->visible != visible) {
        curve->visible = visible;
        if (visible) {
            m_state->hiddenByUser.remove(id);
        } else {
            m_state->hiddenByUser.insert(id);
        }
        schedule();
    }
    refreshLegend();
}

bool PlotView::isEntryVisible(const QString& id) const {
    const Curve* curve = m_state->curve(id);
    return curve && curve->visible;
}

void PlotView::emphasizeEntry(const QString& id) {
    m_state->canvas->setHighlighted(isEntryVisible(id) ? id : QString());
}

void PlotView::setCursor(double x) {
    if (x != m_state->canvas->cursorX()) {
        m_state->canvas->setCursorX(x);
        updateReadout();
    }
}

void PlotView::updateReadout() {
    const auto hover = m_state->canvas->navigator().hover();
    const double x = hover ? m_state->canvas->nearestX(*hover) : m_state->canvas->cursorX();
    setReadout(curveReadout(m_state->figure, x, theme()),
               m_state->figure.curves.size() > 1 && !isEmpty(Figure(m_state->figure)));
}

double PlotView::cursorX() const {
    return m_state->canvas->cursorX();
}

QVector<QPointF> PlotView::drawnPoints(const QString& id) const {
    flush();
    QVector<QPointF> points;
    const int index = m_state->indexOf(id);
    const PreparedCurve curve = m_state->canvas->prepared().value(index);
    for (const auto& piece : curve.pieces) {
        for (const auto& vertex : piece) {
            points.append({AxisMapping::fromAxis(vertex.at.x(), m_state->figure.x.scale),
                           AxisMapping::fromAxis(vertex.at.y(), m_state->figure.y.scale)});
        }
    }
    return points;
}

int PlotView::clampedPoints(const QString& id) const {
    flush();
    return m_state->canvas->prepared().value(m_state->indexOf(id)).clamped;
}

QPointF PlotView::toPixel(const QPointF& value) const {
    flush();
    return m_state->canvas->frame().placeValue(value);
}

QPointF PlotView::toValue(const QPointF& pixel) const {
    flush();
    return m_state->canvas->frame().valueAt(pixel);
}

QString PlotView::tooltipAt(const QPointF& pixel) const {
    flush();
    const PlotCanvas::Hit hit = m_state->canvas->hitAt(pixel, 24);
    return hit.isValid() ? m_state->canvas->hitText(hit) : QString();
}

QWidget* PlotView::canvas() const {
    return m_state->canvas;
}

void PlotView::applyTheme() {
    m_state->canvas->setTheme(theme());
    refreshLegend();
    schedule(); // the text of an empty chart too
}

void PlotView::doResetZoom() {
    m_state->canvas->setView({}, {}, false);
    m_state->stale = true;
    flush();
}

void PlotView::showEvent(QShowEvent* event) {
    FigureView::showEvent(event);
    if (m_state->stale) {
        schedule();
    }
}

void PlotView::schedule() {
    m_state->stale = true;
    if (m_state->scheduled) {
        return;
    }
    m_state->scheduled = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_state->scheduled = false;
            if (isVisible()) { // a hidden chart catches up when it is shown
                flush();
            }
        },
        Qt::QueuedConnection);
}

void PlotView::flush() const {
    if (m_state->stale) {
        m_state->stale = false;
        const_cast<PlotView*>(this)->refreshAll();
    }
}

void PlotView::refreshAll() {
    PlotCanvas* canvas = m_state->canvas;
    if (isFollowing() && canvas->isZoomed()) {
        canvas->setView({}, {}, false);
    }
    canvas->setEmptyText(emptyText());
    canvas->setFigure(m_state->figure);
    canvas->refresh();
    refreshLegend();
    updateNote();
    updateReadout();
    valuesChanged();
}

void PlotView::updateNote() {
    setNote(drawingNote(m_state->canvas->prepared(), m_state->remark));
}

QVector<LegendBar::Entry> PlotView::legendEntries() const {
    QVector<LegendBar::Entry> entries;
    for (int index = 0; index < m_state->figure.curves.size(); ++index) {
        const Curve& curve = m_state->figure.curves[index];
        entries.append({curve.id, curve.name, resolveStyle(curve.style, index, theme()), true, curve.visible});
    }
    return entries;
}

void PlotView::syncActions() {
    m_state->logX->setChecked(isLogX());
    m_state->logY->setChecked(isLogY());
}

} // namespace lambdascope
