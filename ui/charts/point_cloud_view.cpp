// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_cloud_view.h"

#include "ui/charts/link_painter.h"
#include "ui/charts/point_cloud_canvas.h"
#include "ui/charts/view_navigation.h"

#include <QAction>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

const QString shadowsId = QStringLiteral("shadows");

void addLinkEntries(const CloudFigure& figure, bool arePointsVisible, const ChartTheme& theme,
                    QVector<LegendBar::Entry>& entries) {
    if (!figure.shadows.isEmpty()) {
        if (entries.isEmpty()) {
            ResolvedStyle style;
            style.colour = classColour(0, theme);
            style.marker = classMarker(0);
            entries.append({QStringLiteral("0"), figure.pointsName, style, false, arePointsVisible});
        }
        entries.append({shadowsId, figure.shadowsName, shadowStyle(theme), true, figure.showsShadows});
    }
    for (const LinkGroup& group : figure.linkGroups) {
        entries.append({group.id, group.name, linkStyle(group, theme), true, group.visible});
    }
}

} // namespace

class PointCloudView::State {
  public:
    PointCloudCanvas* canvas = nullptr;
    QAction* follow = nullptr;
    QVector<bool> hidden;
    QSet<QString> hiddenLinks; ///< ids of groups, and that of shadows; they outlive a figure
};

PointCloudView::PointCloudView(QWidget* parent) : FigureView(parent), m_state(std::make_unique<State>()) {
    m_state->canvas = new PointCloudCanvas(this);
    attachCanvas(m_state->canvas);
    m_state->follow = makeAction("follow", tr("Follow new data"), Qt::Key_F, true);
    addTool(m_state->follow, tr("Follow"));
    connect(m_state->follow, &QAction::toggled, this, [this](bool follow) {
        if (follow) {
            resetZoom();
        }
    });
    connectNavigator();
    applyTheme();
    valuesChanged();
}

PointCloudView::~PointCloudView() = default;

void PointCloudView::connectNavigator() {
    PointCloudCanvas* canvas = m_state->canvas;
    PlotNavigator* navigator = &canvas->navigator();
    connectZoomAndPan(canvas, this, [canvas](const PlotExtent& view) { canvas->setView(view); });
    connect(navigator, &PlotNavigator::resetRequested, this, &PointCloudView::resetZoom);
    connect(navigator, &PlotNavigator::clicked, this, [this, canvas](const QPointF& pixel) {
        const int point = canvas->pointAt(pixel, 10);
        if (point >= 0) {
            const int group = canvas->figure().classes.value(point, 0);
            emit itemActivated(canvas->figure().classNames.value(group, QString::number(group)), point);
        } else {
            emit emptyPlaceClicked();
        }
    });
    connect(navigator, &PlotNavigator::stepped, this, [navigator](int right, int up) {
        emit navigator->panRequested({-0.1 * right, -0.1 * up});
    });
}

void PointCloudView::setFigure(const CloudFigure& figure) {
    const CloudFigure& former = cloudFigure();
    if (former.classNames != figure.classNames || m_state->hidden.isEmpty()) {
        m_state->hidden.fill(false, std::max<qsizetype>(1, figure.classNames.size()));
        m_state->canvas->setHidden(m_state->hidden);
    }
    if (m_state->follow->isChecked() || former.x.title != figure.x.title || former.y.title != figure.y.title) {
        m_state->canvas->resetView();
    }
    setTitle(figure.title);
    CloudFigure shown = figure;
    for (LinkGroup& group : shown.linkGroups) {
        group.visible = group.visible && !m_state->hiddenLinks.contains(group.id);
    }
    shown.showsShadows = shown.showsShadows && !m_state->hiddenLinks.contains(shadowsId);
    m_state->canvas->setFigure(shown);
    refreshLegend();
    valuesChanged();
}

void PointCloudView::updatePoints(const QVector<CloudPoint>& points) {
    CloudFigure next = cloudFigure();
    next.points = points;
    setFigure(next);
}

Figure PointCloudView::figure() const {
    return m_state->canvas->figure();
}

const CloudFigure& PointCloudView::cloudFigure() const {
    return m_state->canvas->figure();
}

void PointCloudView::setEntryVisible(const QString& id, bool visible) {
    bool isClass = false;
    const int index = id.toInt(&isClass);
    if (isClass) {
        setClassVisible(index, visible);
        return;
    }
    if (visible) {
        m_state->hiddenLinks.remove(id);
    } else {
        m_state->hiddenLinks.insert(id);
    }
    const QVector<LinkGroup>& groups = cloudFigure().linkGroups;
    for (int group = 0; group < groups.size(); ++group) {
        if (groups[group].id == id) {
            m_state->canvas->setLinksShown(group, visible);
        }
    }
    if (id == shadowsId) {
        m_state->canvas->setShadowsShown(visible);
    }
    refreshLegend();
}

void PointCloudView::setClassVisible(int index, bool visible) {
    if (index >= 0 && index < m_state->hidden.size()) {
        m_state->hidden[index] = !visible;
        m_state->canvas->setHidden(m_state->hidden);
    }
    refreshLegend();
}

bool PointCloudView::isClassVisible(int index) const {
    return !m_state->hidden.value(index, false);
}

void PointCloudView::soloClass(int index) {
    bool alone = true;
    for (int other = 0; other < m_state->hidden.size(); ++other) {
        alone = alone && (other == index || m_state->hidden[other]);
    }
    for (int other = 0; other < m_state->hidden.size(); ++other) {
        m_state->hidden[other] = !alone && other != index;
    }
    m_state->canvas->setHidden(m_state->hidden);
    refreshLegend();
}

void PointCloudView::soloEntry(const QString& id) {
    bool isClass = false;
    const int index = id.toInt(&isClass);
    if (isClass) {
        soloClass(index);
    }
}

void PointCloudView::emphasizeEntry(const QString& id) {
    bool isClass = false;
    const int index = id.toInt(&isClass);
    m_state->canvas->setEmphasized(isClass && isClassVisible(index) ? index : -1);
}

void PointCloudView::setHighlighted(const QVector<int>& points) {
    m_state->canvas->setHighlighted(points);
}

int PointCloudView::pointAt(const QPointF& pixel, double reach) const {
    return m_state->canvas->pointAt(pixel, reach);
}

QPointF PointCloudView::toPixel(const QPointF& value) const {
    return m_state->canvas->frame().placeValue(value);
}

QPointF PointCloudView::toValue(const QPointF& pixel) const {
    return m_state->canvas->frame().valueAt(pixel);
}

bool PointCloudView::isZoomed() const {
    return m_state->canvas->isZoomed();
}

void PointCloudView::setFollow(bool follow) {
    m_state->follow->setChecked(follow);
}

bool PointCloudView::isFollowing() const {
    return m_state->follow->isChecked();
}

QWidget* PointCloudView::canvas() const {
    return m_state->canvas;
}

void PointCloudView::applyTheme() {
    m_state->canvas->setTheme(theme(), emptyText());
    refreshLegend();
}

void PointCloudView::doResetZoom() {
    m_state->canvas->resetView();
}

QVector<LegendBar::Entry> PointCloudView::legendEntries() const {
    QVector<LegendBar::Entry> entries;
    const QStringList& names = cloudFigure().classNames;
    for (int index = 0; index < names.size(); ++index) {
        ResolvedStyle style;
        style.colour = classColour(index, theme());
        style.marker = classMarker(index);
        entries.append({QString::number(index), names[index], style, false, isClassVisible(index)});
    }
    addLinkEntries(cloudFigure(), isClassVisible(0), theme(), entries);
    return entries;
}

} // namespace lambdascope
