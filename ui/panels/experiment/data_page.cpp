// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/data_page.h"

#include "core/common/number_text.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/panels/experiment/data_tables.h"
#include "ui/panels/experiment/family_list.h"
#include "ui/panels/experiment/generator_sliders.h"
#include "ui/session/count_text.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr int kWide = 640;        // px, from here on two columns of parts
constexpr int kMostNotes = 4;     // more are in the tooltip
constexpr int kMostChoices = 200; // columns to choose labels from
const QString kPositive = QStringLiteral("problem.positive");

} // namespace

DataPage::DataPage(ExperimentDocument& document, DataPreview& preview, QWidget* parent)
    : QWidget(parent), m_document(document), m_preview(preview), m_fits(new DataFits(this)) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget;
    scroll->setWidget(page);
    outer->addWidget(scroll);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    buildHeader(layout);
    buildChoices(layout);
    buildParts(layout);
    connect(&preview, &DataPreview::changed, this, &DataPage::refresh);
    connect(&document, &ExperimentDocument::faultsChanged, this, [this] {
        refreshChoices();
        refreshClasses();
        askFamilies();
    });
    connect(m_fits, &DataFits::changed, this, &DataPage::refreshFamilies);
    refresh();
}

void DataPage::buildHeader(QVBoxLayout* layout) {
    m_title = dataHeading(this);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    m_title->setFont(font);
    m_title->setMinimumWidth(1);
    m_run = new QPushButton(tr("Run"), this);
    m_run->setToolTip(tr("Compute the experiment with these data (F5)"));
    connect(m_run, &QPushButton::clicked, this, &DataPage::runRequested);
    m_charts = new QPushButton(tr("Show the charts"), this);
    connect(m_charts, &QPushButton::clicked, this, &DataPage::chartsRequested);
    auto* row = new QHBoxLayout;
    row->addWidget(m_title, 1);
    auto* paint = new QPushButton(tr("Edit rows"), this);
    paint->setToolTip(tr("Move, leave out and relabel rows while the path is computed anew (Shift+F4)"));
    connect(paint, &QPushButton::clicked, this, &DataPage::paintRequested);
    row->addWidget(m_charts);
    row->addWidget(paint);
    row->addWidget(m_run);
    layout->addLayout(row);
    m_sentence = new QLabel(this);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("What the data hold"));
    layout->addWidget(m_sentence);
    m_notes = new QLabel(this);
    m_notes->setWordWrap(true);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_notes);
}

void DataPage::buildChoices(QVBoxLayout* layout) {
    auto* row = new QHBoxLayout;
    const auto add = [&](const QString& name, const QString& key) {
        auto* label = new QLabel(name, this);
        auto* box = new QComboBox(this);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(9);
        box->setAccessibleName(name);
        label->setBuddy(box);
        row->addWidget(label);
        row->addWidget(box, 1);
        connect(box, &QComboBox::activated, this,
                [this, box, key] { m_document.setValue(key, box->currentData().toString().toStdString()); });
        return box;
    };
    m_labels = add(tr("Labels"), QStringLiteral("data.labels"));
    m_missing = add(tr("Missing values"), QStringLiteral("data.missing"));
    m_scale = add(tr("Scale"), QStringLiteral("data.scale"));
    layout->addLayout(row);
    m_generator = new GeneratorSliders(m_document, this);
    connect(m_generator, &GeneratorSliders::moved, &m_preview, &DataPreview::hurry);
    layout->addWidget(m_generator);
}

void DataPage::buildParts(QVBoxLayout* layout) {
    m_faultsTitle = dataHeading(this);
    m_faults =
        makeDataTable(this, tr("What is wrong"), {tr("Line"), tr("Column"), tr("What is wrong"), tr("What to do")});
    m_faults->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_faults->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_faultsTitle);
    layout->addWidget(m_faults);
    m_headTitle = dataHeading(this);
    m_head = makeDataTable(this, tr("First rows"), {});
    layout->addWidget(m_headTitle);
    layout->addWidget(m_head);

    const auto part = [this](QLabel*& title, QTableWidget* table) {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        title = dataHeading(box);
        column->addWidget(title);
        column->addWidget(table);
        column->addStretch();
        return box;
    };
    m_classes = makeDataTable(this, tr("Classes"), {tr("Class"), tr("Rows"), tr("Share")});
    m_classesPart = part(m_classesTitle, m_classes);
    connect(m_classes, &QTableWidget::itemChanged, this, &DataPage::chooseClasses);
    m_features =
        makeDataTable(this, tr("Features"), {tr("Feature"), tr("Lowest"), tr("Highest"), tr("Mean"), tr("Missing")});
    m_featuresPart = part(m_featuresTitle, m_features);
    for (QTableWidget* table : {m_classes, m_features}) {
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    m_picture = new PointCloudView(this);
    m_picture->setMinimumHeight(240);
    m_families = new QWidget(this);
    new QVBoxLayout(m_families);
    m_families->layout()->setContentsMargins(0, 0, 0, 0);
    auto* parts = new QWidget(this);
    m_parts = new QGridLayout(parts);
    m_parts->setContentsMargins(0, 0, 0, 0);
    m_parts->setHorizontalSpacing(12);
    layout->addWidget(parts);
    layout->addStretch();
}

void DataPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int columns = width() >= kWide ? 2 : 1;
    if (columns == std::exchange(m_columns, columns)) {
        return;
    }
    const std::vector<QWidget*> parts{m_classesPart, m_picture, m_families, m_featuresPart};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto place = static_cast<int>(i);
        m_parts->addWidget(parts[i], place / columns, place % columns);
    }
    m_parts->setColumnStretch(0, 1);
    m_parts->setColumnStretch(1, columns == 2 ? 1 : 0);
}

void DataPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_head != nullptr) {
        refreshHead();
        refreshFamilies();
    }
}

void DataPage::setHasCharts(bool has) {
    m_charts->setVisible(has);
}

void DataPage::refresh() {
    const DataProfile& now = m_preview.profile();
    const QString source = givenSource().section('?', 0, 0);
    const bool isPending = m_preview.state() == DataPreview::State::Loading && now.rows == 0;
    // While a slider of a generator moves, the picture before stays until there is another.
    if (isPending && source.startsWith(QLatin1String("toy:")) && source == m_shownSource) {
        return;
    }
    m_profile = now;
    m_shownSource = isPending ? QString() : source;
    refreshHeader();
    refreshChoices();
    refreshFaults();
    refreshHead();
    refreshClasses();
    refreshFeatures();
    refreshPicture();
    askFamilies();
}

QString DataPage::givenSource() const {
    const Json source = m_document.value(QStringLiteral("data.source"));
    return source.isText() ? QString::fromStdString(source.get<std::string>()) : QString();
}

void DataPage::refreshHeader() {
    const DataProfile& told = profile();
    const QString given = givenSource();
    m_title->setText(told.name.empty() ? given.section('/', -1) : QString::fromStdString(told.name));
    m_title->setToolTip(given);
    const bool isKnown = told.rows > 0;
    m_sentence->setText(isKnown ? QString::fromStdString(profileSentence(told)) +
                                      (told.isWhole ? QString() : tr(" · reading the rest …"))
                                : m_preview.summary());
    QStringList notes;
    for (std::size_t i = 1; i < told.notes.size(); ++i) {
        notes << QString::fromStdString(told.notes[i]);
    }
    if (!told.sha256.empty()) {
        notes << tr("SHA-256 %1…").arg(QString::fromStdString(told.sha256.substr(0, 12)));
    }
    m_notes->setText(notes.mid(0, kMostNotes).join(QStringLiteral(" · ")));
    m_notes->setToolTip(notes.join('\n') + (told.sha256.empty() ? "" : "\n" + QString::fromStdString(told.sha256)));
    m_notes->setVisible(!notes.isEmpty());
}

void DataPage::refreshChoices() {
    const QSignalBlocker blocker(m_labels);
    m_labels->clear();
    for (const auto& [word, name] : {std::pair("auto", tr("Automatic")), std::pair("none", tr("None")),
                                     std::pair("first", tr("First column")), std::pair("last", tr("Last column"))}) {
        m_labels->addItem(name, QString::fromLatin1(word));
    }
    const DataHead& head = profile().head;
    for (std::size_t c = 0; head.isRaw && c < std::min<std::size_t>(head.columns.size(), kMostChoices); ++c) {
        const QString name = QString::fromStdString(head.columns[c]);
        m_labels->addItem(head.hasNames ? name : tr("Column %1").arg(name), name);
    }
    const Json labels = m_document.value(QStringLiteral("data.labels"));
    const QString chosen = labels.isText() ? QString::fromStdString(labels.get<std::string>()) : QString();
    if (m_labels->findData(chosen) < 0) {
        m_labels->addItem(chosen, chosen);
    }
    m_labels->setCurrentIndex(m_labels->findData(chosen));
    for (const auto& [box, key] : {std::pair(m_missing, "data.missing"), std::pair(m_scale, "data.scale")}) {
        fillChoiceBox(box, m_document.field(key), m_document.value(key));
    }
    m_generator->refresh();
    m_run->setEnabled(m_document.isRunnable());
    m_run->setToolTip(m_document.isRunnable() ? tr("Compute the experiment with these data (F5)")
                                              : m_document.reasonNotRunnable());
}

void DataPage::refreshFaults() {
    const auto& error = profile().fault;
    const std::size_t count = error ? std::max<std::size_t>(error->faults.size(), 1) : 0;
    m_faultsTitle->setVisible(count > 0);
    m_faults->setVisible(count > 0);
    if (count == 0) {
        return;
    }
    m_faultsTitle->setText(countText(static_cast<int>(count), tr("thing to mend"), tr("things to mend")));
    fillFaultTable(*m_faults, *error);
}

void DataPage::refreshHead() {
    const DataHead& head = profile().head;
    m_headTitle->setVisible(!head.records.empty());
    m_head->setVisible(!head.records.empty());
    QString title = profile().fault && head.isRaw ? tr("First rows, and those with faults") : tr("First rows");
    if (head.columns.size() > kMostHeadColumns) {
        title += tr(" · %1 of %2 columns").arg(kMostHeadColumns).arg(head.columns.size());
    }
    m_headTitle->setText(title);
    fillHeadTable(*m_head, profile());
}

std::vector<bool> DataPage::positives() const {
    const std::vector<ProfiledClass>& classes = profile().classes;
    if (m_document.field(kPositive) == nullptr || classes.size() < 2) {
        return {};
    }
    std::vector<bool> chosen(classes.size(), false);
    const Json value = m_document.value(kPositive);
    const QString text = value.isText() ? QString::fromStdString(value.get<std::string>()) : QString();
    if (text == QLatin1String("auto") && classes.size() == 2) {
        chosen[1] = true;
        return chosen;
    }
    const bool isList = m_document.family() != nullptr && m_document.family()->id == "pu";
    const QStringList names = isList ? text.split(',') : QStringList{text};
    for (std::size_t c = 0; c < classes.size(); ++c) {
        chosen[c] = std::any_of(names.begin(), names.end(), [&](const QString& name) {
            return name.trimmed() == QString::fromStdString(classes[c].name).trimmed();
        });
    }
    return chosen;
}

void DataPage::refreshClasses() {
    m_isFilling = true;
    const std::vector<ProfiledClass>& classes = profile().classes;
    m_classesPart->setVisible(profile().rows > 0);
    m_classes->setVisible(!classes.empty());
    const std::vector<bool> chosen = positives();
    m_classesTitle->setText(profile().hasTargets ? tr("No classes: each row has a number to fit.")
                            : classes.empty()    ? tr("No labels. Choose their column above.")
                            : chosen.empty() ? countText(static_cast<int>(classes.size()), tr("class"), tr("classes"))
                                             : tr("Classes · tick what is positive"));
    const auto shown = static_cast<int>(std::min<std::size_t>(classes.size(), 1000));
    m_classes->setRowCount(shown);
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    for (int row = 0; row < shown; ++row) {
        const ProfiledClass& known = classes[static_cast<std::size_t>(row)];
        auto* name = dataCell(QString::fromStdString(known.name));
        QPixmap swatch(10, 10);
        swatch.fill(classColour(row, theme));
        name->setIcon(swatch);
        if (!chosen.empty()) {
            name->setFlags(name->flags() | Qt::ItemIsUserCheckable);
            name->setCheckState(chosen[static_cast<std::size_t>(row)] ? Qt::Checked : Qt::Unchecked);
        }
        const double share =
            static_cast<double>(known.rows) / static_cast<double>(std::max<std::int64_t>(1, profile().rows));
        m_classes->setItem(row, 0, name);
        m_classes->setItem(row, 1, dataCell(QString::fromStdString(groupedText(known.rows)), true));
        m_classes->setItem(row, 2, dataCell(QString::fromStdString(shortText(100 * share, 3)) + " %", true));
    }
    fitTable(*m_classes, 8);
    m_isFilling = false;
}

void DataPage::chooseClasses() {
    if (m_isFilling || m_document.field(kPositive) == nullptr) {
        return;
    }
    const bool isList = m_document.family() != nullptr && m_document.family()->id == "pu";
    const std::vector<bool> before = positives();
    QStringList names;
    for (int row = 0; row < m_classes->rowCount(); ++row) {
        const auto place = static_cast<std::size_t>(row);
        const bool isTicked = m_classes->item(row, 0)->checkState() == Qt::Checked;
        // One class against all others: the new tick takes the place of the one before.
        if (isTicked && (isList || !before[place])) {
            names << QString::fromStdString(profile().classes[place].name);
        }
    }
    if (names.isEmpty()) {
        m_document.resetToDefault(kPositive);
    } else {
        m_document.setValue(kPositive, names.join(',').toStdString());
    }
}

void DataPage::refreshFeatures() {
    const DataProfile& told = profile();
    m_featuresPart->setVisible(!told.measures.empty());
    const auto listed = static_cast<std::int64_t>(told.measures.size());
    m_featuresTitle->setText(listed < told.features
                                 ? tr("The first %1 of %2 features").arg(listed).arg(told.features)
                                 : countText(static_cast<int>(listed), tr("feature"), tr("features")));
    fillFeatureTable(*m_features, told);
}

void DataPage::refreshPicture() {
    const auto& picture = profile().picture;
    m_picture->setVisible(picture.has_value());
    if (!picture) {
        return;
    }
    m_picture->setFigure(axesFigure(profile()));
    m_picture->setToolTip(QString::fromStdString(picture->note));
}

void DataPage::askFamilies() {
    m_fits->request(m_document.json(), profile().dataset, m_document.places());
}

void DataPage::refreshFamilies() {
    fillFamilyList(*m_families, m_fits->fits(), m_document, [this](const QString& key) { Q_EMIT fieldRequested(key); });
}

} // namespace lambdascope
