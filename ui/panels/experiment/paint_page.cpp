// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/paint_page.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/experiment/paint_figure.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr double kRowReach = 9;    // px from a row that is meant
constexpr int kFrame = 16;         // ms between two pictures
constexpr double kMargin = 0.08;   // of the extent, round the rows
constexpr double kDensity = 0.012; // painted rows per px² of the brush, at a place

} // namespace

PaintPage::PaintPage(ExperimentDocument& document, LivePath::Options options, QWidget* parent)
    : QWidget(parent), m_document(document), m_editor(document), m_live(std::move(options)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    buildHeader(layout);
    buildTools(layout);
    buildViews(layout);
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, &PaintPage::refresh);
    connect(&m_editor, &PointEditor::opened, this, [this] {
        m_axes = {0, 1};
        m_asked = m_unedited = {};
        m_asRead.reset();
        m_live.clear();
        m_class->clear(); // those of other data
        if (m_editor.isPainted() && m_editor.rows() == 0) {
            setTool(Tool::Paint);
        }
        fitRange(true);
        refreshSoon();
    });
    connect(&m_editor, &PointEditor::changed, this, &PaintPage::refreshSoon);
    connect(&m_document, &ExperimentDocument::faultsChanged, this, &PaintPage::refreshSoon);
    connect(&m_live, &LivePath::pathChanged, this, [this] {
        if (m_live.path() != nullptr && m_live.path()->edits.empty() && m_live.path()->isWhole) {
            m_asRead = m_live.path();
        }
        refreshChart();
        refreshStatus();
    });
    connect(&m_live, &LivePath::planeChanged, this, &PaintPage::refreshSoon);
    connect(&m_live, &LivePath::activityChanged, this, &PaintPage::refreshStatus);
    setTool(Tool::Move);
}

PaintPage::~PaintPage() {
    m_plane->setDrag({}); // it goes after the rows that it would ask about
}

QString PaintPage::statusText() const {
    return m_status->text();
}

void PaintPage::setTool(Tool tool) {
    m_tool = tool;
    m_tools->button(static_cast<int>(tool))->setChecked(true);
    refreshPointer();
}

void PaintPage::setBrush(int pixels) {
    m_brush->setValue(pixels);
}

void PaintPage::setClass(const QString& name) {
    if (const int known = m_class->findText(name); known >= 0) {
        m_class->setCurrentIndex(known);
    } else if (m_class->isEditable()) {
        m_class->setEditText(name);
    }
}

void PaintPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_editor.open();
    refreshSoon();
}

std::int64_t PaintPage::rowAt(const QPointF& pixel) const {
    std::int64_t nearest = -1;
    double least = kRowReach;
    for (std::int64_t row = 0; row < m_editor.rows(); ++row) {
        if (m_editor.isOmitted(row)) {
            continue;
        }
        const QPointF away = m_plane->toPixel({m_editor.value(row, m_axes.x), m_editor.value(row, m_axes.y)}) - pixel;
        if (const double distance = std::hypot(away.x(), away.y()); distance < least) {
            least = distance;
            nearest = row;
        }
    }
    return nearest;
}

std::vector<std::int64_t> PaintPage::rowsUnder(const QPointF& pixel) const {
    std::vector<std::int64_t> rows;
    const double radius = m_brush->value();
    for (std::int64_t row = 0; row < m_editor.rows(); ++row) {
        const QPointF away = m_plane->toPixel({m_editor.value(row, m_axes.x), m_editor.value(row, m_axes.y)}) - pixel;
        if (!m_editor.isOmitted(row) && std::hypot(away.x(), away.y()) <= radius) {
            rows.push_back(row);
        }
    }
    if (rows.empty() && rowAt(pixel) >= 0) {
        rows.push_back(rowAt(pixel));
    }
    return rows;
}

/// To the decimals that can be seen, so that edits stay short.
QPointF PaintPage::rounded(const QPointF& value) const {
    const auto round = [](double number, const ValueRange& range) {
        const double step = std::pow(10, std::floor(std::log10(std::max(range.high - range.low, 1e-300) / 2000)));
        const double steps = std::round(number / step);
        // A division by a power of ten gives the nearest number to the decimal text; a product may not.
        return step < 1 ? steps / std::round(1 / step) : steps * step;
    };
    return {round(value.x(), m_x), round(value.y(), m_y)};
}

void PaintPage::beginStroke(const QPointF& pixel) {
    m_isDragging = true;
    m_before = m_editor.text();
    m_hint.clear();
    m_touched = 0;
    m_last = pixel;
    if (m_tool == Tool::Move) {
        m_row = rowAt(pixel);
        m_grabbedBeside = pixel - m_plane->toPixel({m_editor.value(m_row, m_axes.x), m_editor.value(m_row, m_axes.y)});
        m_touched = 1;
    } else {
        paintAt(pixel);
    }
    m_plane->setFocus();
}

void PaintPage::continueStroke(const QPointF& pixel) {
    if (!m_isDragging) {
        return;
    }
    if (m_tool == Tool::Move) {
        const QPointF place = rounded(m_plane->toValue(pixel - m_grabbedBeside));
        m_editor.move(m_row, m_axes.x, place.x(), m_axes.y, place.y());
        return;
    }
    const double step = std::max(5.0, 0.6 * m_brush->value());
    const QPointF way = pixel - m_last;
    const double length = std::hypot(way.x(), way.y());
    const QPointF from = m_last;
    for (double done = step; done <= length; done += step) {
        m_last = from + way * (done / length);
        paintAt(m_last);
    }
}

void PaintPage::paintAt(const QPointF& pixel) {
    const std::string name = chosenClass();
    switch (m_tool) {
    case Tool::Move: break;
    case Tool::Paint: {
        if (!hasClass()) {
            break;
        }
        const double radius = m_brush->value();
        const int count = std::max(1, static_cast<int>(kDensity * radius * radius));
        RandomStream random(static_cast<std::uint64_t>(m_editor.rows()));
        for (int i = 0; i < count; ++i) {
            const double reach = radius * std::sqrt(random.uniform());
            const double turn = 6.283185307179586 * random.uniform();
            const QPointF place = rounded(m_plane->toValue(pixel + reach * QPointF(std::cos(turn), std::sin(turn))));
            m_editor.add(place.x(), place.y(), name);
            ++m_touched;
        }
        break;
    }
    case Tool::Erase: {
        const std::vector<std::int64_t> rows = rowsUnder(pixel);
        std::for_each(rows.rbegin(), rows.rend(), [this](std::int64_t row) { m_editor.erase(row); });
        m_touched += static_cast<int>(rows.size());
        break;
    }
    case Tool::Relabel:
        for (const std::int64_t row : hasClass() ? rowsUnder(pixel) : std::vector<std::int64_t>()) {
            m_touched += m_editor.className(row) == name ? 0 : 1;
            m_editor.relabel(row, name);
        }
        break;
    }
}

QString PaintPage::stepText() const {
    switch (m_tool) {
    case Tool::Move: return tr("moving row %1").arg(m_row);
    case Tool::Paint: return tr("painting %1 rows").arg(m_touched);
    case Tool::Erase: return tr("erasing %1 rows").arg(m_touched);
    case Tool::Relabel: return tr("relabelling %1 rows").arg(m_touched);
    }
    return {};
}

void PaintPage::endStroke() {
    if (!std::exchange(m_isDragging, false)) {
        return;
    }
    if (m_editor.text() != m_before) {
        m_editor.keep(stepText());
    }
    fitRange(false);
    refreshSoon();
}

void PaintPage::cancelStroke() {
    m_isDragging = false;
    m_editor.revert();
}

void PaintPage::fitRange(bool isAnew) {
    const auto fit = [&](std::int64_t feature, ValueRange& range) {
        double low = m_editor.isPainted() || m_editor.rows() == 0 ? 0 : std::numeric_limits<double>::infinity();
        double high = m_editor.isPainted() || m_editor.rows() == 0 ? 1 : -std::numeric_limits<double>::infinity();
        for (std::int64_t row = 0; row < m_editor.rows(); ++row) {
            if (const double value = m_editor.value(row, feature); std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
        if (!isAnew && low >= range.low && high <= range.high) {
            return; // what is seen stays where it is
        }
        const double margin = high > low ? kMargin * (high - low) : 1;
        range = std::isfinite(low) ? ValueRange{low - margin, high + margin} : ValueRange{0, 1};
    };
    if (m_editor.isOpen()) {
        fit(m_axes.x, m_x);
        fit(m_axes.y, m_y);
    }
}

void PaintPage::refreshSoon() {
    if (isVisible() && !m_frame.isActive()) {
        const qint64 since = m_sinceFrame.isValid() ? m_sinceFrame.elapsed() : kFrame;
        m_frame.start(static_cast<int>(std::max<qint64>(0, kFrame - since)));
    }
}

void PaintPage::request() {
    if (!m_editor.isOpen() || !m_document.json().isObject()) {
        return;
    }
    Json asked = m_document.json();
    if (asked.contains("data") && asked["data"].isObject()) {
        asked["data"].erase("edits");
    }
    const auto compute = [this](const Json& document) {
        m_live.request({document, m_document.places(), m_lane->currentText().toStdString()});
    };
    const std::string edits = m_editor.text();
    if (asked != m_unedited) { // first what the edits are compared with
        m_unedited = asked;
        m_asRead.reset();
        if (!m_editor.isPainted() && !edits.empty()) {
            compute(asked);
        }
    }
    if (!edits.empty()) {
        asked["data"]["edits"] = edits;
    }
    if (asked != m_asked) {
        m_asked = asked;
        compute(asked);
    }
}

void PaintPage::refresh() {
    m_sinceFrame.start();
    refreshChoosers();
    m_title->setText(m_editor.isPainted() ? tr("Painted rows") : tr("Rows of the data, edited"));
    if (!m_editor.isOpen()) {
        m_plane->setEmptyText(m_editor.trouble().isEmpty() ? tr("Reading the rows …") : m_editor.trouble());
        m_plane->setFigure({});
        refreshStatus();
        return;
    }
    m_plane->setEmptyText(tr("Choose Paint and draw rows of two classes."));
    const std::int64_t probed = probedRow();
    m_plane->setFigure(paintFigure({&m_editor, m_axes, m_x, m_y, m_live.path().get(), m_live.plane().get()}));
    if (probed >= 0) {
        probeRow(probed); // shapes before it come and go
    }
    ++m_frames;
    request();
    refreshStatus();
}

} // namespace lambdascope
