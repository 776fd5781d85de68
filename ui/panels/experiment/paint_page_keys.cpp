// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PaintPage that is led by keys.
#include "ui/charts/shape_view.h"
#include "ui/panels/experiment/paint_page.h"

#include <QComboBox>
#include <QKeyEvent>

#include <algorithm>

namespace lambdascope {

std::function<void()> PaintPage::actionOf(const QKeyEvent& event) {
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (event.key() == Qt::Key_Escape && m_isDragging) {
        return [this] { cancelStroke(); }; // rather than stopping what computes
    }
    if (!m_plane->isAncestorOf(focusWidget()) || m_isDragging || !m_editor.isOpen()) {
        return {};
    }
    if (modifiers == Qt::NoModifier) {
        switch (event.key()) {
        case Qt::Key_Insert: return [this] { addBesideProbed(); };
        case Qt::Key_Delete: return [this] { eraseProbed(); };
        case Qt::Key_C: return [this] { relabelProbed(); };
        default: return {};
        }
    }
    if ((modifiers & ~Qt::ShiftModifier) != Qt::ControlModifier) {
        return {};
    }
    const double percent = modifiers.testFlag(Qt::ShiftModifier) ? 10 : 1;
    switch (event.key()) {
    case Qt::Key_Left: return [this, percent] { nudge(-1, 0, percent); };
    case Qt::Key_Right: return [this, percent] { nudge(1, 0, percent); };
    case Qt::Key_Up: return [this, percent] { nudge(0, 1, percent); };
    case Qt::Key_Down: return [this, percent] { nudge(0, -1, percent); };
    default: return {};
    }
}

bool PaintPage::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && actionOf(*static_cast<QKeyEvent*>(event))) {
        event->accept(); // comes back as a key
        return true;
    }
    return QWidget::event(event);
}

void PaintPage::keyPressEvent(QKeyEvent* event) {
    if (const auto act = actionOf(*event)) {
        m_hint.clear();
        act();
        refreshSoon();
    } else {
        QWidget::keyPressEvent(event);
    }
}

std::int64_t PaintPage::probedRow() const {
    const int probed = m_plane->probe();
    const std::int64_t row = probed < 0 ? -1 : m_plane->shapeFigure().shapes[probed].item;
    return row < 0 || row >= m_editor.rows() || m_editor.isOmitted(row) ? -1 : row;
}

void PaintPage::probeRow(std::int64_t row) {
    const QVector<Shape>& shapes = m_plane->shapeFigure().shapes;
    const auto found = std::find_if(shapes.begin(), shapes.end(), [row](const Shape& shape) {
        return shape.kind == Shape::Kind::Point && shape.item == row;
    });
    m_plane->setProbe(found == shapes.end() ? -1 : static_cast<int>(found - shapes.begin()));
}

std::string PaintPage::chosenClass() const {
    return m_class->currentText().trimmed().toStdString();
}

bool PaintPage::hasClass() {
    const bool needsNone = m_editor.classes().empty() && !m_editor.isPainted();
    m_hint = chosenClass().empty() && !needsNone ? tr("Name a class first.") : QString();
    return m_hint.isEmpty();
}

void PaintPage::nudge(int right, int up, double percent) {
    const std::int64_t row = probedRow();
    if (row < 0) {
        m_hint = tr("Choose a row first: by the arrow keys.");
        return;
    }
    const QPointF place(m_editor.value(row, m_axes.x) + 0.01 * percent * right * (m_x.high - m_x.low),
                        m_editor.value(row, m_axes.y) + 0.01 * percent * up * (m_y.high - m_y.low));
    m_editor.move(row, m_axes.x, rounded(place).x(), m_axes.y, rounded(place).y());
    m_editor.keep(tr("moving row %1").arg(row));
    fitRange(false);
}

void PaintPage::addBesideProbed() {
    if (m_editor.features() != 2) {
        m_hint = tr("Rows are added to data with two features.");
        return;
    }
    if (!hasClass()) {
        return;
    }
    const std::int64_t row = probedRow();
    const QPointF place = row < 0
                              ? QPointF(0.5 * (m_x.low + m_x.high), 0.5 * (m_y.low + m_y.high))
                              : QPointF(m_editor.value(row, 0) + 0.02 * (m_x.high - m_x.low), m_editor.value(row, 1));
    m_editor.add(rounded(place).x(), rounded(place).y(), chosenClass());
    m_editor.keep(tr("painting 1 row"));
    refresh();
    probeRow(m_editor.rows() - 1);
}

void PaintPage::eraseProbed() {
    if (const std::int64_t row = probedRow(); row >= 0) {
        m_editor.erase(row);
        m_editor.keep(tr("erasing 1 row"));
    }
}

void PaintPage::relabelProbed() {
    const std::int64_t row = probedRow();
    if (row >= 0 && hasClass() && !m_editor.classes().empty() && m_editor.className(row) != chosenClass()) {
        m_editor.relabel(row, chosenClass());
        m_editor.keep(tr("relabelling 1 row"));
    }
}

} // namespace lambdascope
