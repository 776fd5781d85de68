// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/experiment_form.h"

#include "ui/panels/experiment/fault_label.h"
#include "ui/panels/experiment/lane_card.h"
#include "ui/panels/experiment/lanes_editor.h"
#include "ui/panels/experiment/section_box.h"
#include "ui/panels/experiment/tab_order.h"
#include "ui/session/experiment/key_path.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace lambdascope {

namespace {

constexpr int kPreferredWidth = 320; ///< px; the form's share of a 1280 px window

std::vector<Suggestion> dataSuggestions() {
    std::vector<Suggestion> suggestions;
    for (const DataListing& listing : listedData()) {
        suggestions.push_back({QString::fromStdString(listing.source),
                               QString::fromStdString(listing.title) + "\n" + QString::fromStdString(listing.summary)});
    }
    return suggestions;
}

} // namespace

ExperimentForm::ExperimentForm(ExperimentDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_preview(new DataPreview(this)), m_scroll(new QScrollArea(this)),
      m_content(new QWidget), m_sectionsLayout(new QVBoxLayout(m_content)), m_name(new QLineEdit(m_content)),
      m_nameFaults(new FaultLabel(m_content)), m_familyRow(new QWidget(m_content)),
      m_family(new QComboBox(m_familyRow)), m_runButton(new QPushButton(this)), m_runNotice(new FaultLabel(this)),
      m_showFault(new QPushButton(tr("Show"), this)), m_leaveOut(new QPushButton(tr("Leave out"), this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_content);
    m_content->installEventFilter(this);
    layout->addWidget(m_scroll, 1);
    m_sectionsLayout->setContentsMargins(8, 6, 6, 6);
    m_sectionsLayout->setSpacing(10);
    buildIdentity();
    buildFooter();
    buildSections();
    connect(&document, &ExperimentDocument::valueChanged, this, [this] { onEdited(); });
    connect(&document, &ExperimentDocument::lanesChanged, this, [this] {
        m_lanes->rebuild();
        onEdited();
    });
    connect(&document, &ExperimentDocument::reset, this, [this] {
        buildSections();
        onEdited(true);
    });
    connect(&document, &ExperimentDocument::faultsChanged, this, &ExperimentForm::refreshFaults);
    connect(m_preview, &DataPreview::changed, this, &ExperimentForm::takePreview);
    refreshAll();
    refreshFaults();
}

ExperimentForm::~ExperimentForm() = default;

bool ExperimentForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_content && event->type() == QEvent::LayoutRequest) {
        // Nothing scrolls sideways, so the panel may not become narrower than its fields.
        m_scroll->setMinimumWidth(m_content->minimumSizeHint().width() +
                                  m_scroll->verticalScrollBar()->sizeHint().width());
    }
    return QWidget::eventFilter(watched, event);
}

bool ExperimentForm::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate) {
        m_preview->retry(); // one comes back from where files are mended
    }
    return QWidget::event(event);
}

QSize ExperimentForm::sizeHint() const {
    return {kPreferredWidth, 640};
}

void ExperimentForm::buildIdentity() {
    auto* identity = new QWidget(m_content);
    auto* layout = new QVBoxLayout(identity);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    auto* label = new QLabel(tr("Experiment"), identity);
    label->setBuddy(m_name);
    layout->addWidget(label);
    m_name->setAccessibleName(tr("Experiment: name"));
    m_name->setPlaceholderText(tr("Name"));
    m_name->setToolTip(tr("Name of the experiment in lists and files"));
    connect(m_name, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_document.setValue("name", text.toStdString()); });
    layout->addWidget(m_name);
    layout->addWidget(m_nameFaults);
    auto* familyLayout = new QHBoxLayout(m_familyRow);
    familyLayout->setContentsMargins(0, 0, 0, 0);
    auto* familyLabel = new QLabel(tr("Family"), m_familyRow);
    familyLabel->setBuddy(m_family);
    m_family->setAccessibleName(tr("Experiment: problem family"));
    m_family->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const FamilySchema& family : m_document.catalog().families) {
        m_family->addItem(QString::fromStdString(family.title), QString::fromStdString(family.id));
        m_family->setItemData(m_family->count() - 1, QString::fromStdString(family.summary + "\n" + family.reference),
                              Qt::ToolTipRole);
    }
    connect(m_family, &QComboBox::activated, this,
            [this] { m_document.setFamily(m_family->currentData().toString()); });
    familyLayout->addWidget(familyLabel);
    familyLayout->addWidget(m_family, 1);
    layout->addWidget(m_familyRow);
    m_sectionsLayout->addWidget(identity);
    m_sectionsLayout->addStretch(1);
}

void ExperimentForm::buildFooter() {
    auto* footer = new QWidget(this);
    auto* layout = new QVBoxLayout(footer);
    layout->setContentsMargins(8, 6, 8, 8);
    layout->setSpacing(4);
    layout->addWidget(m_runNotice);
    m_showFault->setToolTip(tr("Go to the field that has to be mended"));
    m_showFault->setAccessibleName(tr("Show the field that keeps Run disabled"));
    connect(m_showFault, &QPushButton::clicked, this, [this] { reveal(m_firstFault); });
    m_leaveOut->setToolTip(tr("Take what no field of this form can show out of the experiment"));
    m_leaveOut->setAccessibleName(tr("Leave out of the experiment what no field can show"));
    connect(m_leaveOut, &QPushButton::clicked, &m_document, &ExperimentDocument::removeStrayFaults);
    auto* remedies = new QHBoxLayout;
    remedies->addStretch();
    remedies->addWidget(m_leaveOut);
    remedies->addWidget(m_showFault);
    layout->addLayout(remedies);
    m_runButton->setDefault(true);
    connect(m_runButton, &QPushButton::clicked, this, [this] {
        clearError();
        Q_EMIT runRequested(m_isBusy);
    });
    layout->addWidget(m_runButton);
    static_cast<QVBoxLayout*>(this->layout())->addWidget(footer);
}

void ExperimentForm::clearSections() {
    for (SectionBox* section : m_sections) {
        section->hide();
        section->deleteLater();
    }
    m_sections.clear();
    if (m_lanes != nullptr) {
        m_lanes->hide();
        m_lanes->deleteLater();
        m_lanes = nullptr;
    }
    m_dataSummary = nullptr;
    m_dataFault = nullptr;
}

SectionBox* ExperimentForm::addSection(const SectionSchema& schema) {
    const bool isData = &schema == &m_document.catalog().data;
    auto* box = new SectionBox(m_document, schema, QString::fromStdString(schema.key),
                               QString::fromStdString(schema.title), QString::fromStdString(schema.title),
                               isData ? dataSuggestions() : std::vector<Suggestion>(), m_content);
    m_sectionsLayout->insertWidget(m_sectionsLayout->count() - 1, box);
    connect(box, &SectionBox::varyRequested, this, &ExperimentForm::varyRequested);
    m_sections.push_back(box);
    return box;
}

void ExperimentForm::buildSections() {
    const FamilySchema* family = m_document.family();
    const QString id = family != nullptr ? QString::fromStdString(family->id) : QString();
    const bool isSameForm = m_lanes != nullptr && id == m_builtFamily;
    m_builtFamily = id;
    if (isSameForm) {
        m_lanes->rebuild();
        return;
    }
    clearSections();
    SectionBox* dataBox = addSection(m_document.catalog().data);
    m_dataSummary = new QLabel(dataBox);
    m_dataSummary->setWordWrap(true);
    m_dataSummary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_dataFault = new FaultLabel(dataBox);
    dataBox->addBelowRows(m_dataSummary);
    dataBox->addBelowRows(m_dataFault);
    if (family != nullptr) {
        addSection(family->problem);
        addSection(family->solver);
    }
    m_lanes = new LanesEditor(m_document, m_content);
    connect(m_lanes, &LanesEditor::varyRequested, this, &ExperimentForm::varyRequested);
    m_sectionsLayout->insertWidget(m_sectionsLayout->count() - 1, m_lanes);
    connect(m_lanes, &LanesEditor::rebuilt, this, [this] { orderTabsByLayout(this); });
    if (family != nullptr) {
        addSection(family->path);
    }
    addSection(m_document.catalog().run);
    orderTabsByLayout(this);
}

FieldRow* ExperimentForm::row(const QString& keyPath) const {
    if (m_lanes != nullptr && keyPath.startsWith("lanes")) {
        return m_lanes->row(keyPath);
    }
    for (const SectionBox* section : m_sections) {
        for (FieldRow* candidate : section->rows()) {
            if (candidate->keyPath() == keyPath) {
                return candidate;
            }
        }
    }
    return nullptr;
}

void ExperimentForm::reveal(const QString& keyPath) {
    QWidget* target = keyPath == "name" ? m_name : keyPath == "family" ? static_cast<QWidget*>(m_family) : nullptr;
    FieldRow* found = row(holderOf(keyPath));
    if (LaneCard* card = m_lanes != nullptr ? m_lanes->cardOf(keyPath) : nullptr) {
        if (found != nullptr) {
            card->uncover(found);
        } else {
            target = card->nameEdit();
        }
    }
    if (found != nullptr) {
        for (SectionBox* section : m_sections) {
            section->uncover(found);
        }
        target = found->editor()->inputs().front();
    }
    if (target == nullptr) {
        return;
    }
    target->setFocus(Qt::OtherFocusReason);
    // Layouts of what was unfolded just now are done after this event.
    QTimer::singleShot(0, target, [this, target] { m_scroll->ensureWidgetVisible(target, 20, 60); });
}

bool ExperimentForm::canReveal(const QString& keyPath) const {
    return keyPath == "name" || keyPath == "family" || row(holderOf(keyPath)) != nullptr ||
           (m_lanes != nullptr && m_lanes->cardOf(keyPath) != nullptr);
}

void ExperimentForm::setBusy(bool busy) {
    m_isBusy = busy;
    refreshFaults();
}

void ExperimentForm::showError(const Error& error) {
    m_runFaults = error.faults;
    m_runError = QString::fromStdString(error.message);
    refreshFaults();
}

void ExperimentForm::clearError() {
    if (!m_runError.isEmpty()) {
        m_runFaults.clear();
        m_runError.clear();
        refreshFaults();
    }
}

QString ExperimentForm::runNotice() const {
    return m_runNotice->text();
}

void ExperimentForm::onEdited(bool isFresh) {
    m_runFaults.clear();
    m_runError.clear();
    refreshAll(isFresh);
}

void ExperimentForm::refreshAll(bool isFresh) {
    const Json name = m_document.value("name");
    const QString text = name.isText() ? QString::fromStdString(name.get<std::string>()) : QString();
    if (text != m_name->text()) {
        m_name->setText(text);
        m_name->setCursorPosition(0); // of a long name the beginning tells what it is
    }
    const int family = m_family->findData(m_builtFamily);
    m_family->setCurrentIndex(family);
    m_familyRow->setVisible(m_family->count() > 1 || family < 0);
    for (SectionBox* section : m_sections) {
        section->refresh();
    }
    m_lanes->refresh();
    refreshData(isFresh);
}

void ExperimentForm::refreshFaults() {
    std::vector<Fault> faults = m_document.faults();
    faults.insert(faults.end(), m_runFaults.begin(), m_runFaults.end());
    std::map<FieldRow*, std::vector<Fault>> ofRows;
    std::vector<Fault> ofLanes;
    std::vector<Fault> ofName;
    std::vector<Fault> unplaced;
    for (const Fault& fault : faults) {
        if (fault.key.starts_with("lanes")) {
            ofLanes.push_back(fault);
            continue;
        }
        const QString key = holderOf(QString::fromStdString(fault.key));
        if (FieldRow* target = row(key)) {
            ofRows[target].push_back(fault);
        } else {
            (key == "name" ? ofName : unplaced).push_back(fault);
        }
    }
    m_nameFaults->setFaults(ofName);
    for (SectionBox* section : m_sections) {
        for (FieldRow* candidate : section->rows()) {
            candidate->setFaults(ofRows[candidate]);
        }
        section->updateMore();
    }
    m_lanes->setFaults(ofLanes);
    const auto first = std::find_if(faults.begin(), faults.end(), [this](const Fault& fault) {
        return canReveal(QString::fromStdString(fault.key));
    });
    const bool isOfData = m_document.faults().empty() && !m_document.isRunnable();
    m_firstFault = first != faults.end() ? QString::fromStdString(first->key)
                   : isOfData            ? QStringLiteral("data.source")
                                         : QString();
    updateRunButton(unplaced);
}

void ExperimentForm::updateRunButton(const std::vector<Fault>& unplaced) {
    m_runButton->setText(m_isBusy ? tr("Add to queue") : tr("Run"));
    m_runButton->setEnabled(m_document.isRunnable());
    QStringList lines;
    if (!m_document.isRunnable()) {
        lines << tr("Run is disabled. %1").arg(m_document.reasonNotRunnable());
    } else if (!m_runError.isEmpty()) {
        lines << tr("The last run failed: %1").arg(m_runError);
    }
    for (const Fault& fault : unplaced) {
        lines << QString::fromStdString(fault.text());
    }
    lines.removeDuplicates();
    m_runNotice->setMessage(lines.join("\n"));
    m_showFault->setVisible(!m_firstFault.isEmpty() && m_runNotice->hasMessage());
    m_leaveOut->setVisible(m_document.hasStrayFaults());
    const QString state = lines.isEmpty() ? tr("Computes all lanes of this experiment") : lines.join("\n");
    m_runButton->setToolTip(state);
    m_runButton->setAccessibleName(m_runButton->text());
    m_runButton->setAccessibleDescription(state);
}

void ExperimentForm::refreshData(bool isFresh) {
    const Json given =
        m_document.json().isObject() && m_document.json().contains("data") ? m_document.json()["data"] : Json();
    std::vector<Fault> faults;
    const Json resolved = m_document.catalog().data.resolve(given, "data", faults);
    if (faults.empty()) {
        m_preview->request(resolved, m_document.places(), isFresh);
    } else {
        m_preview->clear();
    }
    showDataSummary();
}

void ExperimentForm::takePreview() {
    showDataSummary();
    std::vector<Fault> faults;
    if (m_preview->state() == DataPreview::State::Failed) {
        faults = m_preview->error().faults;
        if (faults.empty()) {
            faults.push_back({{}, m_preview->error().message, {}, {}});
        }
    }
    m_document.setDataFaults(std::move(faults));
}

void ExperimentForm::showDataSummary() {
    const bool hasFailed = m_preview->state() == DataPreview::State::Failed;
    m_dataFault->setMessage(hasFailed ? m_preview->summary() : QString());
    m_dataSummary->setVisible(!hasFailed);
    const bool isReady = m_preview->state() == DataPreview::State::Ready;
    m_dataSummary->setText((isReady ? QString::fromUtf8("✓ ") : QString()) + m_preview->summary());
}

} // namespace lambdascope
