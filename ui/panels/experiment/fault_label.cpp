// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/fault_label.h"

#include <QEvent>

namespace lambdascope {

QColor faultColour(const QPalette& palette) {
    const bool isDark = palette.color(QPalette::Window).lightness() < 128;
    return isDark ? QColor(0xff, 0x9a, 0x8f) : QColor(0xa8, 0x12, 0x12);
}

FaultLabel::FaultLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Long paths and numbers must not widen the form.
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setVisible(false);
    updateColour();
}

void FaultLabel::setFaults(const std::vector<Fault>& faults) {
    QStringList lines;
    for (const Fault& fault : faults) {
        QString line = QString::fromStdString(fault.message);
        if (!line.isEmpty()) {
            line[0] = line[0].toUpper();
        }
        // "Takes a whole number, not …" says already what to give.
        if (!fault.remedy.empty() && !fault.message.starts_with("takes ")) {
            line += ". " + QString::fromStdString(fault.remedy);
        }
        lines << line;
    }
    setMessage(lines.join("\n"));
}

void FaultLabel::setMessage(const QString& message) {
    const QString shown = message.isEmpty() ? QString() : QString::fromUtf8("⚠ ") + message;
    if (shown != text()) {
        setText(shown);
        setAccessibleName(message.isEmpty() ? QString() : tr("Problem: %1").arg(message));
    }
    setVisible(!message.isEmpty());
}

void FaultLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        updateColour();
    }
}

void FaultLabel::updateColour() {
    const QColor colour = faultColour(palette());
    if (palette().color(QPalette::WindowText) != colour) {
        QPalette changed = palette();
        changed.setColor(QPalette::WindowText, colour);
        changed.setColor(QPalette::Text, colour);
        setPalette(changed);
    }
}

} // namespace lambdascope
