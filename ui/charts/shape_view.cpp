// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shape_view.h"

#include "ui/charts/shape_canvas.h"
#include "ui/charts/view_navigation.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace lambdascope {

class ShapeView::State {
  public:
    ShapeCanvas* canvas = nullptr;
    ShapeFigure figure; ///< as given, but for what the user has hidden
    QSet<QString> hidden;

    [[nodiscard]] int groupOf(const QString& id) const {
        for (int index = 0; index < figure.groups.size(); ++index) {
            if (figure.groups[index].id == id) {
                return index;
            }
        }
        return -1;
    }
};

ShapeView::ShapeView(QWidget* parent) : FigureView(parent), m_state(std::make_unique<State>()) {
    m_state->canvas = new ShapeCanvas(this);
    attachCanvas(m_state->canvas);
    connectNavigator();
    applyTheme();
    valuesChanged();
}

ShapeView::~ShapeView() = default;

void ShapeView::connectNavigator() {
    ShapeCanvas* canvas = m_state->canvas;
    PlotNavigator* navigator = &canvas->navigator();
    connectZoomAndPan(canvas, this, [canvas](const PlotExtent& view) { canvas->setView(view); });
    connect(navigator, &PlotNavigator::resetRequested, this, &ShapeView::resetZoom);
    connect(navigator, &PlotNavigator::hoverChanged, this, [this, canvas, navigator] {
        setProbe(navigator->hover() ? canvas->shapeAt(*navigator->hover()) : -1);
        canvas->update(); // the ground under the pointer has words too
    });
    connect(navigator, &PlotNavigator::clicked, this, [this, canvas](const QPointF& pixel) {
        emit cursorMoved(canvas->frame().valueAt(pixel).x());
        if (const int shape = canvas->shapeAt(pixel); shape >= 0) {
            emit itemActivated(canvas->figure().groups.value(canvas->figure().shapes[shape].group).id, shape);
        } else {
            emit emptyPlaceClicked();
        }
    });
    connect(navigator, &PlotNavigator::stepped, this, &ShapeView::step);
    connect(navigator, &PlotNavigator::cursorGrabbed, this, &ShapeView::dragBegan);
    connect(navigator, &PlotNavigator::cursorDragged, this, &ShapeView::dragMoved);
    connect(navigator, &PlotNavigator::cursorReleased, this, &ShapeView::dragEnded);
}

void ShapeView::step(int right, int up) {
    setProbe(m_state->canvas->shapeBeside(probe(), right, up));
}

void ShapeView::setFigure(const ShapeFigure& figure) {
    const ShapeFigure& former = m_state->figure;
    if (former.x.title != figure.x.title || former.y.title != figure.y.title || former.x.scale != figure.x.scale ||
        former.y.scale != figure.y.scale) {
        m_state->canvas->resetView();
    }
    m_state->figure = figure;
    setTitle(figure.title);
    applyHidden();
    valuesChanged();
}

void ShapeView::applyHidden() {
    ShapeFigure& figure = m_state->figure;
    for (ShapeGroup& group : figure.groups) {
        group.visible = !m_state->hidden.contains(group.id);
    }
    for (Curve& curve : figure.curves) {
        curve.visible = !m_state->hidden.contains(curve.id);
    }
    m_state->canvas->setFigure(figure);
    refreshLegend();
}

Figure ShapeView::figure() const {
    return m_state->figure;
}

const ShapeFigure& ShapeView::shapeFigure() const {
    return m_state->figure;
}

void ShapeView::setEntryVisible(const QString& id, bool visible) {
    if (visible == isEntryVisible(id)) {
        return;
    }
    if (visible) {
        m_state->hidden.remove(id);
    } else {
        m_state->hidden.insert(id);
    }
    applyHidden();
}

bool ShapeView::isEntryVisible(const QString& id) const {
    return !m_state->hidden.contains(id);
}

void ShapeView::emphasizeEntry(const QString& id) {
    m_state->canvas->setEmphasized(isEntryVisible(id) ? m_state->groupOf(id) : -1);
}

void ShapeView::setCursor(double x) {
    m_state->canvas->setCursorX(x);
}

double ShapeView::cursorX() const {
    return m_state->canvas->cursorX();
}

QString ShapeView::groundText(const QPointF& pixel) const {
    return m_state->canvas->groundText(pixel);
}

int ShapeView::shapeAt(const QPointF& pixel) const {
    return m_state->canvas->shapeAt(pixel);
}

QRectF ShapeView::shapeRect(int shape) const {
    return placedShape(m_state->canvas->frame(), m_state->figure.shapes.at(shape));
}

void ShapeView::setDrag(std::function<bool(const QPointF& pixel)> begins, const QCursor& pointer) {
    m_state->canvas->navigator().setGrab(std::move(begins), pointer);
}

QPointF ShapeView::toPixel(const QPointF& value) const {
    return m_state->canvas->frame().placeValue(value);
}

QPointF ShapeView::toValue(const QPointF& pixel) const {
    return m_state->canvas->frame().valueAt(pixel);
}

void ShapeView::setProbe(int shape) {
    if (shape != probe()) {
        m_state->canvas->setProbe(shape);
        emit probeChanged(shape);
    } else if (shape >= 0) {
        m_state->canvas->update(); // its text goes along with the pointer
    }
}

int ShapeView::probe() const {
    return m_state->canvas->probe();
}

bool ShapeView::isZoomed() const {
    return m_state->canvas->isZoomed();
}

int ShapeView::layerPaints() const {
    return m_state->canvas->layerPaints();
}

QWidget* ShapeView::canvas() const {
    return m_state->canvas;
}

void ShapeView::applyTheme() {
    m_state->canvas->setTheme(theme(), emptyText());
    refreshLegend();
}

void ShapeView::doResetZoom() {
    m_state->canvas->resetView();
}

QVector<LegendBar::Entry> ShapeView::legendEntries() const {
    QVector<LegendBar::Entry> entries;
    const ShapeFigure& figure = m_state->figure;
    for (int index = 0; index < figure.groups.size(); ++index) {
        const ShapeGroup& group = figure.groups[index];
        const Shape::Kind kind = shapeKind(figure, index);
        const bool isLine = kind == Shape::Kind::Ball || kind == Shape::Kind::Outline;
        entries.append(
            {group.id, group.name, groupStyle(group, theme()), isLine, group.visible, patchLook(figure, index)});
    }
    for (const Curve& curve : figure.curves) {
        const ResolvedStyle style = resolveStyle(curve.style, 0, theme());
        entries.append({curve.id, curve.name, style, style.dash != DashStyle::NoLine, curve.visible, std::nullopt});
    }
    return entries;
}

} // namespace lambdascope
