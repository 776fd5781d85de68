// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/embedding_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/point_cloud_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

EmbeddingTab::EmbeddingTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, false);
    row->addStretch(1);
    m_cloud = new PointCloudView(this);
    m_cloud->setAccessibleName(tr("Embedding at the cursor"));
    layout->addWidget(m_cloud, 1);
    connect(m_cloud, &PointCloudView::itemActivated, this, [this](const QString& id, int index) {
        const CloudFigure& figure = m_cloud->cloudFigure();
        if (index < 0 || index >= figure.points.size()) {
            return;
        }
        const CloudPoint point = figure.points[index];
        Q_EMIT itemSelected(chosenRun(),
                            tr("Point %1, class %2: (%3, %4)")
                                .arg(index + 1)
                                .arg(id.isEmpty() ? tr("none") : id, QString::fromStdString(shortText(point.x)),
                                     QString::fromStdString(shortText(point.y))));
        Q_EMIT samplePicked(chosenRun(), index);
    });
}

std::vector<FigureView*> EmbeddingTab::charts() const {
    return {m_cloud};
}

void EmbeddingTab::rebuild(const std::vector<ShownRun>& shown) {
    fillLanes(shown);
    if (shown.empty()) {
        m_cloud->setEmptyText(tr("The data under the learned solution appear here.\nPress F5 to run the experiment."));
    } else {
        m_cloud->setEmptyText(tr("No embedding is kept for this point of the lane.\n"
                                 "Press F5 to compute the experiment again."));
    }
}

void EmbeddingTab::moveCursor(const std::vector<ShownRun>& shown) {
    const ShownRun* run = chosen(shown);
    if (run == nullptr) {
        m_cloud->setFigure({});
        m_drawn = nullptr;
        return;
    }
    // The lane may be a point behind the cursor while lanes take turns: then its latest point is shown.
    int index = cursor().index();
    const int last = lastFinishedIndex({*run});
    index = index < 0 ? last : std::min(index, last);
    const PointRecord* point = run->record->finishedPoint(index);
    const Embedding* embedding = point == nullptr ? nullptr : point->embedding.get();
    if (embedding == m_drawn && embedding != nullptr && m_drawnRun == chosenRun()) {
        return;
    }
    m_cloud->setFigure(embeddingFigure(*run, index));
    m_drawn = embedding;
    m_drawnRun = chosenRun();
}

} // namespace lambdascope
