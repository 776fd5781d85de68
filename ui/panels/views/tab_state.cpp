// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/tab_state.h"

#include "ui/charts/figure_view.h"
#include "ui/panels/views/run_tab.h"

#include <QCheckBox>
#include <QComboBox>

namespace lambdascope {

namespace {

const char* const detailKey = "detail";

/// The choosers or tick boxes of the tab itself: not those inside of its charts.
template <class Widget>
std::vector<Widget*> choosersOf(const RunTab& tab) {
    std::vector<Widget*> own;
    for (Widget* widget : tab.findChildren<Widget*>()) {
        const QWidget* above = widget;
        while (above != &tab && qobject_cast<const FigureView*>(above) == nullptr) {
            above = above->parentWidget();
        }
        if (above == &tab && !widget->accessibleName().isEmpty()) {
            own.push_back(widget);
        }
    }
    return own;
}

void choose(QComboBox& chooser, const QString& words) {
    // What a chooser says, else what stands for it: names of measures outlive their words.
    const int byWords = chooser.findText(words);
    const int index = byWords >= 0 ? byWords : chooser.findData(words);
    if (index >= 0 && index != chooser.currentIndex()) {
        chooser.setCurrentIndex(index);
        Q_EMIT chooser.activated(index); // as if by hand
    }
}

} // namespace

Json tabState(const RunTab& tab) {
    Json state = Json::object();
    for (const QComboBox* chooser : choosersOf<QComboBox>(tab)) {
        if (chooser->isVisibleTo(&tab) && chooser->currentIndex() >= 0) {
            state[chooser->accessibleName().toStdString()] = chooser->currentText().toStdString();
        }
    }
    for (const QCheckBox* box : choosersOf<QCheckBox>(tab)) {
        state[box->accessibleName().toStdString()] = box->isChecked();
    }
    if (Json detail = tab.detail(); !detail.isNull()) {
        state[detailKey] = std::move(detail);
    }
    return state;
}

void restoreTab(RunTab& tab, const Json& state) {
    tab.refreshNow();
    if (!state.isObject()) {
        return;
    }
    for (const JsonMember& member : state.items()) {
        const QString name = QString::fromStdString(member.key);
        for (QComboBox* chooser : choosersOf<QComboBox>(tab)) {
            if (chooser->accessibleName() == name && member.value.isText()) {
                choose(*chooser, QString::fromStdString(member.value.text()));
                tab.refreshNow(); // what others offer may depend on it
            }
        }
        for (QCheckBox* box : choosersOf<QCheckBox>(tab)) {
            if (box->accessibleName() == name && member.value.isBoolean()) {
                box->setChecked(member.value.get<bool>());
            }
        }
    }
    try {
        if (state.contains(detailKey)) {
            tab.restoreDetail(state.at(detailKey));
        }
    } catch (const JsonError&) { // then without it
    }
}

} // namespace lambdascope
