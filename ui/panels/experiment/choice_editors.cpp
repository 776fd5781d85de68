// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/choice_editors.h"

#include "ui/panels/experiment/flow_layout.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace lambdascope {

namespace {

/// Scrolling the form must not change values that happen to pass under the pointer.
class CalmComboBox : public QComboBox {
  public:
    explicit CalmComboBox(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::StrongFocus); }

  protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus()) {
            QComboBox::wheelEvent(event);
        } else {
            event->ignore();
        }
    }
};

constexpr int kSmallestChoiceLength = 5; ///< characters; longer entries are elided, their tooltips are not

QString toText(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

BooleanEditor::BooleanEditor(const FieldDescription& field, QWidget* parent)
    : FieldEditor(parent), m_box(new QCheckBox(toText(field.label), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this] { Q_EMIT edited(value()); });
}

Json BooleanEditor::value() const {
    return m_box->isChecked();
}

void BooleanEditor::setValue(const Json& newValue) {
    m_box->setChecked(newValue.isBoolean() && newValue.get<bool>());
}

std::vector<QWidget*> BooleanEditor::inputs() const {
    return {m_box};
}

ChoiceEditor::ChoiceEditor(const FieldDescription& field, QWidget* parent)
    : FieldEditor(parent), m_box(new CalmComboBox(this)), m_choices(field.choices), m_help(toText(field.help)) {
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(kSmallestChoiceLength);
    for (const Choice& choice : m_choices) {
        m_box->addItem(toText(choice.label));
        m_box->setItemData(m_box->count() - 1, toText(choice.help), Qt::ToolTipRole);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &QComboBox::activated, this, [this] {
        updateTooltip();
        Q_EMIT edited(value());
    });
}

Json ChoiceEditor::value() const {
    const int index = m_box->currentIndex();
    const int count = static_cast<int>(m_choices.size());
    return index >= 0 && index < count ? Json(m_choices[static_cast<std::size_t>(index)].value) : m_foreign;
}

void ChoiceEditor::setValue(const Json& newValue) {
    const auto found = std::find_if(m_choices.begin(), m_choices.end(),
                                    [&](const Choice& choice) { return newValue == Json(choice.value); });
    const int count = static_cast<int>(m_choices.size());
    while (m_box->count() > count) {
        m_box->removeItem(count);
    }
    m_foreign = Json();
    if (found != m_choices.end()) {
        m_box->setCurrentIndex(static_cast<int>(found - m_choices.begin()));
    } else {
        m_foreign = newValue;
        m_box->addItem(toText(newValue.isText() ? newValue.get<std::string>() : newValue.dump()));
        m_box->setCurrentIndex(count);
    }
    updateTooltip();
}

void ChoiceEditor::updateTooltip() {
    const int index = m_box->currentIndex();
    const int count = static_cast<int>(m_choices.size());
    QString tip = m_help;
    if (index >= 0 && index < count) {
        const Choice& choice = m_choices[static_cast<std::size_t>(index)];
        tip += "\n" + toText(choice.label) + ": " + toText(choice.help);
    }
    m_box->setToolTip(tip);
}

std::vector<QWidget*> ChoiceEditor::inputs() const {
    return {m_box};
}

ChoicesEditor::ChoicesEditor(const FieldDescription& field, QWidget* parent)
    : FieldEditor(parent), m_choices(field.choices) {
    auto* layout = new FlowLayout(10, this);
    for (const Choice& choice : m_choices) {
        auto* box = new QCheckBox(toText(choice.label), this);
        box->setToolTip(toText(choice.help));
        layout->addWidget(box);
        m_boxes.push_back(box);
        connect(box, &QCheckBox::clicked, this, [this] { Q_EMIT edited(value()); });
    }
    if (!m_boxes.empty()) {
        setFocusProxy(m_boxes.front());
    }
}

Json ChoicesEditor::value() const {
    Json ticked = Json::array();
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes[i]->isChecked()) {
            ticked.push_back(m_choices[i].value);
        }
    }
    const auto contains = [](const Json& list, const Json& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    Json words = Json::array();
    for (const Json& word : m_given) {
        if (contains(ticked, word) && !contains(words, word)) {
            words.push_back(word);
        }
    }
    for (const Json& word : ticked) {
        if (!contains(words, word)) {
            words.push_back(word);
        }
    }
    return words;
}

void ChoicesEditor::setValue(const Json& newValue) {
    m_given = newValue.isArray() ? newValue : Json::array();
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const bool isOn = newValue.isArray() &&
                          std::find(newValue.begin(), newValue.end(), Json(m_choices[i].value)) != newValue.end();
        m_boxes[i]->setChecked(isOn);
    }
}

std::vector<QWidget*> ChoicesEditor::inputs() const {
    return {m_boxes.begin(), m_boxes.end()};
}

} // namespace lambdascope
