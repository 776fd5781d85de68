// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/lanes_editor.h"

#include "ui/panels/experiment/fault_label.h"
#include "ui/panels/experiment/lane_card.h"

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <set>

namespace lambdascope {

LanesEditor::LanesEditor(ExperimentDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_layout(new QVBoxLayout(this)), m_faults(new FaultLabel(this)),
      m_add(new QPushButton(tr("Add lane"), this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    m_heading = new QLabel(this);
    QFont font = m_heading->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.1);
    m_heading->setFont(font);
    m_layout->addWidget(m_heading);
    m_layout->addWidget(m_faults);
    m_add->setToolTip(tr("Another variant to compare"));
    m_add->setAccessibleName(tr("Add lane"));
    m_layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_document.addLane();
        if (!m_cards.empty()) {
            m_cards.back()->setUnfolded(true);
            m_cards.back()->nameEdit()->setFocus();
            m_cards.back()->nameEdit()->selectAll();
        }
    });
    rebuild();
}

void LanesEditor::sayWhatLanesAre() {
    const FamilySchema* family = m_document.family();
    const bool canScreen = family != nullptr && family->lane.find("bounds") != nullptr;
    m_heading->setText(canScreen ? tr("Screening lanes") : tr("Lanes"));
    m_heading->setToolTip(
        canScreen ? tr("Variants that run side by side on the same problem, seed and path. A lane without screening "
                       "is the baseline for CPU ratios.")
                  : tr("Variants that run side by side on the same problem, seed and path."));
}

void LanesEditor::rebuild() {
    sayWhatLanesAre();
    std::multiset<QString> unfolded;
    for (LaneCard* card : m_cards) {
        if (card->isUnfolded()) {
            unfolded.insert(card->nameEdit()->text());
        }
        m_layout->removeWidget(card);
        card->hide();
        card->deleteLater();
    }
    m_cards.clear();
    for (int lane = 0; lane < m_document.laneCount(); ++lane) {
        auto* card = new LaneCard(m_document, lane, this);
        if (const auto found = unfolded.find(m_document.laneName(lane)); found != unfolded.end()) {
            unfolded.erase(found);
            card->setUnfolded(true);
        }
        connect(card, &LaneCard::fieldsBuilt, this, &LanesEditor::rebuilt);
        connect(card, &LaneCard::varyRequested, this, &LanesEditor::varyRequested);
        m_layout->insertWidget(m_layout->count() - 1, card);
        m_cards.push_back(card);
    }
    Q_EMIT rebuilt();
}

void LanesEditor::refresh() {
    for (LaneCard* card : m_cards) {
        card->refresh();
    }
}

LaneCard* LanesEditor::cardOf(const QString& keyPath) const {
    for (LaneCard* card : m_cards) {
        const QString prefix = QString("lanes[%1]").arg(card->lane());
        if (keyPath == prefix || keyPath.startsWith(prefix + ".")) {
            return card;
        }
    }
    return nullptr;
}

FieldRow* LanesEditor::row(const QString& keyPath) const {
    LaneCard* card = cardOf(keyPath);
    return card != nullptr ? card->row(keyPath) : nullptr;
}

void LanesEditor::setFaults(const std::vector<Fault>& faults) {
    std::vector<Fault> own;
    std::vector<std::vector<Fault>> ofCards(m_cards.size());
    for (const Fault& fault : faults) {
        LaneCard* card = cardOf(QString::fromStdString(fault.key));
        (card != nullptr ? ofCards[static_cast<std::size_t>(card->lane())] : own).push_back(fault);
    }
    m_faults->setFaults(own);
    for (LaneCard* card : m_cards) {
        card->setFaults(ofCards[static_cast<std::size_t>(card->lane())]);
    }
}

} // namespace lambdascope
