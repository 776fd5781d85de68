// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_navigator.h"

#include "ui/charts/figure.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace lambdascope {

namespace {

/// One notch of a usual wheel (120 eighths of a degree) zooms by about a fifth.
constexpr double kZoomPerEighth = 0.0016;
constexpr double kKeyZoom = 1.25;
constexpr double kKeyPan = 0.1;
/// A drag in only one direction makes a band over the whole other axis.
constexpr double kBandPixels = 12;

} // namespace

PlotNavigator::PlotNavigator(QWidget* surface, QWidget* keys) : QObject(surface), m_surface(surface) {
    surface->setMouseTracking(true);
    surface->installEventFilter(this);
    if (keys != surface) {
        keys->installEventFilter(this);
    }
    keys->setFocusPolicy(Qt::StrongFocus);
}

void PlotNavigator::setGrab(std::function<bool(const QPointF&)> grab, const QCursor& pointer) {
    m_grab = std::move(grab);
    m_grabPointer = pointer;
    updateShape();
}

std::optional<QRectF> PlotNavigator::rubberBand() const {
    if ((m_drag != Drag::Rectangle && m_drag != Drag::Box) ||
        (m_last - m_pressed).manhattanLength() < QApplication::startDragDistance()) {
        return std::nullopt;
    }
    QRectF band = QRectF(m_pressed, m_last).normalized();
    if (band.width() < kBandPixels) {
        band.setLeft(m_plot.left());
        band.setRight(m_plot.right());
    } else if (band.height() < kBandPixels) {
        band.setTop(m_plot.top());
        band.setBottom(m_plot.bottom());
    }
    return band.intersected(m_plot);
}

QPointF PlotNavigator::fractionAt(const QPointF& pixel) const {
    return {(pixel.x() - m_plot.left()) / std::max(m_plot.width(), 1.0),
            (m_plot.bottom() - pixel.y()) / std::max(m_plot.height(), 1.0)};
}

bool PlotNavigator::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: return watched == m_surface && press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove: return watched == m_surface && move(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease: return watched == m_surface && release(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        if (watched == m_surface && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
            m_drag = Drag::None;
            if (grabsAt(static_cast<QMouseEvent*>(event)->position())) {
                return press(*static_cast<QMouseEvent*>(event)); // the second of two quick presses
            }
            if (m_enlarge && m_enlarge()) {
                emit enlargeRequested();
            } else {
                emit resetRequested();
            }
            return true;
        }
        return false;
    case QEvent::Wheel: return watched == m_surface && wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::Leave:
        if (watched == m_surface) {
            m_hover.reset();
            emit hoverChanged();
        }
        return false;
    case QEvent::KeyPress: return key(*static_cast<QKeyEvent*>(event));
    case QEvent::KeyRelease:
        if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space && !static_cast<QKeyEvent*>(event)->isAutoRepeat()) {
            m_space = false;
            updateShape();
        }
        return false;
    case QEvent::FocusOut:
        m_space = false;
        updateShape();
        return false;
    default: return false;
    }
}

bool PlotNavigator::press(const QMouseEvent& event) {
    m_pressed = m_last = event.position();
    if (event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && m_space)) {
        m_drag = Drag::Pan;
    } else if (event.button() == Qt::LeftButton && m_plot.contains(m_pressed)) {
        const bool isBox = m_isMarking || event.modifiers().testFlag(Qt::ShiftModifier);
        m_drag = grabsAt(m_pressed) ? Drag::Cursor : isBox ? Drag::Box : Drag::Rectangle;
    } else {
        return false;
    }
    updateShape();
    if (m_drag == Drag::Cursor) {
        emit cursorGrabbed(m_pressed);
    }
    return true;
}

bool PlotNavigator::move(const QMouseEvent& event) {
    const QPointF now = event.position();
    switch (m_drag) {
    case Drag::Pan: {
        const QPointF step = now - m_last;
        m_last = now;
        emit panRequested({step.x() / std::max(m_plot.width(), 1.0), -step.y() / std::max(m_plot.height(), 1.0)});
        break;
    }
    case Drag::Cursor: emit cursorDragged(now); break;
    case Drag::Rectangle:
    case Drag::Box:
        m_last = now;
        emit rubberBandChanged();
        break;
    case Drag::None: break;
    }
    m_last = now;
    m_hover = m_plot.contains(now) ? std::optional(now) : std::nullopt;
    updateShape();
    emit hoverChanged();
    return true;
}

bool PlotNavigator::release(const QMouseEvent& event) {
    const Drag drag = m_drag;
    const std::optional<QRectF> band = rubberBand();
    m_drag = Drag::None;
    updateShape();
    if (drag == Drag::Cursor) {
        emit cursorReleased();
    } else if (drag == Drag::Rectangle || drag == Drag::Box) {
        emit rubberBandChanged();
        if (band && drag == Drag::Box) {
            emit boxDrawn(*band);
        } else if (band && band->width() > 3 && band->height() > 3) {
            emit rectangleChosen(QRectF(fractionAt(band->bottomLeft()), fractionAt(band->topRight())));
        } else if ((event.position() - m_pressed).manhattanLength() < QApplication::startDragDistance()) {
            emit clicked(event.position());
        }
    }
    return drag != Drag::None;
}

bool PlotNavigator::wheel(const QWheelEvent& event) {
    const QPointF at = event.position();
    const int turned = event.angleDelta().y() != 0 ? event.angleDelta().y() : event.angleDelta().x();
    if (turned == 0 || !m_plot.adjusted(-60, -5, 5, 40).contains(at)) {
        return false;
    }
    const double factor = std::exp(-kZoomPerEighth * turned);
    // Over an axis only that axis is zoomed, as with the modifier keys.
    const bool onlyX = event.modifiers().testFlag(Qt::ShiftModifier) || at.y() > m_plot.bottom();
    const bool onlyY = event.modifiers().testFlag(Qt::ControlModifier) || at.x() < m_plot.left();
    emit zoomRequested(fractionAt(at), onlyY ? 1 : factor, onlyX ? 1 : factor);
    return true;
}

bool PlotNavigator::key(const QKeyEvent& event) {
    const bool pan = event.modifiers().testFlag(Qt::ShiftModifier);
    const auto arrow = [&](int right, int up) {
        if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
            return false; // may mean something to who shows the plot
        }
        if (pan) {
            emit panRequested({-kKeyPan * right, -kKeyPan * up});
        } else {
            emit stepped(right, up);
        }
        return true;
    };
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: emit zoomRequested({0.5, 0.5}, 1 / kKeyZoom, 1 / kKeyZoom); return true;
    case Qt::Key_Minus: emit zoomRequested({0.5, 0.5}, kKeyZoom, kKeyZoom); return true;
    case Qt::Key_Left: return arrow(-1, 0);
    case Qt::Key_Right: return arrow(1, 0);
    case Qt::Key_Up: return arrow(0, 1);
    case Qt::Key_Down: return arrow(0, -1);
    case Qt::Key_Return:
    case Qt::Key_Enter: emit enlargeRequested(); return true;
    case Qt::Key_Space:
        m_space = true;
        updateShape();
        return true;
    default: return false;
    }
}

void PlotNavigator::updateShape() {
    if (m_drag == Drag::Pan) {
        m_surface->setCursor(Qt::ClosedHandCursor);
    } else if (m_space) {
        m_surface->setCursor(Qt::OpenHandCursor);
    } else if (isGrabbing() || (m_hover && grabsAt(*m_hover))) {
        m_surface->setCursor(m_grabPointer);
    } else {
        m_surface->setCursor(m_hover ? Qt::CrossCursor : Qt::ArrowCursor);
    }
}

ValueRange zoomedRange(const ValueRange& range, double fraction, double factor) {
    const double fixed = range.low + fraction * (range.high - range.low);
    const ValueRange zoomed{fixed - (fixed - range.low) * factor, fixed + (range.high - fixed) * factor};
    // Beyond the resolution of the numbers nothing can be seen, and infinitely far away neither.
    const double length = zoomed.high - zoomed.low;
    const double size = std::max(std::abs(zoomed.low), std::abs(zoomed.high));
    return std::isfinite(length) && length > size * 1e-12 && length < 1e290 ? zoomed : range;
}

} // namespace lambdascope
