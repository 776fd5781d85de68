// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PaintPage that makes its widgets and keeps them true.
#include "ui/charts/plot_view.h"
#include "ui/charts/shape_view.h"
#include "ui/figures/figure_builders.h"
#include "ui/figures/measure_figures.h"
#include "ui/panels/experiment/data_tables.h"
#include "ui/panels/experiment/flow_layout.h"
#include "ui/panels/experiment/paint_page.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

/// Leaves a box alone that has the names already: it may be open, or in writing.
void fill(QComboBox* box, const QStringList& names) {
    QStringList shown;
    for (int i = 0; i < box->count(); ++i) {
        shown << box->itemText(i);
    }
    if (shown != names) {
        const QSignalBlocker blocker(box);
        const QString chosen = box->currentText();
        box->clear();
        box->addItems(names);
        if (const int known = box->findText(chosen); known >= 0) {
            box->setCurrentIndex(known);
        } else if (box->isEditable() && !chosen.isEmpty()) {
            box->setEditText(chosen);
        }
    }
}

/// A ring of the size of the brush.
QCursor brushPointer(int radius, qreal ratio, const QPalette& palette) {
    if (radius < 4) {
        return Qt::CrossCursor;
    }
    const int side = 2 * radius + 5;
    QPixmap picture(QSize(side, side) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF middle(side / 2.0, side / 2.0);
    for (const auto& [role, width] : {std::pair(QPalette::Base, 3.0), std::pair(QPalette::Text, 1.2)}) {
        painter.setPen(QPen(palette.color(role), width));
        painter.drawEllipse(middle, radius, radius);
        painter.drawPoint(middle);
    }
    painter.end();
    return QCursor(picture, side / 2, side / 2);
}

} // namespace

void PaintPage::refreshChoosers() {
    m_class->setEditable(m_editor.isPainted());
    QStringList classes;
    for (const std::string& name : m_editor.classes()) {
        classes << QString::fromStdString(name);
    }
    for (const char* name : {"A", "B"}) {
        if (m_editor.isPainted() && !classes.contains(QLatin1String(name))) {
            classes << QString::fromLatin1(name);
        }
    }
    fill(m_class, classes);
    if (m_tool == Tool::Paint && m_editor.isOpen() && m_editor.features() != 2) {
        setTool(Tool::Move);
    }
    m_tools->button(static_cast<int>(Tool::Paint))->setEnabled(m_editor.features() == 2);
    m_tools->button(static_cast<int>(Tool::Relabel))->setEnabled(!classes.isEmpty());
    m_class->setEnabled(!classes.isEmpty());
    m_fresh->setVisible(!m_editor.isPainted());
    for (QWidget* chooser : m_features) {
        chooser->setVisible(m_editor.features() > 2);
    }
    QStringList features;
    for (std::int64_t feature = 0; feature < m_editor.features(); ++feature) {
        features << m_editor.featureName(feature);
    }
    for (auto [box, axis] : {std::pair(m_xFeature, m_axes.x), std::pair(m_yFeature, m_axes.y)}) {
        fill(box, features);
        box->setCurrentIndex(axis);
    }
    QStringList lanes;
    for (int i = 0; i < m_document.laneCount(); ++i) {
        lanes << m_document.laneName(i);
    }
    const bool isKnown = lanes.contains(m_lane->currentText());
    fill(m_lane, lanes);
    if (!isKnown) {
        m_lane->setCurrentText(QString::fromStdString(LivePath::usualLane(m_document.json())));
    }
}

void PaintPage::refreshChart() {
    std::vector<ShownRun> runs;
    if (m_asRead != nullptr && m_asRead != m_live.path()) {
        runs.push_back({&m_asRead->record, nullptr, QStringLiteral("as-read"), tr("as read"), 1});
    }
    if (m_live.path() != nullptr) {
        runs.push_back({&m_live.path()->record, nullptr, QStringLiteral("now"), tr("now"), 0});
    }
    CurveFigure figure = rateFigure(runs, ScreeningStage::BeforeSolved);
    if (figure.curves.isEmpty() && !runs.empty()) {
        const RunRecord& record = *runs.back().record;
        if (const auto column = record.columnWithRole(ColumnRole::Objective)) {
            figure = measureFigure(runs, QString::fromStdString(record.start().columns[*column].key));
        }
    }
    m_chart->setFigure(figure);
    if (m_live.path() != nullptr && m_live.path()->record.finishedPointCount() > 0) {
        const auto& points = m_live.path()->record.points();
        const auto last = m_live.path()->record.finishedPointCount() - 1;
        m_chart->setCursor(points[m_point < 0 ? last : std::min<std::size_t>(last, std::size_t(m_point))].axisValue);
    }
}

void PaintPage::refreshStatus() {
    QStringList words;
    if (!m_editor.trouble().isEmpty()) {
        words << m_editor.trouble();
    } else if (m_editor.isPainted() && m_editor.classes().size() == 1) {
        words << tr("Now choose another class, and paint rows of it.");
    } else if (!m_live.trouble().empty()) {
        words << QString::fromStdString(m_live.trouble());
    } else if (m_live.path() != nullptr) {
        words << tr("Path of %1: %2 points in %3 ms")
                     .arg(QString::fromStdString(m_live.path()->record.start().laneName))
                     .arg(m_live.path()->record.finishedPointCount())
                     .arg(qRound(1e3 * m_live.path()->seconds));
        if (!m_live.path()->isWhole) {
            words << tr("the rest is being computed");
        }
    }
    if (!m_hint.isEmpty()) {
        words.prepend(m_hint);
    } else if (m_editor.isOpen() && m_editor.rows() >= PointEditor::kMostRows) {
        words << tr("no more than %1 rows are edited here").arg(PointEditor::kMostRows);
    }
    m_status->setText(words.join(QStringLiteral(" · ")));
    const QString summary = QString::fromStdString(editsSummary(m_editor.isOpen() ? m_editor.text() : std::string()));
    m_sentence->setText(summary.isEmpty() ? tr("Nothing is changed yet.") : summary);
    m_discard->setEnabled(!summary.isEmpty());
    m_run->setEnabled(m_document.isRunnable());
    m_run->setToolTip(m_document.isRunnable() ? tr("Compute the experiment with these rows (F5)")
                                              : m_document.reasonNotRunnable());
}

void PaintPage::choosePoint(double axisValue) {
    const auto& path = m_live.path();
    if (path == nullptr) {
        return;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < path->record.finishedPointCount(); ++k) {
        const double away = std::abs(std::log(path->record.points()[k].axisValue / axisValue));
        if (away < least) {
            least = away;
            m_point = path->record.points()[k].index;
            m_chart->setCursor(path->record.points()[k].axisValue);
        }
    }
    m_live.lookAt(m_point, m_axes);
}

QPushButton* PaintPage::makeButton(const QString& name, const QString& hint, std::function<void()> act) {
    auto* button = new QPushButton(name, this);
    button->setToolTip(hint);
    connect(button, &QPushButton::clicked, this, std::move(act));
    return button;
}

void PaintPage::buildHeader(QBoxLayout* layout) {
    auto* row = new QHBoxLayout;
    m_title = dataHeading(this);
    m_sentence = new QLabel(this);
    m_sentence->setAccessibleName(tr("What is changed"));
    m_sentence->setMinimumWidth(1);
    m_discard = makeButton(tr("Discard all edits"), tr("Rows as they were read; it can be undone"), [this] {
        m_editor.clear();
        m_editor.keep(tr("discarding all edits"));
    });
    m_run = makeButton(tr("Run"), {}, [this] { Q_EMIT runRequested(); });
    row->addWidget(m_title);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_discard);
    row->addWidget(makeButton(tr("Look at the data"), tr("First rows, classes and ranges (F4)"),
                              [this] { Q_EMIT dataRequested(); }));
    row->addWidget(m_run);
    layout->addLayout(row);
}

QWidget* PaintPage::addPart(QLayout* row, const QString& name, QWidget* part) {
    auto* holder = new QWidget(this);
    auto* within = new QHBoxLayout(holder);
    within->setContentsMargins(0, 0, 0, 0);
    holder->setMinimumHeight(m_run->sizeHint().height()); // as high as buttons, so that lines of parts are even
    auto* label = new QLabel(name, holder);
    label->setBuddy(part);
    within->addWidget(label);
    within->addWidget(part);
    row->addWidget(holder);
    return holder;
}

QComboBox* PaintPage::makeChooser(const QString& name, const QString& hint, std::function<void()> act) {
    auto* box = new QComboBox(this);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(7);
    box->setAccessibleName(name);
    box->setToolTip(hint);
    connect(box, &QComboBox::activated, this, std::move(act));
    return box;
}

void PaintPage::buildTools(QBoxLayout* layout) {
    auto* flow = new FlowLayout(8);
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_tools = new QButtonGroup(this);
    const std::array<std::pair<QString, QString>, 4> kinds{
        {{tr("Move"), tr("Drag a row to another place; by keys: arrows choose a row, with Ctrl they move it")},
         {tr("Paint"), tr("Add rows of the class chosen here, to data with two features; by keys: Insert")},
         {tr("Erase"), tr("Take painted rows away, and leave others out; by keys: Delete")},
         {tr("Relabel"), tr("Put rows into the class chosen here; by keys: C")}}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        QPushButton* button = makeButton(kinds[i].first, kinds[i].second, [this, i] { setTool(static_cast<Tool>(i)); });
        button->setCheckable(true);
        QFont bold = button->font();
        bold.setBold(true);
        button->setMinimumWidth(QFontMetrics(bold).horizontalAdvance(kinds[i].first) + 24);
        connect(button, &QPushButton::toggled, button, [button, bold](bool isOn) {
            QFont font = bold;
            font.setBold(isOn);
            button->setFont(font);
        });
        m_tools->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    flow->addWidget(tools);
    m_class = makeChooser(tr("Class"), tr("Of painted and relabelled rows; a painted set takes any name"), [] {});
    addPart(flow, tr("Class"), m_class);
    m_brush = new QSlider(Qt::Horizontal, this);
    m_brush->setRange(0, 60);
    m_brush->setValue(16);
    m_brush->setFixedWidth(90);
    m_brush->setAccessibleName(tr("Size of the brush"));
    m_brush->setToolTip(tr("Size of the brush; at the left, one row"));
    connect(m_brush, &QSlider::valueChanged, this, &PaintPage::refreshPointer);
    addPart(flow, tr("Brush"), m_brush);
    const auto takeAxes = [this] {
        if (m_xFeature->currentIndex() != m_yFeature->currentIndex()) {
            m_axes = {m_xFeature->currentIndex(), m_yFeature->currentIndex()};
            fitRange(true);
            m_live.lookAt(m_point, m_axes);
        }
        refreshSoon();
    };
    m_xFeature = makeChooser(tr("Across"), tr("Feature along the horizontal axis"), takeAxes);
    m_yFeature = makeChooser(tr("Up"), tr("Feature along the vertical axis"), takeAxes);
    for (QComboBox* box : {m_xFeature, m_yFeature}) {
        box->setMinimumContentsLength(10);
    }
    m_features = {addPart(flow, tr("Across"), m_xFeature), addPart(flow, tr("Up"), m_yFeature)};
    m_lane = makeChooser(tr("Lane"), tr("Whose path is computed while rows move"), [this] {
        m_asked = m_unedited = {};
        refreshSoon();
    });
    m_lane->setMinimumContentsLength(12);
    addPart(flow, tr("Lane"), m_lane);
    m_fresh = makeButton(tr("New set"), tr("Put an empty set in place of these data, to be painted; it can be undone"),
                         [this] {
                             m_document.setValue(QStringLiteral("data.source"), std::string(kPaintedSource));
                             setTool(Tool::Paint);
                         });
    flow->addWidget(m_fresh);
    layout->addLayout(flow);
}

void PaintPage::buildViews(QBoxLayout* layout) {
    m_views = new QBoxLayout(QBoxLayout::LeftToRight);
    m_plane = new ShapeView(this);
    m_plane->setAccessibleName(tr("Rows to edit"));
    m_chart = new PlotView(this);
    m_chart->setAccessibleName(tr("Path of these rows"));
    m_chart->setEmptyText(tr("The path of these rows appears here."));
    m_views->addWidget(m_plane, 3);
    m_views->addWidget(m_chart, 2);
    layout->addLayout(m_views, 1);
    m_status = new QLabel(this);
    m_status->setWordWrap(true);
    layout->addWidget(m_status);
    connect(m_plane, &ShapeView::dragBegan, this, &PaintPage::beginStroke);
    connect(m_plane, &ShapeView::dragMoved, this, &PaintPage::continueStroke);
    connect(m_plane, &ShapeView::dragEnded, this, &PaintPage::endStroke);
    connect(m_chart, &PlotView::cursorMoved, this, &PaintPage::choosePoint);
}

void PaintPage::refreshPointer() {
    const bool isBrush = m_tool != Tool::Move;
    m_brush->setEnabled(isBrush);
    m_plane->setDrag(
        [this](const QPointF& pixel) { return m_editor.isOpen() && (m_tool != Tool::Move || rowAt(pixel) >= 0); },
        isBrush ? brushPointer(m_brush->value(), devicePixelRatioF(), palette()) : Qt::SizeAllCursor);
}

void PaintPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_views->setDirection(width() > height() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace lambdascope
