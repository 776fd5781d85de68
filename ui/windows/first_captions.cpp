// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/first_captions.h"

#include "ui/charts/elided_label.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSettings>
#include <QTabBar>

#include <algorithm>

namespace lambdascope {

namespace {

const QString shownKey = QStringLiteral("captions/shown");
const QString captionName = QStringLiteral("first-caption");
constexpr int kGap = 6; // px to the ends of the target
constexpr int kPace = 10;
constexpr int kReadingTime = 12'000; // ms

} // namespace

FirstCaptions::FirstCaptions(QWidget* window, std::vector<Caption> captions)
    : QObject(window), m_window(window), m_captions(std::move(captions)) {
    m_farewell.setSingleShot(true);
    m_farewell.setInterval(kReadingTime);
    connect(&m_farewell, &QTimer::timeout, this, &FirstCaptions::close);
}

void FirstCaptions::showOnce() {
    if (QSettings().value(shownKey, false).toBool() || areShown()) {
        return;
    }
    QSettings().setValue(shownKey, true);
    for (const Caption& caption : m_captions) {
        auto* label = new QLabel(QString::fromUtf8(caption.isAbove ? "▼ " : "▲ ") + caption.words, m_window);
        label->setObjectName(captionName);
        label->setMargin(5);
        label->setFrameShape(QFrame::Box);
        label->setAutoFillBackground(true);
        label->setBackgroundRole(QPalette::ToolTipBase);
        label->setForegroundRole(QPalette::ToolTipText);
        label->setCursor(Qt::PointingHandCursor);
        label->setToolTip(tr("A click anywhere or Esc takes the captions away"));
        label->installEventFilter(this);
        m_labels.emplace_back(label);
        label->show();
    }
    qApp->installEventFilter(this);
    place();
}

void FirstCaptions::closeWhenRead() {
    if (areShown() && !m_farewell.isActive()) {
        m_farewell.start();
    }
}

void FirstCaptions::close() {
    m_farewell.stop();
    qApp->removeEventFilter(this);
    for (const QPointer<QLabel>& label : m_labels) {
        if (label != nullptr) {
            label->deleteLater();
        }
    }
    m_labels.clear();
}

void FirstCaptions::place() {
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const Caption& caption = m_captions[i];
        QLabel& label = *m_labels[i];
        label.setVisible(caption.target->isVisible());
        label.adjustSize();
        const QRect target(caption.target->mapTo(m_window, QPoint()), caption.target->size());
        const int most = std::max(0, m_window->width() - label.width());
        const int x = target.left() + kGap + int(caption.place * (target.width() - label.width() - 2 * kGap));
        const int y =
            caption.isAbove ? target.top() - label.height() - caption.distance : target.bottom() + caption.distance;
        const int lowest = std::max(0, m_window->height() - label.height());
        label.move(freePlace({std::clamp(x, 0, most), std::clamp(y, 0, lowest)}, i));
        label.raise();
    }
}

/// The free place nearest to `wanted`: along the target first, then farther from it.
QPoint FirstCaptions::freePlace(QPoint wanted, std::size_t caption) const {
    const QSize size = m_labels[caption]->size();
    const int most = std::max(0, m_window->width() - size.width());
    const int away = m_captions[caption].isAbove ? -kPace : kPace;
    const QRect target(m_captions[caption].target->mapTo(m_window, QPoint()), m_captions[caption].target->size());
    const std::vector<QRect> taken = placesTaken(caption);
    for (int y = wanted.y(); y >= 0 && y + size.height() <= m_window->height(); y += away) {
        for (int step = 0; step <= target.width(); step += kPace) { // to the right, then to the left
            for (const int x : {std::min(wanted.x() + step, most), std::max(wanted.x() - step, 0)}) {
                const QRect place(QPoint(x, y), size);
                if (std::none_of(taken.begin(), taken.end(), [&](const QRect& t) { return t.intersects(place); })) {
                    return place.topLeft();
                }
            }
        }
    }
    return wanted;
}

/// What a caption must not cover: the captions before it, whatever can be chosen or pressed, and words.
std::vector<QRect> FirstCaptions::placesTaken(std::size_t caption) const {
    std::vector<QRect> taken;
    for (std::size_t i = 0; i < caption; ++i) {
        taken.push_back(m_labels[i]->geometry());
    }
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool isCaption = label != nullptr && label->objectName() == captionName;
        const bool saysSomething = label != nullptr && !label->text().isEmpty() && !isCaption;
        const bool isKept = saysSomething || qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                            qobject_cast<const QComboBox*>(widget) != nullptr ||
                            dynamic_cast<const ElidedLabel*>(widget) != nullptr;
        const auto* tabs = qobject_cast<const QTabBar*>(widget);
        if (widget->isVisible() && (isKept || tabs != nullptr)) { // a bar may be wider than its tabs
            const QRect place = tabs == nullptr ? widget->rect() : tabs->tabRect(0) | tabs->tabRect(tabs->count() - 1);
            taken.push_back(place.translated(widget->mapTo(m_window, QPoint())));
        }
    }
    return taken;
}

bool FirstCaptions::eventFilter(QObject* watched, QEvent* event) {
    const bool isEscape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    const bool isOurs = std::any_of(m_labels.begin(), m_labels.end(),
                                    [watched](const QPointer<QLabel>& label) { return label == watched; });
    const bool isPress = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel;
    const auto* pressed = qobject_cast<const QWidget*>(watched);
    if ((isPress && pressed != nullptr && pressed->window() == m_window) || isEscape) {
        close();
        return isOurs; // the others go on to whom they are for
    }
    const bool moves =
        event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show;
    if (moves && !isOurs && areShown()) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        const bool isTarget = std::any_of(m_captions.begin(), m_captions.end(),
                                          [widget](const Caption& caption) { return caption.target == widget; });
        if (isTarget || watched == m_window || qobject_cast<const QComboBox*>(widget) != nullptr) {
            QMetaObject::invokeMethod(this, &FirstCaptions::place, Qt::QueuedConnection);
        }
    }
    return false;
}

} // namespace lambdascope
