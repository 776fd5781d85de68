// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/notice_bar.h"

#include "ui/panels/shared/icon_set.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace lambdascope {

namespace {

constexpr int kKeptNotices = 4;
constexpr auto kSourceProperty = "noticeSource";
constexpr auto kTextProperty = "noticeText";

QString severityWord(Severity severity) {
    switch (severity) {
    case Severity::Problem: return NoticeBar::tr("Problem");
    case Severity::Warning: return NoticeBar::tr("Warning");
    case Severity::Information: break;
    }
    return NoticeBar::tr("Note");
}

QString severityIcon(Severity severity) {
    switch (severity) {
    case Severity::Problem: return QStringLiteral("error");
    case Severity::Warning: return QStringLiteral("warning");
    case Severity::Information: break;
    }
    return QStringLiteral("info");
}

QColor severityColour(Severity severity) {
    switch (severity) {
    case Severity::Problem: return {213, 94, 0};  // Okabe–Ito vermillion
    case Severity::Warning: return {230, 159, 0}; // orange
    case Severity::Information: break;
    }
    return {86, 180, 233}; // sky blue
}

/// A row with a coloured edge; the icon and the word say the same as the colour.
class NoticeRow : public QFrame {
  public:
    NoticeRow(Severity severity, QWidget* parent) : QFrame(parent), m_severity(severity) {
        setAttribute(Qt::WA_StyledBackground, false);
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QColor wash = severityColour(m_severity);
        painter.fillRect(rect(), palette().color(QPalette::Base));
        wash.setAlpha(36);
        painter.fillRect(rect(), wash);
        painter.fillRect(0, 0, 4, height(), severityColour(m_severity));
    }

  private:
    Severity m_severity;
};

} // namespace

Notice noticeFor(const Error& error, const QString& source) {
    Notice notice{error.code == ErrorCode::Stopped ? Severity::Information : Severity::Problem, {}, {}, source};
    QStringList messages;
    QStringList remedies;
    for (const Fault& fault : error.told()) {
        QStringList parts;
        if (const std::string place = fault.place.text(); !place.empty()) {
            parts << QString::fromStdString(place);
        }
        if (!fault.key.empty()) {
            parts << QString::fromStdString(fault.key);
        }
        parts << QString::fromStdString(fault.message);
        messages << parts.join(QStringLiteral(": "));
        const QString remedy = QString::fromStdString(fault.remedy);
        if (!remedy.isEmpty() && !remedies.contains(remedy)) {
            remedies << remedy;
        }
    }
    if (const std::string more = error.untold(); !more.empty()) {
        messages << QString::fromStdString(more);
    }
    notice.message = messages.isEmpty() ? QString::fromStdString(error.message) : messages.join(QLatin1Char('\n'));
    notice.remedy = remedies.join(QLatin1Char(' '));
    return notice;
}

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this)) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(2);
    setAccessibleName(tr("Notices"));
    setVisible(false);
}

void NoticeBar::show(const Notice& notice) {
    if (!notice.source.isEmpty()) {
        dismissSource(notice.source);
    }
    auto* row = new NoticeRow(notice.severity, this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(12, 6, 6, 6);
    auto* icon = new QLabel(row);
    icon->setPixmap(themedIcon(severityIcon(notice.severity)).pixmap(QSize(20, 20), devicePixelRatioF()));
    layout->addWidget(icon, 0, Qt::AlignTop);

    QString message = notice.message;
    if (!notice.remedy.isEmpty() && !message.isEmpty() && message.back().isLetterOrNumber()) {
        message += QLatin1Char('.');
    }
    QString rich = QStringLiteral("<b>%1:</b> %2")
                       .arg(severityWord(notice.severity), message.toHtmlEscaped().replace('\n', "<br>"));
    if (!notice.remedy.isEmpty()) {
        rich += QStringLiteral(" <i>%1</i>").arg(notice.remedy.toHtmlEscaped());
    }
    auto* text = new QLabel(rich, row);
    text->setWordWrap(true);
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const QString plain = (severityWord(notice.severity) + ": " + message + " " + notice.remedy).trimmed();
    text->setAccessibleName(plain);
    dismissWhere(kTextProperty, plain); // said by somebody else
    layout->addWidget(text, 1);

    for (int action = 0; action < notice.actions.size(); ++action) {
        auto* button = new QPushButton(notice.actions[action], row);
        connect(button, &QPushButton::clicked, this, [this, row, source = notice.source, action] {
            remove(row);
            Q_EMIT actionChosen(source, action);
        });
        layout->addWidget(button, 0, Qt::AlignTop);
    }
    auto* dismiss = new QToolButton(row);
    dismiss->setAutoRaise(true);
    dismiss->setIcon(themedIcon(QStringLiteral("close")));
    dismiss->setToolTip(tr("Dismiss"));
    dismiss->setAccessibleName(tr("Dismiss this notice"));
    connect(dismiss, &QToolButton::clicked, this, [this, row] { remove(row); });
    layout->addWidget(dismiss, 0, Qt::AlignTop);

    row->setProperty(kSourceProperty, notice.source);
    row->setProperty(kTextProperty, plain);
    m_rows->addWidget(row);
    while (m_rows->count() > kKeptNotices) {
        remove(m_rows->itemAt(0)->widget());
    }
    setVisible(true);
    Q_EMIT noticeShown(plain);
}

void NoticeBar::dismissSource(const QString& source) {
    dismissWhere(kSourceProperty, source);
}

void NoticeBar::dismissWhere(const char* property, const QString& value) {
    for (int i = m_rows->count() - 1; i >= 0; --i) {
        if (QWidget* row = m_rows->itemAt(i)->widget(); row->property(property).toString() == value) {
            remove(row);
        }
    }
}

void NoticeBar::dismissAll() {
    while (m_rows->count() > 0) {
        remove(m_rows->itemAt(0)->widget());
    }
}

int NoticeBar::noticeCount() const {
    return m_rows->count();
}

QStringList NoticeBar::texts() const {
    QStringList result;
    for (int i = 0; i < m_rows->count(); ++i) {
        result << m_rows->itemAt(i)->widget()->property(kTextProperty).toString();
    }
    return result;
}

void NoticeBar::remove(QWidget* row) {
    m_rows->removeWidget(row);
    row->hide();
    row->deleteLater(); // the click that dismisses it is still being handled
    setVisible(m_rows->count() > 0);
}

} // namespace lambdascope
