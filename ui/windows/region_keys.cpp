// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/region_keys.h"

#include <QApplication>
#include <QWidget>

namespace lambdascope {

RegionKeys::RegionKeys(QWidget* window, std::vector<Region> regions)
    : QObject(window), m_window(window), m_regions(std::move(regions)) {}

QWidget* RegionKeys::regionAt(int index) const {
    QWidget* region = m_regions[static_cast<std::size_t>(index)]();
    return region != nullptr && region->isVisible() ? region : nullptr;
}

int RegionKeys::current() const {
    const QWidget* focused = QApplication::focusWidget();
    for (int i = 0; focused != nullptr && i < static_cast<int>(m_regions.size()); ++i) {
        const QWidget* region = regionAt(i);
        if (region != nullptr && (region == focused || region->isAncestorOf(focused))) {
            return i;
        }
    }
    return -1;
}

QWidget* RegionKeys::firstOf(QWidget& region) {
    if (QWidget* last = region.focusWidget(); last != nullptr && last != &region && last->isVisible()) {
        return last; // where one was
    }
    if (region.focusPolicy() & Qt::TabFocus) {
        return &region;
    }
    // In the order of Tab, which goes round the whole window.
    for (QWidget* next = region.nextInFocusChain(); next != &region; next = next->nextInFocusChain()) {
        if (region.isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus)) {
            return next;
        }
    }
    return nullptr;
}

void RegionKeys::step(int by) {
    const int count = static_cast<int>(m_regions.size());
    const int from = current();
    for (int k = 1; k <= count; ++k) {
        const int next = from < 0 ? (by > 0 ? k - 1 : count - k) : ((from + by * k) % count + count) % count;
        QWidget* region = regionAt(next);
        QWidget* target = region == nullptr ? nullptr : firstOf(*region);
        if (target != nullptr) {
            target->setFocus(Qt::ShortcutFocusReason);
            return;
        }
    }
}

} // namespace lambdascope
