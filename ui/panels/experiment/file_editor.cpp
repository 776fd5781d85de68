// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/file_editor.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QWheelEvent>

namespace lambdascope {

namespace {

constexpr int kSmallestNameLength = 8; ///< characters

/// A wheel turn over the form scrolls the form, never the choice of data.
class CalmEditableComboBox : public QComboBox {
  public:
    using QComboBox::QComboBox;

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace

FileEditor::FileEditor(const FieldDescription& field, const std::vector<Suggestion>& suggestions, QWidget* parent)
    : FieldEditor(parent), m_box(new CalmEditableComboBox(this)), m_browse(new QToolButton(this)),
      m_label(QString::fromStdString(field.label)) {
    m_box->setEditable(true);
    m_box->setInsertPolicy(QComboBox::NoInsert);
    m_box->setCompleter(nullptr); // completion would rewrite what is being typed
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(kSmallestNameLength);
    for (const Suggestion& suggestion : suggestions) {
        m_box->addItem(suggestion.value);
        m_box->setItemData(m_box->count() - 1, suggestion.help, Qt::ToolTipRole);
    }
    m_browse->setText(tr("Open …"));
    m_browse->setToolTip(tr("Choose a file"));
    m_browse->setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_box, 1);
    layout->addWidget(m_browse);
    setFocusProxy(m_box);
    connect(m_box->lineEdit(), &QLineEdit::textEdited, this, [this] { Q_EMIT edited(value()); });
    connect(m_box, &QComboBox::activated, this, [this] { Q_EMIT edited(value()); });
    connect(m_browse, &QToolButton::clicked, this, &FileEditor::browse);
}

Json FileEditor::value() const {
    return m_box->currentText().toStdString();
}

void FileEditor::setValue(const Json& newValue) {
    if (newValue == value()) {
        return;
    }
    const QString text = QString::fromStdString(newValue.isText() ? newValue.get<std::string>() : newValue.dump());
    const int index = m_box->findText(text);
    m_box->setCurrentIndex(index);
    m_box->setEditText(text);
    if (text.startsWith(QLatin1String("toy:"))) {
        m_box->lineEdit()->setCursorPosition(0); // a generator's name comes first, that of a file last
    }
}

void FileEditor::browse() {
    const QFileInfo current(m_box->currentText());
    const QString file =
        QFileDialog::getOpenFileName(this, m_label, current.exists() ? current.absolutePath() : QString());
    if (!file.isEmpty()) {
        setValue(file.toStdString());
        Q_EMIT edited(value());
    }
}

std::vector<QWidget*> FileEditor::inputs() const {
    return {m_box, m_browse};
}

} // namespace lambdascope
