// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/experiment_document.h"

#include "ui/session/experiment/experiment_command.h"
#include "ui/session/experiment/key_path.h"

#include <QUndoStack>

#include <algorithm>

namespace lambdascope {

namespace {

QString toText(const std::string& text) {
    return QString::fromStdString(text);
}

/// "lanes[2].solver.engine" → lane 2, rest "solver.engine".
struct LanePath {
    std::size_t lane;
    KeyPath rest;
};

std::optional<LanePath> lanePath(const KeyPath& path) {
    if (path.size() < 2 || path[0] != KeyPath::value_type(std::string("lanes")) ||
        !std::holds_alternative<std::size_t>(path[1])) {
        return std::nullopt;
    }
    return LanePath{std::get<std::size_t>(path[1]), KeyPath(path.begin() + 2, path.end())};
}

std::optional<std::string> nameAt(const KeyPath& path, std::size_t position) {
    if (position >= path.size() || !std::holds_alternative<std::string>(path[position])) {
        return std::nullopt;
    }
    return std::get<std::string>(path[position]);
}

} // namespace

ExperimentDocument::ExperimentDocument(const SchemaCatalog& catalog, QUndoStack* undoStack, QObject* parent)
    : QObject(parent), m_catalog(catalog), m_undoStack(undoStack) {
    m_json = freshDocument({});
    m_savedJson = m_json;
    recheck();
}

ExperimentDocument::~ExperimentDocument() = default;

const FamilySchema* ExperimentDocument::family() const {
    const Json* id = findAt(m_json, {std::string("family")});
    return id != nullptr && id->isText() ? m_catalog.find(id->text()) : nullptr;
}

const SectionSchema* ExperimentDocument::section(const std::string& key) const {
    if (key == "data") {
        return &m_catalog.data;
    }
    if (key == "run") {
        return &m_catalog.run;
    }
    const FamilySchema* schema = family();
    if (schema == nullptr) {
        return nullptr;
    }
    return key == "problem"  ? &schema->problem
           : key == "solver" ? &schema->solver
           : key == "path"   ? &schema->path
                             : nullptr;
}

const FieldDescription* ExperimentDocument::field(const QString& keyPath) const {
    const auto path = parseKeyPath(keyPath);
    if (!path) {
        return nullptr;
    }
    const SectionSchema* schema = nullptr;
    KeyPath rest = *path;
    if (const auto lane = lanePath(*path)) {
        rest = lane->rest;
        const FamilySchema* current = family();
        if (current == nullptr) {
            return nullptr;
        }
        const bool overlaysSolver = rest.size() == 2 && nameAt(rest, 0) == "solver";
        schema = overlaysSolver ? &current->solver : &current->lane;
        if (overlaysSolver) {
            rest.erase(rest.begin());
        }
    } else if (rest.size() == 2 && nameAt(rest, 0)) {
        schema = section(*nameAt(rest, 0));
        rest.erase(rest.begin());
    }
    const auto key = nameAt(rest, 0);
    return schema != nullptr && key && rest.size() == 1 ? schema->find(*key) : nullptr;
}

Json ExperimentDocument::defaultValue(const QString& keyPath) const {
    if (const auto path = parseKeyPath(keyPath)) {
        const auto lane = lanePath(*path);
        if (lane && lane->rest.size() == 2 && nameAt(lane->rest, 0) == "solver") {
            // A lane's solver starts from the experiment's.
            return value("solver." + toText(*nameAt(lane->rest, 1)));
        }
    }
    const FieldDescription* schema = field(keyPath);
    return schema != nullptr ? schema->defaultValue : Json();
}

Json ExperimentDocument::value(const QString& keyPath) const {
    const auto path = parseKeyPath(keyPath);
    const Json* given = path ? findAt(m_json, *path) : nullptr;
    return given != nullptr ? *given : defaultValue(keyPath);
}

bool ExperimentDocument::isDefault(const QString& keyPath) const {
    return field(keyPath) == nullptr || value(keyPath) == defaultValue(keyPath);
}

bool ExperimentDocument::isRelevant(const QString& keyPath) const {
    const FieldDescription* schema = field(keyPath);
    if (schema == nullptr || !schema->relevantWhen) {
        return true;
    }
    const QString sibling = keyPath.left(keyPath.lastIndexOf('.') + 1) + toText(schema->relevantWhen->key);
    return holds(*schema->relevantWhen, value(sibling)) && isRelevant(sibling);
}

void ExperimentDocument::setValue(const QString& keyPath, const Json& newValue) {
    const FieldDescription* schema = field(keyPath);
    put(keyPath, newValue, tr("change %1").arg(schema != nullptr ? toText(schema->label) : keyPath), true);
}

void ExperimentDocument::setInOneStep(const QString& keyPath, const Json& value, const QString& text) {
    put(keyPath, value, text, false);
}

void ExperimentDocument::put(const QString& keyPath, const Json& newValue, const QString& text, bool merges) {
    const auto path = parseKeyPath(keyPath);
    if (!path || (findAt(m_json, *path) != nullptr && value(keyPath) == newValue)) {
        return;
    }
    Json next = m_json;
    // A default need not be written down, unless the file did so.
    if (field(keyPath) != nullptr && newValue == defaultValue(keyPath) && findAt(m_savedJson, *path) == nullptr) {
        eraseAt(next, *path);
    } else if (!setAt(next, *path, newValue)) {
        return;
    }
    const KeyPath edits{"data", "edits"};
    const bool hasEdits = keyPath == QLatin1String("data.source") && findAt(next, edits) != nullptr;
    if (hasEdits) { // of rows of another source
        eraseAt(next, edits);
    }
    push(std::move(next), hasEdits ? ChangeKind::Everything : ChangeKind::Value, keyPath, text, merges);
}

void ExperimentDocument::resetToDefault(const QString& keyPath) {
    const auto path = parseKeyPath(keyPath);
    if (!path || field(keyPath) == nullptr || findAt(m_json, *path) == nullptr) {
        return;
    }
    Json next = m_json;
    eraseAt(next, *path);
    push(std::move(next), ChangeKind::Value, keyPath, tr("reset %1").arg(toText(field(keyPath)->label)));
}

Json ExperimentDocument::freshDocument(const QString& familyId) const {
    const FamilySchema* schema = m_catalog.find(familyId.toStdString());
    if (schema == nullptr && !m_catalog.families.empty()) {
        schema = &m_catalog.families.front();
    }
    Json document = Json::object();
    document["family"] = schema != nullptr ? schema->id : std::string();
    if (schema != nullptr) {
        document["lanes"] = schema->defaultLanes;
    }
    return document;
}

void ExperimentDocument::setFamily(const QString& familyId) {
    if (m_catalog.find(familyId.toStdString()) == nullptr ||
        (family() != nullptr && toText(family()->id) == familyId)) {
        return;
    }
    Json next = freshDocument(familyId);
    for (const char* kept : {"name", "data", "run"}) {
        if (m_json.isObject() && m_json.contains(kept)) {
            next[kept] = m_json[kept];
        }
    }
    push(std::move(next), ChangeKind::Everything, {}, tr("change family"));
}

std::vector<Fault> ExperimentDocument::faultsAt(const QString& keyPath, bool inside) const {
    const std::string key = keyPath.toStdString();
    std::vector<Fault> found;
    std::copy_if(m_faults.begin(), m_faults.end(), std::back_inserter(found), [&](const Fault& fault) {
        const bool isInside = fault.key.size() > key.size() && fault.key.starts_with(key) &&
                              (fault.key[key.size()] == '.' || fault.key[key.size()] == '[');
        return fault.key == key || (inside && isInside);
    });
    return found;
}

QString ExperimentDocument::reasonNotRunnable() const {
    if (isRunnable()) {
        return {};
    }
    if (m_faults.empty()) {
        return toText(m_dataFaults.front().text());
    }
    const Fault& first = m_faults.front();
    const FieldDescription* schema = field(toText(first.key));
    const QString where = schema != nullptr ? toText(schema->label) : toText(first.key);
    QString reason = (where.isEmpty() ? QString() : where + ": ") + toText(first.message);
    if (m_faults.size() > 1) {
        reason += tr(" (and %n more)", nullptr, static_cast<int>(m_faults.size()) - 1);
    }
    return reason;
}

void ExperimentDocument::setDataFaults(std::vector<Fault> faults) {
    if (faults != m_dataFaults) {
        m_dataFaults = std::move(faults);
        Q_EMIT faultsChanged();
    }
}

void ExperimentDocument::push(Json next, ChangeKind kind, const QString& keyPath, const QString& text, bool merges) {
    if (next == m_json) {
        return;
    }
    if (m_undoStack != nullptr) {
        m_undoStack->push(new ExperimentCommand(*this, {m_json, std::move(next), kind, keyPath, merges}, text));
    } else {
        apply(next, kind, keyPath);
    }
}

void ExperimentDocument::apply(const Json& json, ChangeKind kind, const QString& keyPath) {
    const QString titleBefore = title();
    m_json = json;
    recheck();
    switch (kind) {
    case ChangeKind::Value: Q_EMIT valueChanged(keyPath); break;
    case ChangeKind::Lanes: Q_EMIT lanesChanged(); break;
    case ChangeKind::Everything: Q_EMIT reset(); break;
    }
    Q_EMIT faultsChanged();
    noteModified();
    if (title() != titleBefore) {
        Q_EMIT titleChanged();
    }
}

void ExperimentDocument::recheck() {
    auto checked = validateExperiment(m_json, m_catalog);
    m_validated.reset();
    m_faults.clear();
    if (checked) {
        m_validated.emplace(std::move(checked).value());
    } else {
        m_faults = checked.error().faults;
    }
}

bool ExperimentDocument::isModified() const {
    return !equalInAnyOrder(m_json, m_savedJson);
}

void ExperimentDocument::noteModified() {
    if (const bool modified = isModified(); modified != m_wasModified) {
        m_wasModified = modified;
        Q_EMIT modifiedChanged(modified);
    }
}

} // namespace lambdascope
