// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/study/study_draft.h"

#include "core/data/data_source.h"
#include "core/study/study_cells.h"
#include "ui/session/experiment/experiment_document.h"

#include <QRegularExpression>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr qint64 kMostOfRange = 10'000;

Json valueOf(const QString& text) {
    auto json = Json::tryParse(text.toStdString());
    return json ? std::move(*json) : Json(text.toStdString());
}

/// Commas within brackets and quotes separate nothing.
QStringList partsOf(const QString& text) {
    QStringList parts;
    QString part;
    int depth = 0;
    bool isQuoted = false;
    for (const QChar c : text) {
        isQuoted = isQuoted != (c == '"');
        depth += isQuoted ? 0 : c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth <= 0 && !isQuoted) {
            parts << part.trimmed();
            part.clear();
        } else {
            part += c;
        }
    }
    parts << part.trimmed();
    parts.removeAll(QString());
    return parts;
}

} // namespace

StudyDraft::StudyDraft(const ExperimentDocument& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &ExperimentDocument::faultsChanged, this, &StudyDraft::changed);
}

Json StudyDraft::valuesOf(const QString& text) {
    static const QRegularExpression range(QStringLiteral("^(-?\\d{1,9})\\s*(?:\\.\\.|…)\\s*(-?\\d{1,9})$"));
    Json values = Json::array();
    for (const QString& part : partsOf(text)) {
        const QRegularExpressionMatch match = range.match(part);
        const qint64 from = match.captured(1).toLongLong();
        const qint64 to = match.captured(2).toLongLong();
        if (!match.hasMatch() || to < from || to - from >= kMostOfRange) {
            values.push_back(valueOf(part));
            continue;
        }
        for (qint64 value = from; value <= to; ++value) {
            values.push_back(Json(value));
        }
    }
    return values;
}

void StudyDraft::vary(const QString& field) {
    const auto found =
        std::find_if(m_axes.begin(), m_axes.end(), [&](const Axis& axis) { return axis.field == field; });
    if (found == m_axes.end()) {
        const Json value = m_document.value(field);
        m_axes.push_back({field, QString::fromStdString(value.isNull() ? std::string() : valueText(value))});
        Q_EMIT axesChanged();
        Q_EMIT changed();
    }
}

void StudyDraft::setText(std::size_t axis, const QString& text) {
    if (m_axes.at(axis).text != text) {
        m_axes[axis].text = text;
        Q_EMIT changed();
    }
}

void StudyDraft::remove(std::size_t axis) {
    m_axes.erase(m_axes.begin() + static_cast<std::ptrdiff_t>(axis));
    Q_EMIT axesChanged();
    Q_EMIT changed();
}

void StudyDraft::setSeeds(int seeds) {
    if (seeds != m_seeds) {
        m_seeds = seeds;
        Q_EMIT changed();
    }
}

Json StudyDraft::draft() const {
    Json study = Json::object();
    study["name"] = m_document.title().toStdString();
    study["experiment"] = m_document.json();
    Json axes = Json::array();
    for (const Axis& axis : m_axes) {
        Json entry = Json::object();
        entry["field"] = axis.field.toStdString();
        entry["values"] = valuesOf(axis.text);
        axes.push_back(std::move(entry));
    }
    if (m_seeds > 1) {
        Json entry = Json::object();
        entry["seeds"] = m_seeds;
        axes.push_back(std::move(entry));
    }
    study["axes"] = std::move(axes);
    Json folders = Json::array();
    for (const auto& folder : m_document.places().folders) {
        folders.push_back(folder.string());
    }
    study["folders"] = std::move(folders);
    return study;
}

namespace {

Result<std::vector<StudyCell>> cellsOf(const Json& draft, const SchemaCatalog& catalog) {
    JsonDocument document;
    document.value = draft;
    const auto study = readStudy(document, {}, catalog, [](const std::string&) -> Result<NamedExperiment> {
        return Failure{plainError(ErrorCode::Internal, "the experiment is in the study")};
    });
    return study ? studyCells(*study, catalog) : Failure{study.error()};
}

} // namespace

Result<Json> StudyDraft::study() const {
    Json whole = draft();
    const auto cells = cellsOf(whole, m_document.catalog());
    return cells ? Result<Json>(std::move(whole)) : Failure{cells.error()};
}

Result<std::size_t> StudyDraft::cellCount() const {
    const auto cells = cellsOf(draft(), m_document.catalog());
    return cells ? Result<std::size_t>(cells->size()) : Failure{cells.error()};
}

} // namespace lambdascope
