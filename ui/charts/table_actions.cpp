// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/table_actions.h"

#include "core/common/number_text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QToolTip>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lambdascope {

namespace {

using Kind = TypedTable::Kind;

constexpr auto kDigitsKey = "table/digits";
constexpr std::array kForms{std::pair(TableFormat::Csv, ".csv"), std::pair(TableFormat::Latex, ".tex"),
                            std::pair(TableFormat::Markdown, ".md")};

/// All rows below `parent`, from the top down.
void addRows(const QAbstractItemModel& model, const QModelIndex& parent, QModelIndexList& rows) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        rows.append(model.index(row, 0, parent));
        addRows(model, rows.constLast(), rows);
    }
}

TypedTable::Cell cellOf(const QModelIndex& index, const ModelColumns& columns) {
    TypedTable::Cell cell;
    cell.text = index.data().toString().simplified().toStdString();
    const QVariant value = index.data(columns.numberRole);
    const bool isNumber = value.userType() == QMetaType::Double || value.userType() == QMetaType::Int;
    if (isNumber) {
        cell.number = std::isfinite(value.toDouble()) ? std::optional(value.toDouble()) : std::nullopt;
    } else {
        cell.number = parseNumber(cell.text);
    }
    return cell;
}

/// A column of numbers holds nothing else, but for dashes; what has a kind has words where there is no number.
void settle(TypedTable& table, std::size_t column, bool hasKind) {
    bool isNumeric = true;
    bool hasNumber = false;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const TypedTable::Cell& cell = table.rows[row][column];
        isNumeric = isNumeric && (cell.number || cell.text.empty() || cell.text == "–");
        hasNumber = hasNumber || cell.number;
    }
    if (!hasKind && isNumeric && hasNumber) {
        table.columns[column].kind = Kind::Number;
    }
    for (std::vector<TypedTable::Cell>& row : table.rows) {
        if (table.columns[column].kind == Kind::Text) {
            row[column].number.reset();
        } else if (row[column].number) {
            row[column].text.clear();
        }
    }
}

QString formName(TableFormat format) {
    switch (format) {
    case TableFormat::Csv: return TableActions::tr("CSV");
    case TableFormat::Latex: return TableActions::tr("LaTeX (booktabs)");
    default: return TableActions::tr("Markdown");
    }
}

QString digitsName(std::optional<int> digits) {
    return !digits                 ? TableActions::tr("Automatic: all in CSV, 3 to 6 else")
           : *digits >= kAllDigits ? TableActions::tr("All")
                                   : QString::number(*digits);
}

} // namespace

TypedTable typedTable(const QAbstractItemModel& model, const ModelColumns& columns, const QModelIndexList& rows,
                      const std::function<bool(int column)>& isShown) {
    QModelIndexList all = rows;
    if (all.isEmpty()) {
        addRows(model, {}, all);
    }
    TypedTable table;
    table.rows.resize(static_cast<std::size_t>(all.size()));
    const bool hasNames = model.headerData(0, Qt::Vertical).userType() == QMetaType::QString;
    if (hasNames) {
        table.columns.push_back({});
        for (qsizetype row = 0; row < all.size(); ++row) {
            const QString name = model.headerData(all[row].row(), Qt::Vertical).toString();
            table.rows[static_cast<std::size_t>(row)].push_back({name.toStdString(), {}});
        }
    }
    for (int column = 0; column < model.columnCount(); ++column) {
        if (isShown && !isShown(column)) {
            continue;
        }
        const std::string title = model.headerData(column, Qt::Horizontal).toString().toStdString();
        const auto place = static_cast<std::size_t>(column);
        const bool hasKind = place < columns.kinds.size();
        table.columns.push_back({title, title, hasKind ? columns.kinds[place] : Kind::Text});
        for (qsizetype row = 0; row < all.size(); ++row) {
            table.rows[static_cast<std::size_t>(row)].push_back(cellOf(all[row].siblingAtColumn(column), columns));
        }
        settle(table, table.columns.size() - 1, hasKind);
    }
    return table;
}

void styleValueTable(QTableView& table) {
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 6);
    table.setFrameShape(QFrame::NoFrame);
    table.setContextMenuPolicy(Qt::NoContextMenu);
    table.viewport()->setContextMenuPolicy(Qt::NoContextMenu);
    table.horizontalHeader()->setDefaultSectionSize(
        table.fontMetrics().horizontalAdvance(QStringLiteral("-0.0000000000000000000")));
}

TableActions::TableActions(QAbstractItemView& view, ModelColumns columns, QString name)
    : QObject(&view), m_view(view), m_columns(std::move(columns)), m_name(std::move(name)) {
    m_copy = new QAction(tr("Copy table"), this);
    m_copy->setObjectName("copyTable");
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    connect(m_copy, &QAction::triggered, this, &TableActions::copy);
    view.addAction(m_copy);
    if (view.contextMenuPolicy() == Qt::DefaultContextMenu) {
        view.setContextMenuPolicy(Qt::CustomContextMenu);
        connect(&view, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
            auto* menu = new QMenu(&m_view);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->addActions(m_view.actions());
            addTo(*menu);
            menu->popup(m_view.viewport()->mapToGlobal(place));
        });
    }
}

void TableActions::addTo(QMenu& menu) {
    QMenu* forms = menu.addMenu(tr("Copy as"));
    forms->menuAction()->setObjectName("copyAs");
    for (const auto& form : kForms) {
        QAction* action = forms->addAction(formName(form.first));
        connect(action, &QAction::triggered, this, [this, format = form.first] { copyAs(format); });
    }
    forms->addSeparator();
    QMenu* precision = forms->addMenu(tr("Digits"));
    auto* group = new QActionGroup(precision);
    for (const std::optional<int> choice : {std::optional<int>(), std::optional(2), std::optional(3), std::optional(4),
                                            std::optional(6), std::optional(kAllDigits)}) {
        QAction* action = precision->addAction(digitsName(choice));
        action->setCheckable(true);
        action->setChecked(choice == digits());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [choice] { setDigits(choice); });
    }
    QAction* file = menu.addAction(tr("Save table…"));
    file->setObjectName("saveTable");
    connect(file, &QAction::triggered, this, &TableActions::save);
}

const QAbstractItemModel* TableActions::model() const {
    if (m_refresh) {
        m_refresh();
    }
    return m_view.model();
}

QModelIndexList TableActions::chosenRows() const {
    QModelIndexList rows;
    const QItemSelectionModel* selection = m_view.selectionModel();
    if (selection == nullptr) {
        return rows;
    }
    QModelIndexList all;
    addRows(*m_view.model(), {}, all);
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), [selection](const QModelIndex& row) {
        return selection->rowIntersectsSelection(row.row(), row.parent());
    });
    return rows.size() > 1 ? rows : QModelIndexList();
}

bool TableActions::isShown(int column) const {
    if (const auto* table = qobject_cast<const QTableView*>(&m_view)) {
        return !table->isColumnHidden(column);
    }
    const auto* tree = qobject_cast<const QTreeView*>(&m_view);
    return tree == nullptr || !tree->isColumnHidden(column);
}

QString TableActions::shownText() const {
    const QAbstractItemModel& shown = *model();
    // As words all cells are what they look like, and a typed table of words is what tabs separate.
    ModelColumns words;
    words.kinds.assign(static_cast<std::size_t>(shown.columnCount()), Kind::Text);
    const TypedTable table = typedTable(shown, words, chosenRows(), [this](int column) { return isShown(column); });
    QStringList cells;
    for (const TypedTable::Column& column : table.columns) {
        cells << QString::fromStdString(column.title);
    }
    QString text = cells.join('\t') + '\n';
    for (const std::vector<TypedTable::Cell>& row : table.rows) {
        cells.clear();
        for (const TypedTable::Cell& cell : row) {
            cells << QString::fromStdString(cell.text);
        }
        text += cells.join('\t') + '\n';
    }
    return text;
}

QString TableActions::text(TableFormat format) const {
    const QAbstractItemModel& shown = *model();
    const TypedTable table = typedTable(shown, m_columns, chosenRows(), [this](int column) { return isShown(column); });
    return QString::fromStdString(table.text(format, digits()));
}

std::optional<int> TableActions::digits() {
    const int digits = QSettings().value(kDigitsKey, 0).toInt();
    return digits >= 1 && digits <= kAllDigits ? std::optional(digits) : std::nullopt;
}

void TableActions::setDigits(std::optional<int> digits) {
    QSettings().setValue(kDigitsKey, digits.value_or(0));
}

void TableActions::copy() const {
    QApplication::clipboard()->setText(shownText());
}

void TableActions::copyAs(TableFormat format) const {
    QApplication::clipboard()->setText(text(format));
}

QString TableActions::saveTo(const QString& path) const {
    const QString ending = "." + QFileInfo(path).suffix().toLower();
    const auto* form = std::find_if(kForms.begin(), kForms.end(),
                                    [&](const auto& known) { return ending == QLatin1String(known.second); });
    if (form == kForms.end()) {
        return tr("%1: a table is written as .csv, .tex or .md. Choose one of these endings.").arg(path);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text(form->first).toUtf8()) < 0 || !file.commit()) {
        return tr("%1 cannot be written: %2. Choose another folder.").arg(path, file.errorString());
    }
    return {};
}

void TableActions::save() {
    QStringList filters;
    for (const auto& [format, ending] : kForms) {
        filters << QStringLiteral("%1 (*%2)").arg(formName(format), QLatin1String(ending));
    }
    QString stem = m_name.toLower();
    stem.replace(QRegularExpression(QStringLiteral("[^\\w]+")), QStringLiteral("-"));
    const QString last = QSettings().value("export/folder").toString();
    const QString folder = QFileInfo(last).isDir() && !last.isEmpty()
                               ? last
                               : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    QString chosen = filters.front();
    QString path = QFileDialog::getSaveFileName(&m_view, tr("Save table"), QDir(folder).filePath(stem + ".csv"),
                                                filters.join(";;"), &chosen);
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += kForms[static_cast<std::size_t>(std::max<qsizetype>(filters.indexOf(chosen), 0))].second;
    }
    const QString fault = saveTo(path);
    if (fault.isEmpty()) {
        QSettings().setValue("export/folder", QFileInfo(path).absolutePath());
    }
    QToolTip::showText(m_view.mapToGlobal(QPoint(8, 8)), fault.isEmpty() ? tr("Saved as %1").arg(path) : fault, &m_view,
                       {}, 6000);
}

} // namespace lambdascope
