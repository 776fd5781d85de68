// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/embedding_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/point_cloud_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace lambdascope {

EmbeddingTab::EmbeddingTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    layout->setSpacing(2);
    auto* row = new QHBoxLayout;
    m_lane = new QComboBox;
    m_lane->setAccessibleName(tr("Lane"));
    m_lane->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* label = new QLabel(tr("Lane"));
    label->setBuddy(m_lane);
    row->addWidget(label);
    row->addWidget(m_lane);
    row->addStretch(1);
    layout->addLayout(row);
    m_cloud = new PointCloudView(this);
    m_cloud->setAccessibleName(tr("Embedding at the cursor"));
    layout->addWidget(m_cloud, 1);
    connect(m_lane, &QComboBox::currentIndexChanged, this, &EmbeddingTab::invalidate);
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
    });
}

std::vector<FigureView*> EmbeddingTab::charts() const {
    return {m_cloud};
}

RunId EmbeddingTab::chosenRun() const {
    return m_lane->currentIndex() < 0 ? RunId{} : RunId{m_lane->currentData().toLongLong()};
}

void EmbeddingTab::choose(RunId id) {
    if (const int index = m_lane->findData(QVariant::fromValue<qlonglong>(id.value)); index >= 0) {
        m_lane->setCurrentIndex(index);
    }
}

void EmbeddingTab::fillChooser(const std::vector<ShownRun>& shown) {
    bool isSame = m_lane->count() == static_cast<int>(shown.size());
    for (int i = 0; isSame && i < m_lane->count(); ++i) {
        const ShownRun& run = shown[static_cast<std::size_t>(i)];
        isSame = m_lane->itemText(i) == run.name && m_lane->itemData(i).toLongLong() == run.record->id().value;
    }
    if (isSame) {
        return;
    }
    const RunId before = chosenRun();
    const QSignalBlocker blocker(m_lane);
    m_lane->clear();
    for (const ShownRun& run : shown) {
        m_lane->addItem(run.name, QVariant::fromValue<qlonglong>(run.record->id().value));
    }
    m_lane->setCurrentIndex(shown.empty() ? -1 : 0);
    choose(before);
}

void EmbeddingTab::rebuild(const std::vector<ShownRun>& shown) {
    fillChooser(shown);
    if (shown.empty()) {
        m_cloud->setEmptyText(tr("The data under the learned solution appear here.\nPress F5 to run the experiment."));
    } else {
        m_cloud->setEmptyText(tr("No embedding is kept for this point of the lane.\n"
                                 "Press F5 to compute the experiment again."));
    }
}

void EmbeddingTab::moveCursor(const std::vector<ShownRun>& shown) {
    const RunId chosen = chosenRun();
    const auto run = std::find_if(shown.begin(), shown.end(),
                                  [&](const ShownRun& candidate) { return candidate.record->id() == chosen; });
    if (run == shown.end()) {
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
    if (embedding == m_drawn && embedding != nullptr && m_drawnRun == chosen) {
        return;
    }
    m_cloud->setFigure(embeddingFigure(*run, index));
    m_drawn = embedding;
    m_drawnRun = chosen;
}

} // namespace lambdascope
