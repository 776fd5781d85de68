// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/swatch_delegate.h"

namespace lambdascope {

SwatchDelegate::SwatchDelegate(int styleRole, QObject* parent) : QStyledItemDelegate(parent), m_styleRole(styleRole) {}

void SwatchDelegate::setSwatch(std::function<QIcon(int styleIndex)> swatch) {
    m_swatch = std::move(swatch);
    forget();
}

void SwatchDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant place = index.data(m_styleRole);
    if (!m_swatch || !place.isValid()) {
        return; // a row that is no run
    }
    const int style = place.toInt();
    auto found = m_icons.find(style);
    if (found == m_icons.end()) {
        found = m_icons.emplace(style, m_swatch(style)).first;
    }
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = found->second;
    const QList<QSize> sizes = found->second.availableSizes();
    option->decorationSize = sizes.isEmpty() ? option->decorationSize : sizes.front();
}

} // namespace lambdascope
