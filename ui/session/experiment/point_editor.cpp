// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/point_editor.h"

#include "core/config/field_table.h"

#include <algorithm>

namespace lambdascope {

namespace {

const QString kEdits = QStringLiteral("data.edits");

QString wordsOf(const Error& error) {
    return QString::fromStdString(error.faults.empty() ? error.message : error.faults.front().text());
}

} // namespace

PointEditor::PointEditor(ExperimentDocument& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &ExperimentDocument::faultsChanged, this, [this] {
        if (m_isWanted) {
            open();
        }
    });
}

DataConfig PointEditor::config() const {
    std::vector<Fault> faults;
    const Json& json = m_document.json();
    return dataFields().read(json.isObject() ? json.value("data", Json()) : Json(), "data", faults);
}

void PointEditor::open() {
    DataConfig wanted = config();
    const std::string edits = std::exchange(wanted.edits, {});
    // What becomes of rows after they were read is none of the editor's business.
    wanted.scale = Scaling::None;
    wanted.pca.reset();
    wanted.subset = 1;
    if (m_isWanted && wanted == m_read) {
        if (m_isOpen && edits != m_followed) {
            follow();
        }
        return;
    }
    m_isWanted = true;
    m_isOpen = false;
    m_read = wanted;
    m_trouble.clear();
    m_jobs.stopAll();
    m_current = m_jobs.start([wanted, places = m_document.places()](const std::stop_token& stop) {
        return readSourceRows(wanted, places, stop);
    });
}

void PointEditor::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr || job != m_current) {
        return;
    }
    m_current.reset();
    Result<SourceRows>& read = job->result();
    const bool isMany = read && read->rows.values.rows() > kMostRows;
    if (!read || isMany || read->shape.features < 2) {
        m_source = {};
        m_trouble = !read    ? wordsOf(read.error())
                    : isMany ? tr("More than %1 rows are too many to edit by hand.").arg(kMostRows)
                             : tr("The data have one feature, and a plane takes two.");
        m_edits = {};
    } else {
        m_source = std::move(*read);
        m_isOpen = true;
        follow();
    }
    refreshClasses();
    Q_EMIT opened();
}

void PointEditor::follow() {
    m_followed = config().edits;
    auto edits = readEdits(m_followed, m_source.shape);
    m_trouble = edits ? QString() : wordsOf(edits.error());
    m_edits = edits ? std::move(*edits) : RowEdits{};
    refreshClasses();
    Q_EMIT changed();
}

std::optional<RowEdits> PointEditor::editsOf(std::string_view text) const {
    auto edits = readEdits(text, m_source.shape);
    return edits ? std::optional(std::move(*edits)) : std::nullopt;
}

void PointEditor::refreshClasses() {
    m_classes = m_source.shape.classNames;
    for (const EditedRow& row : m_edits.added) {
        if (!row.className.empty() && std::find(m_classes.begin(), m_classes.end(), row.className) == m_classes.end()) {
            m_classes.push_back(row.className);
        }
    }
    if (isPainted()) {
        std::sort(m_classes.begin(), m_classes.end());
    }
}

QString PointEditor::featureName(std::int64_t feature) const {
    const auto place = static_cast<std::size_t>(feature);
    return place < m_source.featureNames.size() ? QString::fromStdString(m_source.featureNames[place])
                                                : tr("feature %1").arg(feature + 1);
}

std::int64_t PointEditor::rows() const {
    return m_source.rows.values.rows() + static_cast<std::int64_t>(m_edits.added.size());
}

const EditedRow* PointEditor::find(const RowEdits& edits, std::int64_t row) const {
    const std::int64_t read = m_source.rows.values.rows();
    if (row >= read) {
        const auto place = static_cast<std::size_t>(row - read);
        return place < edits.added.size() ? &edits.added[place] : nullptr;
    }
    const auto found = edits.changed.find(row);
    return found == edits.changed.end() ? nullptr : &found->second;
}

double PointEditor::valueIn(const RowEdits& edits, std::int64_t row, std::int64_t feature) const {
    const EditedRow* edit = find(edits, row);
    return edit != nullptr && !edit->values.empty() ? edit->values[static_cast<std::size_t>(feature)]
                                                    : m_source.rows.values(row, feature);
}

double PointEditor::value(std::int64_t row, std::int64_t feature) const {
    return valueIn(m_edits, row, feature);
}

std::string PointEditor::className(std::int64_t row) const {
    const EditedRow* edit = find(m_edits, row);
    if (edit != nullptr && !edit->className.empty()) {
        return edit->className;
    }
    const auto place = static_cast<std::size_t>(row);
    return place < m_source.rows.classes.size() ? m_source.rows.classes[place] : std::string();
}

bool PointEditor::isOmitted(std::int64_t row) const {
    const EditedRow* edit = find(m_edits, row);
    return edit != nullptr && edit->isOmitted;
}

bool PointEditor::isChanged(std::int64_t row) const {
    return find(m_edits, row) != nullptr;
}

EditedRow& PointEditor::edited(std::int64_t row) {
    const std::int64_t read = m_source.rows.values.rows();
    return row < read ? m_edits.changed[row] : m_edits.added[static_cast<std::size_t>(row - read)];
}

/// A row that is as it was read needs no edit.
void PointEditor::settle(std::int64_t row) {
    const auto found = m_edits.changed.find(row);
    if (found == m_edits.changed.end()) {
        return;
    }
    EditedRow& edit = found->second;
    bool isHome = !edit.values.empty();
    for (std::int64_t feature = 0; isHome && feature < features(); ++feature) {
        isHome = edit.values[static_cast<std::size_t>(feature)] == m_source.rows.values(row, feature);
    }
    if (isHome) {
        edit.values.clear();
    }
    const auto place = static_cast<std::size_t>(row);
    if (place < m_source.rows.classes.size() && edit.className == m_source.rows.classes[place]) {
        edit.className.clear();
    }
    if (edit == EditedRow{}) {
        m_edits.changed.erase(found);
    }
}

void PointEditor::move(std::int64_t row, std::int64_t xFeature, double x, std::int64_t yFeature, double y) {
    if (isOmitted(row)) {
        return;
    }
    std::vector<double> values;
    for (std::int64_t feature = 0; feature < features(); ++feature) {
        values.push_back(feature == xFeature ? x : feature == yFeature ? y : value(row, feature));
    }
    edited(row).values = std::move(values);
    settle(row);
    Q_EMIT changed();
}

void PointEditor::relabel(std::int64_t row, const std::string& name) {
    if (isOmitted(row) || className(row) == name) {
        return;
    }
    edited(row).className = name;
    settle(row);
    refreshClasses();
    Q_EMIT changed();
}

void PointEditor::add(double x, double y, const std::string& name) {
    if (features() == 2 && rows() < kMostRows) {
        m_edits.added.push_back({{x, y}, name, false});
        refreshClasses();
        Q_EMIT changed();
    }
}

void PointEditor::erase(std::int64_t row) {
    const std::int64_t read = m_source.rows.values.rows();
    if (row >= read) {
        m_edits.added.erase(m_edits.added.begin() + (row - read));
    } else {
        m_edits.changed[row] = {{}, {}, true};
    }
    refreshClasses();
    Q_EMIT changed();
}

void PointEditor::clear() {
    m_edits = {};
    refreshClasses();
    Q_EMIT changed();
}

void PointEditor::keep(const QString& step) {
    m_document.setInOneStep(kEdits, text(), step);
}

void PointEditor::revert() {
    if (m_isOpen) {
        follow();
    }
}

} // namespace lambdascope
