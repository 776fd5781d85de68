// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/data_tables.h"

#include "core/common/number_text.h"
#include "ui/charts/table_actions.h"
#include "ui/panels/experiment/fault_label.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

QString numberText(double value) {
    return std::isnan(value) ? QStringLiteral("–") : QString::fromStdString(shortText(value, 5));
}

/// What is wrong with a cell of a record; null when nothing is.
const Fault* faultAt(const std::vector<Fault>& faults, const HeadRecord& record, std::size_t cell) {
    for (const Fault& fault : faults) {
        const bool isLine = record.line > 0 && fault.place.line == record.line;
        const bool isCell =
            fault.place.column == 0 || (cell < record.columns.size() && fault.place.column == record.columns[cell]);
        if (isLine && isCell) {
            return &fault;
        }
    }
    return nullptr;
}

} // namespace

QTableWidget* makeDataTable(QWidget* parent, const QString& name, const QStringList& headers) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()), parent);
    table->setHorizontalHeaderLabels(headers);
    table->setAccessibleName(name);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    new TableActions(*table, {}, name);
    return table;
}

QLabel* dataHeading(QWidget* parent) {
    auto* label = new QLabel(parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

void fillChoiceBox(QComboBox* box, const FieldDescription* field, const Json& value) {
    const QSignalBlocker blocker(box);
    box->clear();
    for (const Choice& choice : field != nullptr ? field->choices : std::vector<Choice>()) {
        box->addItem(QString::fromStdString(choice.label), QString::fromStdString(choice.value));
        box->setItemData(box->count() - 1, QString::fromStdString(choice.help), Qt::ToolTipRole);
    }
    box->setCurrentIndex(value.isText() ? box->findData(QString::fromStdString(value.get<std::string>())) : -1);
}

QTableWidgetItem* dataCell(const QString& text, bool isNumber) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
    item->setToolTip(text);
    item->setTextAlignment(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return item;
}

void fitTable(QTableWidget& table, int most) {
    constexpr int kScrollBar = 14;
    const int rows = std::clamp(table.rowCount(), 1, most);
    const int bar = table.horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff ? 0 : kScrollBar;
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() +
                         rows * table.verticalHeader()->defaultSectionSize() + 4 + bar);
}

void fillFaultTable(QTableWidget& table, const Error& error) {
    constexpr int kShown = 6;
    const std::vector<Fault> faults =
        error.faults.empty() ? std::vector<Fault>{{{}, error.message, {}, {}}} : error.faults;
    table.setRowCount(static_cast<int>(faults.size()));
    const auto number = [](std::size_t value) { return value == 0 ? QStringLiteral("–") : QString::number(value); };
    for (int row = 0; row < table.rowCount(); ++row) {
        const Fault& fault = faults[static_cast<std::size_t>(row)];
        table.setItem(row, 0, dataCell(number(fault.place.line), true));
        table.setItem(row, 1, dataCell(number(fault.place.column), true));
        table.setItem(row, 2, dataCell(QString::fromStdString(fault.message)));
        table.setItem(row, 3, dataCell(QString::fromStdString(fault.remedy)));
    }
    fitTable(table, kShown);
}

void fillHeadTable(QTableWidget& table, const DataProfile& profile) {
    constexpr int kShown = 6;
    constexpr int kShownWithFaults = 9;
    constexpr int kWash = 50;
    const DataHead& head = profile.head;
    const auto columns = static_cast<int>(std::min<std::size_t>(head.columns.size(), kMostHeadColumns));
    const std::vector<Fault> faults = profile.fault ? profile.fault->faults : std::vector<Fault>();
    QColor wash = faultColour(table.palette());
    wash.setAlpha(kWash);
    table.setColumnCount(columns);
    table.setRowCount(static_cast<int>(head.records.size()));
    QStringList names;
    for (int column = 0; column < columns; ++column) {
        names << QString::fromStdString(head.columns[static_cast<std::size_t>(column)]);
    }
    QStringList lines;
    for (int row = 0; row < table.rowCount(); ++row) {
        const HeadRecord& record = head.records[static_cast<std::size_t>(row)];
        lines << QString::number(record.line > 0 ? record.line : static_cast<std::size_t>(row) + 1);
        for (int column = 0; column < columns; ++column) {
            const auto place = static_cast<std::size_t>(column);
            auto* item =
                dataCell(place < record.cells.size() ? QString::fromStdString(record.cells[place]) : QString());
            if (const Fault* fault = faultAt(faults, record, place)) {
                item->setBackground(wash);
                item->setToolTip(QString::fromStdString(fault->text()));
            }
            table.setItem(row, column, item);
        }
    }
    table.setHorizontalHeaderLabels(names);
    table.setVerticalHeaderLabels(lines);
    table.verticalHeader()->setVisible(head.isRaw);
    table.resizeColumnsToContents();
    fitTable(table, faults.empty() ? kShown : kShownWithFaults);
}

void fillFeatureTable(QTableWidget& table, const DataProfile& profile) {
    constexpr int kShown = 10;
    table.setRowCount(static_cast<int>(profile.measures.size()));
    for (int row = 0; row < table.rowCount(); ++row) {
        const ProfiledFeature& feature = profile.measures[static_cast<std::size_t>(row)];
        table.setItem(row, 0, dataCell(QString::fromStdString(feature.name)));
        table.setItem(row, 1, dataCell(numberText(feature.lowest), true));
        table.setItem(row, 2, dataCell(numberText(feature.highest), true));
        table.setItem(row, 3, dataCell(numberText(feature.mean), true));
        table.setItem(row, 4, dataCell(QString::fromStdString(groupedText(feature.missing)), true));
    }
    fitTable(table, kShown);
}

CloudFigure axesFigure(const DataProfile& profile) {
    const AxesPicture& picture = *profile.picture;
    CloudFigure figure;
    figure.title = QObject::tr("Along two principal axes");
    figure.x.title = QObject::tr("first axis");
    figure.y.title = QObject::tr("second axis");
    for (std::size_t i = 0; i < picture.first.size(); ++i) {
        figure.points.append({static_cast<float>(picture.first[i]), static_cast<float>(picture.second[i])});
        figure.pointLabels.append(QObject::tr("row %1").arg(picture.rows[i]));
    }
    for (const ProfiledClass& known : profile.classes) {
        figure.classNames.append(QString::fromStdString(known.name));
    }
    const auto unlabelled = static_cast<int>(figure.classNames.size());
    for (const std::int32_t code : picture.classes) {
        figure.classes.append(code < 0 ? unlabelled : code);
    }
    if (figure.classes.contains(unlabelled)) {
        figure.classNames.append(QObject::tr("no label"));
    }
    return figure;
}

} // namespace lambdascope
