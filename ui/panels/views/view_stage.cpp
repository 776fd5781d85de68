// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/view_stage.h"

#include "ui/charts/figure_view.h"
#include "ui/panels/views/question_card.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int pictureFrame = 700; // ms between small pictures while lanes compute

QString questionText(Question question) {
    switch (question) {
    case Question::Screened: return ViewStage::tr("What is screened");
    case Question::Saved: return ViewStage::tr("What it saves");
    case Question::Learned: return ViewStage::tr("What is learned");
    case Question::Safe: return ViewStage::tr("Why it is safe");
    case Question::Converged: break;
    }
    return ViewStage::tr("How it converges");
}

} // namespace

ViewStage::ViewStage(RunCollection& runs, PathCursor& cursor, std::vector<ViewSpec> views, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor), m_views(std::move(views)), m_isOffered(m_views.size(), true) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_bar = new QTabBar(this);
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setUsesScrollButtons(true);
    m_bar->setAccessibleName(tr("Views of this question"));
    m_stack = new QStackedWidget(this);
    m_small = new QWidget(this);
    auto* small = new QHBoxLayout(m_small);
    small->setContentsMargins(4, 4, 4, 0);
    small->setSpacing(4);
    for (int k = 0; k < questionCount; ++k) {
        const auto question = static_cast<Question>(k);
        auto* card = new QuestionCard(questionText(question), m_small);
        card->setToolTip(tr("%1 (Ctrl+%2)").arg(questionText(question)).arg(k + 1));
        connect(card, &QuestionCard::clicked, this, [this, question] { choose(question); });
        m_cards[question] = card;
        small->addWidget(card, 1);
    }
    for (const ViewSpec& view : m_views) {
        m_stack->addWidget(view.tab);
    }
    layout->addWidget(m_bar);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_small);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab >= 0) {
            choose(m_bar->tabData(tab).toString());
        }
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &ViewStage::refreshNow);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &ViewStage::schedule);
    }
    present(0);
    refreshNow();
}

void ViewStage::schedule() {
    if (isVisible() && !m_rest.isActive()) {
        m_rest.start(pictureFrame);
    }
}

void ViewStage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_rest.start(0);
}

void ViewStage::refreshNow() {
    const std::vector<ShownRun> shown = shownRuns(m_runs);
    refreshOffer(shown);
    refreshCards(shown);
}

void ViewStage::refreshOffer(const std::vector<ShownRun>& shown) {
    std::vector<bool> offered;
    for (const ViewSpec& view : m_views) {
        offered.push_back(shown.empty() || !view.fits || view.fits(shown));
    }
    if (std::find(offered.begin(), offered.end(), true) == offered.end()) {
        offered.assign(offered.size(), true);
    }
    const bool isSame = offered == m_isOffered;
    m_isOffered = std::move(offered);
    if (isSame && m_isOffered[m_current] && (m_current == m_wanted || !m_isOffered[m_wanted])) {
        return;
    }
    std::size_t next = m_wanted;
    if (!m_isOffered[next]) {
        // What is learned is there for every family.
        const auto first =
            static_cast<std::size_t>(std::find(m_isOffered.begin(), m_isOffered.end(), true) - m_isOffered.begin());
        next = viewOf(m_views[m_wanted].question).value_or(viewOf(Question::Learned).value_or(first));
    }
    present(next);
}

void ViewStage::refreshCards(const std::vector<ShownRun>& shown) {
    for (const auto& [question, card] : m_cards) {
        const auto view = viewOf(question);
        card->setEnabled(view.has_value());
        if (!view) {
            card->setPicture(CurveFigure());
            card->setWords(tr("Nothing of it in these runs"));
            continue;
        }
        const ViewSpec& spec = m_views[*view];
        const std::vector<FigureView*> charts = spec.tab->charts();
        card->setPicture(spec.picture && !shown.empty() ? spec.picture(shown, m_cursor.index())
                         : !charts.empty()              ? charts.front()->figure()
                                                        : Figure(CurveFigure()));
        card->setWords(shown.empty() ? QString() : tr("Click to look"));
    }
}

QStringList ViewStage::offered() const {
    QStringList ids;
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (m_isOffered[i]) {
            ids << m_views[i].id;
        }
    }
    return ids;
}

std::size_t ViewStage::indexOf(const QString& id) const {
    const auto found =
        std::find_if(m_views.begin(), m_views.end(), [&id](const ViewSpec& view) { return view.id == id; });
    return found == m_views.end() ? m_current : static_cast<std::size_t>(found - m_views.begin());
}

std::optional<std::size_t> ViewStage::viewOf(Question question) const {
    if (const auto last = m_last.find(question); last != m_last.end() && m_isOffered[last->second]) {
        return last->second;
    }
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (m_isOffered[i] && m_views[i].question == question) {
            return i;
        }
    }
    return std::nullopt;
}

void ViewStage::choose(const QString& id) {
    m_wanted = indexOf(id);
    if (m_isOffered[m_wanted]) {
        present(m_wanted);
    }
}

void ViewStage::choose(Question question) {
    if (const auto view = viewOf(question)) {
        m_wanted = *view;
        present(*view);
    }
}

void ViewStage::step(int by) {
    const QStringList ids = offered();
    const auto place = std::max<qsizetype>(0, ids.indexOf(current().id));
    choose(ids[(place + by + ids.size()) % ids.size()]);
}

void ViewStage::present(std::size_t view) {
    const bool isNew = m_current != view;
    m_current = view;
    m_last[m_views[view].question] = view;
    m_stack->setCurrentWidget(m_views[view].tab);
    m_cards.at(m_views[view].question)->setChecked(true);
    fillBar();
    if (isNew) {
        Q_EMIT currentChanged();
    }
}

void ViewStage::fillBar() {
    const QSignalBlocker blocker(m_bar);
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (m_isOffered[i] && m_views[i].question == current().question) {
            wanted.push_back(i);
        }
    }
    bool isSame = m_bar->count() == static_cast<int>(wanted.size());
    for (int tab = 0; isSame && tab < m_bar->count(); ++tab) {
        isSame = m_bar->tabData(tab).toString() == m_views[wanted[static_cast<std::size_t>(tab)]].id;
    }
    if (!isSame) {
        while (m_bar->count() > 0) {
            m_bar->removeTab(0);
        }
        for (const std::size_t view : wanted) {
            m_bar->setTabData(m_bar->addTab(m_views[view].title), m_views[view].id);
        }
    }
    for (int tab = 0; tab < m_bar->count(); ++tab) {
        if (m_bar->tabData(tab).toString() == current().id) {
            m_bar->setCurrentIndex(tab);
        }
    }
    m_bar->setVisible(m_bar->count() > 1);
}

void ViewStage::setSmallShown(bool shown) {
    m_small->setVisible(shown);
}

QuestionCard* ViewStage::card(Question question) const {
    return m_cards.at(question);
}

} // namespace lambdascope
