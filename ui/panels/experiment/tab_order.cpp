// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/tab_order.h"

#include <QLayout>
#include <QScrollArea>
#include <QWidget>

#include <vector>

namespace lambdascope {

namespace {

void collect(QWidget* widget, std::vector<QWidget*>& inputs);

void collect(QLayout* layout, std::vector<QWidget*>& inputs) {
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (item->widget() != nullptr) {
            collect(item->widget(), inputs);
        } else if (item->layout() != nullptr) {
            collect(item->layout(), inputs);
        }
    }
}

void collect(QWidget* widget, std::vector<QWidget*>& inputs) {
    if (const auto* area = qobject_cast<QScrollArea*>(widget)) {
        if (area->widget() != nullptr) {
            collect(area->widget(), inputs);
        }
        return;
    }
    // A widget with a proxy is only a frame round the inputs that its layout holds.
    if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr) {
        inputs.push_back(widget);
        return;
    }
    if (widget->layout() != nullptr) {
        collect(widget->layout(), inputs);
    }
}

} // namespace

void orderTabsByLayout(QWidget* root) {
    std::vector<QWidget*> inputs;
    collect(root, inputs);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        QWidget::setTabOrder(inputs[i - 1], inputs[i]);
    }
}

} // namespace lambdascope
