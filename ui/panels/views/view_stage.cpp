// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/view_stage.h"

#include "ui/charts/figure_view.h"
#include "ui/figures/figure_remarks.h"
#include "ui/panels/views/question_card.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

constexpr double kWhatNoAxisTells = 1e-6; // of values, as a share of them
constexpr int kPictureFrame = 700;        // ms between small pictures while lanes compute
constexpr int kLeastForPictures =
    420; // px; in a stage that is less high the large chart needs the room of the small ones

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

bool anyHasEnded(const std::vector<ShownRun>& shown) {
    return std::any_of(shown.begin(), shown.end(), [](const ShownRun& run) { return run.record->hasEnded(); });
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
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->setChildrenCollapsible(false);
    m_stack = new QStackedWidget(m_split);
    m_besidePane = new QWidget(m_split);
    auto* besideLayout = new QVBoxLayout(m_besidePane);
    besideLayout->setContentsMargins(0, 4, 4, 0);
    besideLayout->setSpacing(0);
    m_besideChooser = new QComboBox(m_besidePane);
    m_besideChooser->setAccessibleName(tr("View beside the large one"));
    m_besideChooser->setMinimumContentsLength(8);
    m_besideStack = new QStackedWidget(m_besidePane);
    besideLayout->addWidget(m_besideChooser, 0, Qt::AlignLeft);
    besideLayout->addWidget(m_besideStack, 1);
    m_besidePane->hide();
    connect(m_besideChooser, &QComboBox::activated, this,
            [this] { setBeside(m_besideChooser->currentData().toString()); });
    m_small = new QWidget(this);
    auto* small = new QHBoxLayout(m_small);
    small->setContentsMargins(4, 4, 4, 0);
    small->setSpacing(4);
    for (int k = 0; k < kQuestionCount; ++k) {
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
    layout->addWidget(m_split, 1);
    layout->addWidget(m_small);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab >= 0) {
            choose(m_bar->tabData(tab).toString());
        }
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        refreshOffer(shownRuns(m_runs));
        m_stale = {m_cards.begin(), m_cards.end()};
        m_made.reset(); // it may be that of another card
        m_next.start(0);
    });
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &ViewStage::refreshNextCard);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &ViewStage::schedule);
    }
    present(0);
    refreshNow();
}

void ViewStage::schedule() {
    if (isVisible() && !m_rest.isActive()) {
        m_rest.start(kPictureFrame);
    }
}

void ViewStage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_rest.start(0);
}

void ViewStage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (const auto& [question, card] : m_cards) {
        card->setCompact(height() < kLeastForPictures);
    }
}

void ViewStage::refreshNow() {
    const std::vector<ShownRun> shown = shownRuns(m_runs);
    refreshOffer(shown);
    m_stale.clear();
    m_made.reset();
    for (const auto& [question, card] : m_cards) {
        card->setPicture(pictureOf(question, shown));
    }
}

void ViewStage::refreshNextCard() {
    if (m_stale.empty()) {
        return;
    }
    // Others have their turn between a figure and its picture.
    if (!m_made) {
        m_made = pictureOf(m_stale.begin()->first, shownRuns(m_runs));
    } else {
        m_stale.begin()->second->setPicture(*std::exchange(m_made, std::nullopt));
        m_stale.erase(m_stale.begin());
    }
    m_next.start(0);
}

void ViewStage::refreshOffer(const std::vector<ShownRun>& shown) {
    std::vector<bool> offered;
    for (const ViewSpec& view : m_views) {
        offered.push_back(shown.empty() ||
                          ((!view.fits || view.fits(shown)) && (!view.needsEnd || anyHasEnded(shown))));
    }
    if (std::find(offered.begin(), offered.end(), true) == offered.end()) {
        offered.assign(offered.size(), true);
    }
    const bool isSame = offered == m_isOffered;
    m_isOffered = std::move(offered);
    if (isSame && m_isOffered[m_current] && (m_current == m_wanted || !m_isOffered[m_wanted])) {
        return; // what stands beside is as it was, too
    }
    std::size_t next = m_wanted;
    if (!m_isOffered[next]) {
        // Until a run has ended its rates tell most; what is learned is there for every family.
        const auto first =
            static_cast<std::size_t>(std::find(m_isOffered.begin(), m_isOffered.end(), true) - m_isOffered.begin());
        const auto rates = m_views[m_wanted].needsEnd ? viewOf(Question::Screened) : std::nullopt;
        next = viewOf(m_views[m_wanted].question).value_or(rates.value_or(viewOf(Question::Learned).value_or(first)));
    }
    present(next);
}

Figure ViewStage::pictureOf(Question question, const std::vector<ShownRun>& shown) {
    QuestionCard* card = m_cards.at(question);
    const auto view = viewOf(question);
    card->setEnabled(view.has_value());
    if (!view) {
        const bool isToCome = std::any_of(m_views.begin(), m_views.end(), [&](const ViewSpec& spec) {
            return spec.question == question && spec.needsEnd && spec.fits(shown);
        });
        card->setWords(isToCome ? tr("When the run has ended") : tr("Nothing of it in these runs"));
        return CurveFigure();
    }
    const ViewSpec& spec = m_views[*view];
    const std::vector<FigureView*> charts = spec.tab->charts();
    Figure picture = spec.picture && !shown.empty() ? spec.picture(shown, m_cursor.index())
                     : !charts.empty()              ? charts.front()->figure()
                                                    : Figure(CurveFigure());
    const auto* curves = std::get_if<CurveFigure>(&picture);
    const QString level = curves != nullptr ? levelText(*curves, kWhatNoAxisTells) : QString();
    const QString unseen = spec.words ? spec.words(shown) : anyHasEnded(shown) ? tr("Click to look") : tr("Not yet");
    card->setWords(!level.isEmpty() ? level : shown.empty() ? QString() : unseen);
    return level.isEmpty() ? picture : Figure(CurveFigure()); // a line across says less than its number
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

void ViewStage::open(const QString& view) {
    choose(view.section(QLatin1Char('/'), 0, 0));
    m_views[m_wanted].tab->prefer(view.section(QLatin1Char('/'), 1));
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
    if (m_beside == view) { // they change places
        m_beside = m_current;
    }
    if (m_views[view].tab->parentWidget() != m_stack) { // it stood beside
        m_stack->addWidget(m_views[view].tab);
    }
    m_current = view;
    m_last[m_views[view].question] = view;
    m_stack->setCurrentWidget(m_views[view].tab);
    m_cards.at(m_views[view].question)->setChecked(true);
    fillBar();
    presentBeside();
    if (isNew) {
        Q_EMIT currentChanged();
    }
}

void ViewStage::presentBeside() {
    const bool isShown = m_beside && *m_beside != m_current && m_isOffered[*m_beside];
    if (isShown) {
        if (m_views[*m_beside].tab->parentWidget() != m_besideStack) {
            m_besideStack->addWidget(m_views[*m_beside].tab);
        }
        m_besideStack->setCurrentWidget(m_views[*m_beside].tab);
        fillBesideChooser();
    }
    const bool isNew = isShown && m_besidePane->isHidden();
    m_besidePane->setVisible(isShown);
    if (isNew) { // not after the words in it
        m_split->setSizes({3 * width(), 2 * width()});
    }
}

void ViewStage::fillBesideChooser() {
    m_besideChooser->clear();
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (m_isOffered[i] && i != m_current) {
            m_besideChooser->addItem(m_views[i].title, m_views[i].id);
        }
    }
    m_besideChooser->setCurrentIndex(m_besideChooser->findData(beside()));
}

QString ViewStage::beside() const {
    return m_beside ? m_views[*m_beside].id : QString();
}

void ViewStage::setBeside(const QString& id) {
    const QString before = beside();
    if (m_beside) {
        m_stack->addWidget(m_views[*m_beside].tab);
        m_stack->setCurrentWidget(m_views[m_current].tab);
    }
    m_beside = id.isEmpty() || id == current().id ? std::nullopt : std::optional(indexOf(id));
    if (m_beside == m_current) { // no such view
        m_beside.reset();
    }
    presentBeside();
    if (before != beside()) {
        Q_EMIT besideChanged();
    }
}

QByteArray ViewStage::arrangement() const {
    QStringList sizes;
    for (const int size : m_split->sizes()) {
        sizes << QString::number(size);
    }
    return QStringList{m_views[m_wanted].id, beside(), sizes.join(QLatin1Char(','))}.join(QLatin1Char(' ')).toUtf8();
}

void ViewStage::arrange(const QByteArray& arrangement) {
    const QStringList parts = QString::fromUtf8(arrangement).split(QLatin1Char(' '));
    setBeside({});
    choose(parts.value(0));
    setBeside(parts.value(1));
    QList<int> sizes;
    for (const QString& size : parts.value(2).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        sizes << size.toInt();
    }
    if (sizes.size() == m_split->count() && !beside().isEmpty()) {
        m_split->setSizes(sizes);
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

void ViewStage::enlarge(const RunTab* tab) {
    m_small->setVisible(tab == nullptr);
    const bool isBeside = tab != nullptr && m_besideStack->currentWidget() == tab && m_besidePane->isVisible();
    m_stack->setVisible(!isBeside);
    if (tab == nullptr) {
        presentBeside();
    } else {
        m_besidePane->setVisible(isBeside);
    }
}

QuestionCard* ViewStage::card(Question question) const {
    return m_cards.at(question);
}

} // namespace lambdascope
