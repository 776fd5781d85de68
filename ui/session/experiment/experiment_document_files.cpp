// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ExperimentDocument that deals with files, presets and where data are looked for.
#include "core/common/resource_folder.h"
#include "ui/session/experiment/command_line.h"
#include "ui/session/experiment/experiment_document.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace lambdascope {

void ExperimentDocument::newExperiment(const QString& familyId) {
    load(freshDocument(familyId));
}

void ExperimentDocument::load(Json json, const QString& file) {
    if (json.isObject() && !json.contains("lanes") && json.contains("family") && json["family"].isText()) {
        if (const FamilySchema* schema = m_catalog.find(json["family"].text())) {
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

Result<std::vector<Fault>> ExperimentDocument::loadFile(const QString& file) {
    auto document = readJsonDocument(file.toStdString());
    if (!document) {
        return Failure{document.error()};
    }
    if (!document->value.isObject()) {
        return Failure{singleFault(ErrorCode::InvalidConfiguration, {"",
                                                                     "an experiment is an object in braces",
                                                                     "Open a file that begins with { \"family\": … }.",
                                                                     {file.toStdString(), 1, 1}})};
    }
    load(std::move(document->value), QFileInfo(file).absoluteFilePath());
    std::vector<Fault> faults = m_faults;
    locateFaults(faults, document->places);
    return faults;
}

Result<void> ExperimentDocument::loadPreset(const QString& name) {
    if (auto loaded = loadFile(presetFile(name)); !loaded) {
        return Failure{loaded.error()};
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
    if (name.isText() && !name.text().empty()) {
        return QString::fromStdString(name.get<std::string>());
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
