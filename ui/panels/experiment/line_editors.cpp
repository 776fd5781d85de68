// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/line_editors.h"

#include "core/common/number_text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

#include <limits>

namespace lambdascope {

namespace {

constexpr int kSmallestWidth = 56; ///< px; four digits and a caret

QLineEdit* makeLine(QWidget* parent) {
    auto* line = new QLineEdit(parent);
    line->setMinimumWidth(kSmallestWidth);
    line->setMaxLength(std::numeric_limits<int>::max()); // Qt's own 32,767 would cut edits of many rows, unsaid
    return line;
}

QHBoxLayout* makeRow(QWidget* parent) {
    auto* layout = new QHBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    return layout;
}

/// A number if `text` is one, else the text itself, for the field to complain about.
Json numberOrText(const QString& text) {
    const std::string plain = text.trimmed().toStdString();
    if (const auto integer = parseInteger(plain)) {
        return *integer;
    }
    const auto real = parseNumber(plain);
    return real ? Json(*real) : Json(plain);
}

QString textOf(const Json& value) {
    return value.isNumber() ? numberText(value)
           : value.isText() ? QString::fromStdString(value.get<std::string>())
                            : QString::fromStdString(value.dump());
}

} // namespace

NumberEditor::NumberEditor(const FieldDescription& field, QWidget* parent)
    : FieldEditor(parent), m_text(makeLine(this)), m_emptyWord(QString::fromStdString(field.emptyWord)) {
    QHBoxLayout* layout = makeRow(this);
    layout->addWidget(m_text, 1);
    setFocusProxy(m_text);
    connect(m_text, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(value()); });
    if (!m_emptyWord.isEmpty()) {
        m_empty = new QToolButton(this);
        m_empty->setText(m_emptyWord);
        m_empty->setCheckable(true);
        m_empty->setFocusPolicy(Qt::StrongFocus);
        m_empty->setToolTip(tr("Use \"%1\" instead of a number").arg(m_emptyWord));
        layout->addWidget(m_empty);
        connect(m_empty, &QToolButton::clicked, this, [this](bool isEmpty) {
            m_text->setEnabled(!isEmpty);
            m_text->setPlaceholderText(isEmpty ? m_emptyWord : QString());
            if (isEmpty) {
                m_text->clear();
            } else {
                m_text->setFocus();
            }
            Q_EMIT edited(value());
        });
    }
}

Json NumberEditor::value() const {
    if (m_empty != nullptr && (m_empty->isChecked() || m_text->text().trimmed() == m_emptyWord)) {
        return m_emptyWord.toStdString();
    }
    return numberOrText(m_text->text());
}

void NumberEditor::setValue(const Json& newValue) {
    if (newValue == value()) {
        return;
    }
    const bool isEmpty =
        m_empty != nullptr && newValue.isText() && QString::fromStdString(newValue.get<std::string>()) == m_emptyWord;
    if (m_empty != nullptr) {
        m_empty->setChecked(isEmpty);
        m_text->setPlaceholderText(isEmpty ? m_emptyWord : QString());
    }
    m_text->setEnabled(!isEmpty);
    m_text->setText(isEmpty ? QString() : textOf(newValue));
}

std::vector<QWidget*> NumberEditor::inputs() const {
    return m_empty != nullptr ? std::vector<QWidget*>{m_text, m_empty} : std::vector<QWidget*>{m_text};
}

TextEditor::TextEditor(const FieldDescription&, QWidget* parent) : FieldEditor(parent), m_text(makeLine(this)) {
    makeRow(this)->addWidget(m_text);
    setFocusProxy(m_text);
    connect(m_text, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(value()); });
}

Json TextEditor::value() const {
    return m_text->text().toStdString();
}

void TextEditor::setValue(const Json& newValue) {
    if (newValue != value()) {
        m_text->setText(textOf(newValue));
    }
}

std::vector<QWidget*> TextEditor::inputs() const {
    return {m_text};
}

RealListEditor::RealListEditor(const FieldDescription&, QWidget* parent) : FieldEditor(parent), m_text(makeLine(this)) {
    makeRow(this)->addWidget(m_text);
    setFocusProxy(m_text);
    m_text->setPlaceholderText(tr("numbers, separated by commas"));
    connect(m_text, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(value()); });
}

Json RealListEditor::value() const {
    static const QRegularExpression separators("[,;\\s]+");
    Json list = Json::array();
    for (const QString& part : m_text->text().split(separators, Qt::SkipEmptyParts)) {
        list.push_back(numberOrText(part));
    }
    return list;
}

void RealListEditor::setValue(const Json& newValue) {
    if (newValue == value()) {
        return;
    }
    QStringList parts;
    if (newValue.isArray()) {
        for (const Json& element : newValue) {
            parts << textOf(element);
        }
    } else {
        parts << textOf(newValue);
    }
    m_text->setText(parts.join(", "));
}

std::vector<QWidget*> RealListEditor::inputs() const {
    return {m_text};
}

} // namespace lambdascope
