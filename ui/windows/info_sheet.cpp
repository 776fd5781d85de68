// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/info_sheet.h"

#include "ui/panels/shared/icon_set.h"

#include <QApplication>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kPageWidth = 640;
constexpr int kPageHeight = 620;
constexpr int kMargin = 24;

} // namespace

InfoSheet::InfoSheet(QWidget* window) : QWidget(window) {
    auto* frame = new QFrame(this);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    m_page = frame;
    auto* layout = new QVBoxLayout(frame);
    auto* head = new QHBoxLayout;
    m_title = new QLabel;
    QFont font = m_title->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.3);
    m_title->setFont(font);
    auto* dismiss = new QToolButton;
    dismiss->setIcon(themedIcon(QStringLiteral("close")));
    dismiss->setAutoRaise(true);
    dismiss->setToolTip(tr("Close (Esc)"));
    dismiss->setAccessibleName(tr("Close this page"));
    head->addWidget(m_title, 1);
    head->addWidget(dismiss);
    m_text = new QTextBrowser;
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenExternalLinks(true);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    connect(dismiss, &QToolButton::clicked, this, &InfoSheet::close);
    // Esc must reach the sheet, not the window's Stop.
    m_text->installEventFilter(this);
    dismiss->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

void InfoSheet::open(const QString& title, const QString& html) {
    m_title->setText(title);
    m_text->setHtml(html);
    m_text->setAccessibleName(title);
    if (isHidden()) {
        m_focusBefore = QApplication::focusWidget();
    }
    place();
    show();
    raise();
    m_text->setFocus();
}

void InfoSheet::close() {
    hide();
    if (m_focusBefore != nullptr && window()->isAncestorOf(m_focusBefore)) {
        m_focusBefore->setFocus();
    }
    m_focusBefore = nullptr;
}

QString InfoSheet::title() const {
    return m_title->text();
}

QString InfoSheet::plainText() const {
    return m_text->toPlainText();
}

void InfoSheet::place() {
    setGeometry(parentWidget()->rect());
    const QSize size(std::min(kPageWidth, width() - kMargin), std::min(kPageHeight, height() - kMargin));
    m_page->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

bool InfoSheet::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) {
            place();
        }
        return false;
    }
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            close();
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void InfoSheet::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0, 0, 0, 110));
}

void InfoSheet::mousePressEvent(QMouseEvent* event) {
    if (!m_page->geometry().contains(event->pos())) {
        close();
    }
}

} // namespace lambdascope
