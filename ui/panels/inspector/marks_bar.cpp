// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/marks_bar.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

QString grouped(std::int64_t count) {
    return QString::fromStdString(groupedText(count));
}

/// "1 triplet", "12 triplets".
QString counted(std::int64_t count, QString plural) {
    if (count == 1 && plural.endsWith(QLatin1Char('s'))) {
        plural.chop(1);
    }
    return grouped(count) + QLatin1Char(' ') + plural;
}

/// "97.7 %"; all and none only where that is so.
QString shareText(std::int64_t part, std::int64_t whole) {
    const double percent = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    const double shown = part == 0 || part == whole ? percent : std::clamp(percent, 0.1, 99.9);
    return MarksBar::tr("%1 %").arg(QString::fromStdString(shortText(shown, 3)));
}

/// The lane's bounds where its name does not tell them: " by PGB or RRPB".
QString boundsText(const QString& name, const LaneSettings& settings) {
    const auto bounds = settings.find("lane.bounds");
    if (bounds == settings.end() || !bounds->second.isArray()) {
        return {};
    }
    QStringList names;
    bool isTold = true;
    for (const Json& bound : bounds->second) {
        names << QString::fromStdString(bound.isText() ? bound.get<std::string>() : std::string());
        isTold = isTold && name.contains(names.back());
    }
    return isTold ? QString() : MarksBar::tr(" by %1").arg(names.join(MarksBar::tr(" or ")));
}

/// ", first at points 3 to 31 (half by point 12)": points as the slider counts them.
QString sinceText(const DecisionCount& count) {
    if (count.decided == 0) {
        return {};
    }
    const QString whole = count.firstAt == count.lastAt
                              ? MarksBar::tr(", first at point %1").arg(count.firstAt + 1)
                              : MarksBar::tr(", first at points %1 to %2").arg(count.firstAt + 1).arg(count.lastAt + 1);
    return count.firstAt == count.lastAt ? whole : whole + MarksBar::tr(" (half by point %1)").arg(count.halfAt + 1);
}

QString relationText(const PointRelations& told) {
    const auto violatedText = [](const PointRelations::Count& count) {
        const std::int64_t all = count.holding + count.violated;
        return all == 0 ? MarksBar::tr("none")
                        : MarksBar::tr("%1 of %2 violated (%3)")
                              .arg(grouped(count.violated), grouped(all), shareText(count.violated, all));
    };
    QString words =
        MarksBar::tr("%1 among them alone: %2").arg(QString::fromStdString(told.noun), violatedText(told.training));
    if (told.heldOut.holding + told.heldOut.violated > 0) {
        words += MarksBar::tr(", held-out %1").arg(violatedText(told.heldOut));
    }
    return words;
}

} // namespace

MarksBar::MarksBar(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor), m_lens(lens), m_brush(lens.brush()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    auto* title = new QLabel(QStringLiteral("<b>%1</b>").arg(tr("Marked items")), this);
    m_text = new QLabel(this);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAccessibleName(tr("What the marked items have in common"));
    auto* clear = new QPushButton(tr("Unmark"), this);
    clear->setToolTip(tr("Marks nothing any more; so does Esc, or a click in a chart where no item is"));
    connect(clear, &QPushButton::clicked, &m_brush, &ItemBrush::clear);
    auto* header = new QHBoxLayout;
    header->addWidget(title, 1);
    header->addWidget(clear);
    layout->addLayout(header);
    layout->addWidget(m_text);
    connect(&m_brush, &ItemBrush::marksChanged, this, &MarksBar::refresh);
    connect(&m_brush, &ItemBrush::answersChanged, this, &MarksBar::refresh);
    connect(&lens, &RunLensSession::activityChanged, this, &MarksBar::refresh);
    connect(&cursor, &PathCursor::moved, this, &MarksBar::refresh);
    refresh();
}

void MarksBar::setRun(RunId run) {
    if (run != m_run) {
        m_run = run;
        refresh();
    }
}

QString MarksBar::text() const {
    return m_brush.isEmpty() ? QString() : m_text->text();
}

QString MarksBar::markedText() const {
    const RunRecord* record = m_runs.record(m_brush.run());
    if (record == nullptr) {
        return {};
    }
    const QString noun = QString::fromStdString(record->start().itemNoun);
    const auto samples = m_brush.count(ItemBrush::Kind::Samples);
    const auto items = m_brush.count(ItemBrush::Kind::Items);
    if (noun.isEmpty()) {
        return tr("%1 marked. Runs of this family screen nothing.").arg(counted(samples.value_or(0), tr("points")));
    }
    const QString belonging = QString::fromStdString(m_brush.belonging());
    if (m_brush.kind() == ItemBrush::Kind::Items) {
        const QString marked = tr("%1 marked").arg(counted(items.value_or(0), noun));
        return belonging.isEmpty() || !samples ? marked + QLatin1Char('.')
                                               : tr("%1, of %2.").arg(marked, counted(*samples, tr("samples")));
    }
    const QString marked = tr("%1 marked").arg(counted(samples.value_or(0), tr("samples")));
    if (!m_brush.trouble().isEmpty()) {
        return tr("%1. %2").arg(marked, m_brush.trouble());
    }
    if (!items) {
        return tr("%1, counting …").arg(marked);
    }
    return belonging.isEmpty() ? marked + QLatin1Char('.')
                               : tr("%1: %2 %3.").arg(marked, counted(*items, noun), belonging);
}

QString MarksBar::progressText() const {
    const double share = m_lens.share(ItemBrush::countTopic());
    return share >= 0 ? tr("counting … %1 %").arg(static_cast<int>(100 * share)) : tr("counting …");
}

QString MarksBar::laneText(const ItemBrush::Answer& answer) const {
    const RunRecord& record = *m_runs.record(answer.run);
    const int last = static_cast<int>(record.finishedPointCount()) - 1;
    const int point = m_cursor.index() < 0 ? last : std::min(m_cursor.index(), last);
    const PointRecord* at = record.finishedPoint(point);
    const QString name = m_runs.display(answer.run).name;
    const QString place = at == nullptr ? name
                                        : tr("%1 at %2 = %3 (point %4)")
                                              .arg(name, QString::fromStdString(record.start().axisLabel),
                                                   QString::fromStdString(shortText(at->axisValue)))
                                              .arg(point + 1);
    if (!answer.trouble.isEmpty()) {
        return tr("%1: %2").arg(name, answer.trouble);
    }
    if (answer.relations) {
        return tr("%1: %2.").arg(place, relationText(*answer.relations));
    }
    if (!answer.decided) {
        return tr("%1: %2").arg(place, progressText());
    }
    const DecisionCount& count = *answer.decided;
    if (answer.sets.empty()) {
        return tr("%1 has no bounds and screens none of them.").arg(name);
    }
    QStringList sets;
    for (std::size_t set = 0; set < answer.sets.size(); ++set) {
        if (count.ofSets[set] > 0) {
            sets << tr("%1 in %2").arg(grouped(count.ofSets[set]), QString::fromStdString(answer.sets[set]));
        }
    }
    const std::int64_t undecided = count.items - count.decided;
    QString share = shareText(count.decided, count.items);
    if (!sets.isEmpty()) {
        share += QStringLiteral("; ") + sets.join(QStringLiteral(", "));
    }
    return tr("%1: %2 screened%3 (%4)%5; %6 undecided.")
        .arg(place, grouped(count.decided), boundsText(name, m_runs.settings(answer.run)), share, sinceText(count),
             undecided == 0 ? tr("none") : grouped(undecided));
}

QString MarksBar::briefText(const ItemBrush::Answer& answer) const {
    const QString name = m_runs.display(answer.run).name;
    if (answer.decided) {
        return QStringLiteral("%1 %2 (%3)")
            .arg(name, grouped(answer.decided->decided), shareText(answer.decided->decided, answer.decided->items));
    }
    if (answer.relations) {
        return tr("%1 %2 violated").arg(name, grouped(answer.relations->training.violated));
    }
    return answer.trouble.isEmpty() ? tr("%1 …").arg(name) : tr("%1 ?").arg(name);
}

void MarksBar::refresh() {
    setVisible(!m_brush.isEmpty());
    m_brush.setPoint(m_cursor.index());
    if (m_brush.isEmpty()) {
        return;
    }
    const bool isLost = !m_brush.trouble().isEmpty() && !m_brush.count(ItemBrush::Kind::Items); // it is said once
    const auto answers = isLost ? std::vector<ItemBrush::Answer>() : m_brush.answers();
    const RunId told = m_brush.covers(m_run) ? m_run : m_brush.run();
    QString text = markedText();
    QStringList others;
    for (const ItemBrush::Answer& answer : answers) {
        if (answer.run == told) {
            text += QLatin1Char('\n') + laneText(answer);
        } else {
            others << briefText(answer);
        }
    }
    if (!others.isEmpty()) {
        text += QLatin1Char('\n') + tr("Other lanes: %1.").arg(others.join(QStringLiteral(", ")));
    }
    if (text != m_text->text()) {
        m_text->setText(text);
    }
}

} // namespace lambdascope
