// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/safety_delegate.h"

#include "ui/session/runs/safety.h"

namespace lambdascope {

namespace {

/// Okabe–Ito bluish green, orange and vermillion, with at least 4.5 : 1 against light and dark tables.
QColor colourOf(Safety safety, bool isDark) {
    if (safety == Safety::Proven) {
        return isDark ? QColor(0x35, 0xc9, 0x9f) : QColor(0x00, 0x6b, 0x53);
    }
    if (safety == Safety::NotProven) {
        return isDark ? QColor(0xe6, 0x9f, 0x00) : QColor(0x80, 0x58, 0x00);
    }
    return isDark ? QColor(0xff, 0x8a, 0x4c) : QColor(0xa8, 0x43, 0x00);
}

} // namespace

SafetyDelegate::SafetyDelegate(int safetyRole, QObject* parent)
    : QStyledItemDelegate(parent), m_safetyRole(safetyRole) {}

void SafetyDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto safety = static_cast<Safety>(index.data(m_safetyRole).toInt());
    switch (safety) {
    case Safety::NothingDecided:
    case Safety::Unverified:
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
        break;
    case Safety::Proven:
    case Safety::NotProven:
    case Safety::Unsafe:
    case Safety::Wrong:
        option->palette.setColor(QPalette::Text,
                                 colourOf(safety, option->palette.color(QPalette::Base).lightness() < 128));
        option->font.setBold(safety == Safety::Wrong);
        break;
    }
}

} // namespace lambdascope
