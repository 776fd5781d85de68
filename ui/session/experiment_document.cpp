// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment_document.h"

#include "core/common/resource_folder.h"
#include "ui/session/command_line.h"
#include "ui/session/experiment_command.h"
#include "ui/session/key_path.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QUndoStack>

#include <algorithm>
#include <set>

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

Json lanesOf(const Json& document) {
    const auto lanes = document.is_object() ? document.find("lanes") : document.end();
    return lanes != document.end() && lanes->is_array() ? *lanes : Json::array();
}

std::set<std::string> laneNames(const Json& lanes) {
    std::set<std::string> names;
    for (const Json& lane : lanes) {
        if (lane.is_object() && lane.contains("name") && lane["name"].is_string()) {
            names.insert(lane["name"].get<std::string>());
        }
    }
    return names;
}

/// "PGB" → "PGB 2", "PGB 2" → "PGB 3": the first of them that is free.
std::string freeName(std::string stem, const std::set<std::string>& taken) {
    if (const auto blank = stem.rfind(' '); blank != std::string::npos && blank + 1 < stem.size() &&
                                            stem.find_first_not_of("0123456789", blank + 1) == std::string::npos) {
        stem.resize(blank);
    }
    std::string name = stem;
    for (int number = 2; taken.contains(name); ++number) {
        name = stem + " " + std::to_string(number);
    }
    return name;
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
    return id != nullptr && id->is_string() ? m_catalog.find(id->get_ref<const std::string&>()) : nullptr;
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
    const Json current = value(sibling);
    const auto& words = schema->relevantWhen->values;
    // Boolean fields can be conditions too: their words are true and false.
    const std::string word = current.is_string() ? current.get<std::string>() : current.dump();
    return std::find(words.begin(), words.end(), word) != words.end() && isRelevant(sibling);
}

void ExperimentDocument::setValue(const QString& keyPath, const Json& newValue) {
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
    const FieldDescription* schema = field(keyPath);
    const QString label = schema != nullptr ? toText(schema->label) : keyPath;
    push(std::move(next), ChangeKind::Value, keyPath, tr("change %1").arg(label));
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
        if (m_json.is_object() && m_json.contains(kept)) {
            next[kept] = m_json[kept];
        }
    }
    push(std::move(next), ChangeKind::Everything, {}, tr("change family"));
}

int ExperimentDocument::laneCount() const {
    return static_cast<int>(lanesOf(m_json).size());
}

QString ExperimentDocument::laneName(int lane) const {
    const Json name = value(QString("lanes[%1].name").arg(lane));
    return name.is_string() ? toText(name.get<std::string>()) : QString();
}

void ExperimentDocument::addLane() {
    Json lanes = lanesOf(m_json);
    lanes.push_back({{"name", freeName("lane", laneNames(lanes))}});
    pushLanes(std::move(lanes), tr("add lane"));
}

void ExperimentDocument::duplicateLane(int lane) {
    Json lanes = lanesOf(m_json);
    if (lane < 0 || lane >= static_cast<int>(lanes.size())) {
        return;
    }
    Json copy = lanes[static_cast<std::size_t>(lane)];
    if (copy.is_object()) {
        copy["name"] = freeName(laneName(lane).toStdString(), laneNames(lanes));
    }
    lanes.insert(lanes.begin() + lane + 1, std::move(copy));
    pushLanes(std::move(lanes), tr("duplicate lane"));
}

void ExperimentDocument::removeLane(int lane) {
    Json lanes = lanesOf(m_json);
    if (lane < 0 || lane >= static_cast<int>(lanes.size()) || lanes.size() == 1) {
        return;
    }
    lanes.erase(static_cast<std::size_t>(lane));
    pushLanes(std::move(lanes), tr("remove lane"));
}

void ExperimentDocument::moveLane(int from, int to) {
    Json lanes = lanesOf(m_json);
    const int count = static_cast<int>(lanes.size());
    if (from < 0 || from >= count || to < 0 || to >= count || from == to) {
        return;
    }
    Json lane = lanes[static_cast<std::size_t>(from)];
    lanes.erase(static_cast<std::size_t>(from));
    lanes.insert(lanes.begin() + to, std::move(lane));
    pushLanes(std::move(lanes), tr("move lane"));
}

void ExperimentDocument::pushLanes(Json lanes, const QString& text) {
    Json next = m_json;
    next["lanes"] = std::move(lanes);
    push(std::move(next), ChangeKind::Lanes, "lanes", text);
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
    if (isRunnable() || m_faults.empty()) {
        return {};
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

void ExperimentDocument::push(Json next, ChangeKind kind, const QString& keyPath, const QString& text) {
    if (next == m_json) {
        return;
    }
    if (m_undoStack != nullptr) {
        m_undoStack->push(new ExperimentCommand(*this, {m_json, std::move(next), kind, keyPath}, text));
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
    return !haveSameValues(m_json, m_savedJson);
}

void ExperimentDocument::noteModified() {
    if (const bool modified = isModified(); modified != m_wasModified) {
        m_wasModified = modified;
        Q_EMIT modifiedChanged(modified);
    }
}

void ExperimentDocument::newExperiment(const QString& familyId) {
    load(freshDocument(familyId));
}

void ExperimentDocument::load(Json json, const QString& file) {
    if (json.is_object() && !json.contains("lanes") && json.contains("family") && json["family"].is_string()) {
        if (const FamilySchema* schema = m_catalog.find(json["family"].get_ref<const std::string&>())) {
            json["lanes"] = schema->defaultLanes; // so that they can be edited one by one
        }
    }
    m_file = file;
    m_preset.clear();
    m_savedJson = json;
    if (json != m_json) {
        push(std::move(json), ChangeKind::Everything, {}, tr("open experiment"));
    } else {
        apply(json, ChangeKind::Everything, {});
    }
    Q_EMIT titleChanged();
}

Result<void> ExperimentDocument::loadFile(const QString& file) {
    auto document = readJsonDocument(file.toStdString());
    if (!document) {
        return Failure{document.error()};
    }
    if (!document->value.is_object()) {
        return Failure{singleFault(ErrorCode::InvalidConfiguration, {"",
                                                                     "an experiment is an object in braces",
                                                                     "Open a file that begins with { \"family\": … }.",
                                                                     {file.toStdString(), 1, 1}})};
    }
    load(std::move(document->value), QFileInfo(file).absoluteFilePath());
    return {};
}

Result<void> ExperimentDocument::loadPreset(const QString& name) {
    if (auto loaded = loadFile(presetFile(name)); !loaded) {
        return loaded;
    }
    m_file.clear();
    m_preset = name;
    Q_EMIT titleChanged();
    return {};
}

Result<void> ExperimentDocument::saveFile(const QString& file) {
    QSaveFile target(file);
    const std::string text = m_json.dump(2) + "\n";
    const bool isWritten =
        target.open(QIODevice::WriteOnly) &&
        target.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) &&
        target.commit();
    if (!isWritten) {
        return Failure{singleFault(ErrorCode::FileUnwritable, {"",
                                                               "cannot write: " + target.errorString().toStdString(),
                                                               "Choose a folder you may write to.",
                                                               {file.toStdString(), 0, 0}})};
    }
    m_file = QFileInfo(file).absoluteFilePath();
    m_preset.clear();
    m_savedJson = m_json;
    noteModified();
    Q_EMIT titleChanged();
    return {};
}

QString ExperimentDocument::title() const {
    const Json name = value("name");
    if (name.is_string() && !name.get_ref<const std::string&>().empty()) {
        return toText(name.get<std::string>());
    }
    return m_file.isEmpty() ? tr("Untitled") : QFileInfo(m_file).completeBaseName();
}

DataPlaces ExperimentDocument::places() const {
    DataPlaces places;
    if (!m_file.isEmpty()) {
        places.folders.emplace_back(QFileInfo(m_file).absolutePath().toStdString());
    }
    places.folders.emplace_back(QDir::currentPath().toStdString());
    places.bundled = resourceFolder() / "datasets";
    return places;
}

QString ExperimentDocument::asCommandLine() const {
    return commandLineFor(m_json, m_savedJson, m_file.isEmpty() ? m_preset : m_file);
}

} // namespace lambdascope
