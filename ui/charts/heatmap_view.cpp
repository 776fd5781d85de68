// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heatmap_view.h"

#include "ui/charts/heatmap_canvas.h"
#include "ui/charts/view_navigation.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

class HeatmapView::State {
  public:
    HeatmapCanvas* canvas = nullptr;
    double cursor = std::numeric_limits<double>::quiet_NaN();

    [[nodiscard]] int nearestColumn() const {
        const QVector<double>& values = canvas->figure().xValues;
        const auto nearest = std::min_element(values.begin(), values.end(), [this](double a, double b) {
            return std::abs(a - cursor) < std::abs(b - cursor);
        });
        return std::isnan(cursor) || nearest == values.end() ? -1 : int(nearest - values.begin());
    }
};

HeatmapView::HeatmapView(QWidget* parent) : FigureView(parent), m_state(std::make_unique<State>()) {
    m_state->canvas = new HeatmapCanvas(this);
    attachCanvas(m_state->canvas);
    connectNavigator();
    applyTheme();
    valuesChanged();
}

HeatmapView::~HeatmapView() = default;

void HeatmapView::connectNavigator() {
    HeatmapCanvas* canvas = m_state->canvas;
    PlotNavigator* navigator = &canvas->navigator();
    connectZoomAndPan(canvas, this, [canvas](const PlotExtent& view) { canvas->setView(view); });
    connect(navigator, &PlotNavigator::resetRequested, this, &HeatmapView::resetZoom);
    connect(navigator, &PlotNavigator::hoverChanged, this, [this, canvas, navigator] {
        setProbe(navigator->hover() ? canvas->cellAt(*navigator->hover()) : std::nullopt);
    });
    connect(navigator, &PlotNavigator::clicked, this, [this, canvas](const QPointF& pixel) {
        if (const auto cell = canvas->cellAt(pixel)) {
            activate(*cell);
        }
    });
    connect(navigator, &PlotNavigator::stepped, this, &HeatmapView::stepProbe);
}

void HeatmapView::activate(const Cell& cell) {
    const double x = heatmapFigure().xValues[cell.column];
    if (x != m_state->cursor) {
        setCursor(x);
        emit cursorMoved(x);
    }
    emit itemActivated(QStringLiteral("cell"), cell.row * heatmapFigure().columns() + cell.column);
}

void HeatmapView::stepProbe(int right, int up) {
    const HeatmapFigure& shown = heatmapFigure();
    if (isEmpty(Figure(shown))) {
        return;
    }
    Cell cell = m_state->canvas->probe().value_or(Cell{shown.rows() / 2, std::max(m_state->canvas->cursorColumn(), 0)});
    if (m_state->canvas->probe()) {
        cell.column = std::clamp(cell.column + (shown.x.reversed ? -right : right), 0, shown.columns() - 1);
        cell.row = std::clamp(cell.row + (shown.y.reversed ? -up : up), 0, shown.rows() - 1);
    }
    setProbe(cell);
}

void HeatmapView::setFigure(const HeatmapFigure& figure) {
    const HeatmapFigure& former = heatmapFigure();
    if (former.x.title != figure.x.title || former.y.title != figure.y.title) {
        m_state->canvas->resetView();
    }
    setTitle(figure.title);
    m_state->canvas->setFigure(figure);
    m_state->canvas->setCursorColumn(m_state->nearestColumn());
    valuesChanged();
}

Figure HeatmapView::figure() const {
    return m_state->canvas->figure();
}

const HeatmapFigure& HeatmapView::heatmapFigure() const {
    return m_state->canvas->figure();
}

void HeatmapView::setCursor(double x) {
    m_state->cursor = x;
    m_state->canvas->setCursorColumn(m_state->nearestColumn());
}

double HeatmapView::cursorX() const {
    return m_state->cursor;
}

std::optional<HeatmapView::Cell> HeatmapView::cellAt(const QPointF& pixel) const {
    return m_state->canvas->cellAt(pixel);
}

QRectF HeatmapView::cellRect(const Cell& cell) const {
    return m_state->canvas->cellRect(cell);
}

QString HeatmapView::cellText(const Cell& cell) const {
    return m_state->canvas->cellText(cell);
}

void HeatmapView::setProbe(std::optional<Cell> cell) {
    if (cell != m_state->canvas->probe()) {
        m_state->canvas->setProbe(cell);
        emit probeChanged(cell ? cell->row : -1, cell ? cell->column : -1);
    }
}

std::optional<HeatmapView::Cell> HeatmapView::probe() const {
    return m_state->canvas->probe();
}

bool HeatmapView::isZoomed() const {
    return m_state->canvas->isZoomed();
}

QWidget* HeatmapView::canvas() const {
    return m_state->canvas;
}

void HeatmapView::applyTheme() {
    m_state->canvas->setTheme(theme(), emptyText());
}

void HeatmapView::doResetZoom() {
    m_state->canvas->resetView();
}

} // namespace lambdascope
