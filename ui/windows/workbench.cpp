// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/workbench.h"

#include "core/families.h"
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "ui/windows/file_kind.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <utility>
#include <variant>

namespace lambdascope {

namespace {

const QString openSource = QStringLiteral("open");
const QString runSource = QStringLiteral("run");
const QString dataSource = QStringLiteral("data");
const QString readySource = QStringLiteral("ready"); // why the experiment in the form cannot run
const QString saveSource = QStringLiteral("save");
const QString keepSource = QStringLiteral("library");
const QString sessionKey = QStringLiteral("session/experiment");
const QString keepKey = QStringLiteral("runs/keepEarlier");

} // namespace

Workbench::Workbench(const Options& options, QObject* parent)
    : QObject(parent), m_catalog(options.catalog == nullptr ? builtInCatalog() : *options.catalog),
      m_findFamily(options.run.findFamily ? options.run.findFamily : findFamily), m_runs(&m_undoStack),
      m_document(m_catalog, &m_undoStack), m_recentExperiments(QStringLiteral("experiments")),
      m_recentData(QStringLiteral("data")), m_recentRuns(QStringLiteral("runs")), m_controller(m_bridge, options.run),
      m_keeper(m_runs, m_controller.library(), LAMBDASCOPE_VERSION),
      m_lens(m_runs, {&m_catalog, options.run.findFamily, [this] { return m_document.places(); }}),
      m_certificates(m_runs, {&m_catalog, options.run.findFamily, [this] { return m_document.places(); }}),
      m_keptRuns(m_runs, m_controller.library()), m_libraryEdits(m_controller.library(), m_undoStack),
      m_studyDraft(m_document), m_study(m_catalog, options.study) {
    m_document.newExperiment();
    m_undoStack.clear();
    m_loader.setReceiver([this](RunLoader::Loaded loaded) { takeLoaded(std::move(loaded)); });
    connect(&m_bridge, &RunEventBridge::eventsArrived, this, [this](const std::vector<RunEvent>& events) {
        if (std::any_of(events.begin(), events.end(),
                        [](const RunEvent& event) { return std::holds_alternative<PointStarted>(event.body); })) {
            retireEarlier();
        }
        m_runs.apply(events);
        m_log.add(events);
    });
    connect(&m_document, &ExperimentDocument::faultsChanged, this, [this] {
        if (m_document.isRunnable()) {
            Q_EMIT noticeSettled(readySource);
        }
    });
    followCertificates();
    connect(&m_study, &StudySession::failed, this, [this](const Error& error) { report(error, runSource); });
    connect(&m_study, &StudySession::changed, this, &Workbench::showWantedStudy);
    connect(&m_libraryEdits, &LibraryEdits::changed, &m_keptRuns, &KeptRuns::refreshSoon);
    connect(&m_libraryEdits, &LibraryEdits::warned, this, [this](const Error& error) { report(error, keepSource); });
    connect(&m_controller, &RunController::started, this, &Workbench::onStarted);
    connect(&m_keeper, &RunPersistence::warned, this, [this](const Error& error) { report(error, keepSource); });
    connect(&m_controller, &RunController::warned, this, [this](const Error& error) { report(error, keepSource); });
    connect(&m_controller, &RunController::failed, this, [this](const Error& error) { report(error, runSource); });
    connect(&m_controller, &RunController::finished, this, &Workbench::showWantedRun);
    connect(&m_controller, &RunController::finished, this, [this](Termination termination) {
        const auto name = terminationName(termination);
        m_log.add(LogLevel::Info, tr("run"),
                  tr("Experiment ended: %1").arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))));
    });
}

Workbench::~Workbench() = default;

void Workbench::setKeepsEarlierRuns(bool keeps) {
    QSettings().setValue(keepKey, keeps);
}

bool Workbench::keepsEarlierRuns() const {
    return QSettings().value(keepKey, false).toBool();
}

void Workbench::report(const Error& error, const QString& source) {
    m_log.add(error, source);
    Q_EMIT noticed(noticeFor(error, source));
}

void Workbench::onStarted(const QString& name) {
    Q_EMIT noticeSettled(runSource);
    m_bridge.resetCost();
    m_log.add(LogLevel::Info, tr("run"), tr("Experiment \"%1\" starts").arg(name));
    m_retiring = keepsEarlierRuns() ? std::vector<RunId>() : m_runs.shownIds();
    m_runs.beginBatch();
    m_cursor.setFollowing(true);
    Q_EMIT opened();
}

void Workbench::retireEarlier() {
    std::vector<RunId> shown = std::exchange(m_retiring, {});
    std::erase_if(shown, [this](RunId id) { return !m_runs.contains(id) || !m_runs.display(id).isShown; });
    if (!shown.empty()) {
        m_runs.setShown(shown, false);
    }
}

void Workbench::settleDocument() {
    for (const QString& source : {openSource, runSource, dataSource, readySource}) {
        Q_EMIT noticeSettled(source);
    }
}

void Workbench::open(const QString& path) {
    Q_EMIT noticeSettled(openSource);
    switch (fileKind(path)) {
    case FileKind::Missing:
        m_recentExperiments.remove(path);
        report(singleFault(ErrorCode::FileNotFound, {{},
                                                     "There is no file " + path.toStdString() + ".",
                                                     "Check the name, or choose the file with Ctrl+O.",
                                                     {}}),
               openSource);
        return;
    case FileKind::OtherFolder:
        report(singleFault(ErrorCode::UnsupportedFormat,
                           {{},
                            path.toStdString() +
                                " is a folder without a run.json or study.json, so it holds no run and no study.",
                            "Open a folder that 'lambdascope-cli run --out' or 'sweep --out' wrote, or a data file.",
                            {}}),
               openSource);
        return;
    case FileKind::RunFolder: return openRunFolder(QFileInfo(path).isDir() ? path : QFileInfo(path).absolutePath());
    case FileKind::StudyFolder: return m_study.open(QFileInfo(path).isDir() ? path : QFileInfo(path).absolutePath());
    case FileKind::Experiment: return openExperiment(path);
    case FileKind::FigureFile: return openFigure(path);
    case FileKind::Data: return openData(path);
    }
}

void Workbench::openAll(const QStringList& paths) {
    for (const QString& path : paths) {
        open(path);
    }
}

void Workbench::openData(const QString& path) {
    const QFileInfo info(path);
    Json json = m_document.json();
    // Another data set keeps the problem and lanes that are being edited; only the data section begins anew.
    json["name"] = info.completeBaseName().toStdString();
    json["data"] = Json{{"source", info.absoluteFilePath().toStdString()}};
    m_openedData = info.absoluteFilePath();
    settleDocument();
    // What was wrong before has nothing to do with these data.
    if (const std::vector<Fault> leftOut = m_document.loadMended(std::move(json)); !leftOut.empty()) {
        QStringList keys;
        for (const Fault& fault : leftOut) {
            keys << QString::fromStdString(fault.key);
        }
        keys.removeDuplicates();
        Q_EMIT noticed(
            {Severity::Information,
             tr("What was wrong with the experiment before is left out: %1.").arg(keys.join(QStringLiteral(", "))),
             tr("Ctrl+Z brings it back."), openSource});
    }
    m_recentData.add(m_openedData);
    m_log.add(LogLevel::Info, openSource, tr("Data %1").arg(m_openedData));
    Q_EMIT opened();
    Q_EMIT dataOpened();
}

void Workbench::noteData(const DataProfile& profile) {
    if (m_openedData.isEmpty() || profile.sha256.empty()) {
        return;
    }
    const QString hash = QString::fromStdString(profile.sha256);
    const QString before = m_recentData.note(m_openedData).section(' ', 0, 0);
    if (!before.isEmpty() && before != hash) {
        Q_EMIT noticed({Severity::Information,
                        tr("%1 has other contents than when it was read last.").arg(QFileInfo(m_openedData).fileName()),
                        tr("SHA-256 is now %1…, and was %2….").arg(hash.left(12), before.left(12)), openSource});
    }
    m_recentData.setNote(m_openedData, hash + ' ' + QString::fromStdString(profileSentence(profile)));
}

void Workbench::openExperiment(const QString& path) {
    auto loaded = m_document.loadFile(path);
    if (!loaded) {
        report(loaded.error(), openSource);
        return;
    }
    settleDocument();
    m_recentExperiments.add(QFileInfo(path).absoluteFilePath());
    m_log.add(LogLevel::Info, openSource, tr("Experiment %1").arg(path));
    if (!loaded->empty()) {
        noticeFaults(std::move(*loaded));
    }
    Q_EMIT opened();
}

void Workbench::noticeFaults(std::vector<Fault> faults) {
    const Error error{ErrorCode::InvalidConfiguration, "the experiment cannot run yet", std::move(faults)};
    m_log.add(error, openSource);
    Notice notice = noticeFor(error, readySource);
    notice.severity = Severity::Warning;
    notice.message = tr("The experiment was opened, but it cannot run yet.") + QLatin1Char('\n') + notice.message;
    Q_EMIT noticed(notice);
}

void Workbench::openRunFolder(const QString& path) {
    Q_EMIT noticed({Severity::Information, tr("Reading the run in %1 …").arg(path), {}, openSource});
    const auto read = [folder = path.toStdString()]() -> Result<RunLoader::Runs> {
        auto records = readRunFolder(folder);
        return records ? Result<RunLoader::Runs>(RunLoader::Runs{std::move(*records), {}}) : Failure{records.error()};
    };
    m_loader.load(read, RunOrigin::Folder, path, {});
}

void Workbench::openLibraryExperiment(qint64 libraryExperiment, const QString& lane, bool isBeside) {
    if (m_controller.library() == nullptr) {
        return;
    }
    const auto read = [library = m_controller.library(), libraryExperiment]() -> Result<RunLoader::Runs> {
        auto experiment = library->experiment(LibraryExperimentId{libraryExperiment});
        if (!experiment) {
            return Failure{experiment.error()};
        }
        RunLoader::Runs runs;
        for (const LibraryRun& run : experiment->runs) {
            auto record = library->loadRecord(run.id);
            if (!record) {
                return Failure{record.error()};
            }
            runs.records.push_back(std::move(*record));
            runs.names.push_back(QString::fromStdString(run.lane));
        }
        return runs;
    };
    m_loader.load(read, RunOrigin::Library, {}, {lane, isBeside});
}

void Workbench::takeLoaded(RunLoader::Loaded loaded) {
    if (loaded.wish.isOfFigure) {
        takeFigureRuns(std::move(loaded));
        return;
    }
    if (loaded.origin == RunOrigin::Folder) {
        Q_EMIT noticeSettled(openSource);
    }
    if (!loaded.runs) {
        report(loaded.runs.error(), openSource);
        return;
    }
    if (loaded.origin == RunOrigin::Folder) {
        m_recentRuns.add(QFileInfo(loaded.place).absoluteFilePath());
    }
    takeRuns(std::move(*loaded.runs), loaded.origin, loaded.place, loaded.wish);
}

void Workbench::takeRuns(RunLoader::Runs loaded, RunOrigin origin, const QString& folder, const RunLoader::Wish& wish) {
    if (loaded.records.empty()) {
        Q_EMIT noticed({Severity::Warning, tr("That run holds no lane."), {}, openSource});
        return;
    }
    const bool isBeside = wish.isBeside || keepsEarlierRuns();
    if (const std::vector<RunId> shown = m_runs.shownIds(); !isBeside && !shown.empty()) {
        m_runs.setShown(shown, false);
    }
    // The form shows what was run, unless that would throw away edits.
    if (!wish.isBeside && !m_document.isModified() && loaded.records.front().start().experiment.isObject()) {
        m_document.load(loaded.records.front().start().experiment);
    }
    std::vector<RunId> hidden = m_runs.add(std::move(loaded.records), origin, loaded.names, folder.toStdString());
    std::erase_if(hidden, [&](RunId id) { return wish.lane.isEmpty() || m_runs.display(id).name == wish.lane; });
    m_runs.setShown(hidden, false);
    m_cursor.setFollowing(true);
    Q_EMIT opened();
}

void Workbench::newExperiment() {
    settleDocument();
    m_document.newExperiment();
    Q_EMIT opened();
}

bool Workbench::loadPreset(const QString& name) {
    if (auto loaded = m_document.loadPreset(name); !loaded) {
        report(loaded.error(), openSource);
        return false;
    }
    settleDocument();
    Q_EMIT opened();
    return true;
}

void Workbench::runPreset(const QString& name) {
    if (loadPreset(name)) {
        run();
    }
}

void Workbench::runNamed(const QString& presetOrFile) {
    const std::vector<PresetListing> presets = listedPresets(m_catalog);
    if (std::any_of(presets.begin(), presets.end(),
                    [&](const PresetListing& preset) { return preset.name == presetOrFile; })) {
        runPreset(presetOrFile);
        return;
    }
    open(presetOrFile);
    const bool isOpen =
        m_document.file() == QFileInfo(presetOrFile).absoluteFilePath() || m_document.file() == presetOrFile;
    if (isOpen && m_document.isRunnable()) { // else it was said what is wrong
        run();
    }
}

void Workbench::saveSession() {
    QSettings().setValue(sessionKey, QString::fromStdString(m_document.json().dump()));
}

void Workbench::restoreSession() {
    const QString kept = QSettings().value(sessionKey).toString();
    if (kept.isEmpty()) {
        return;
    }
    if (auto document = parseJsonDocument(kept.toStdString(), "settings"); document && document->value.isObject()) {
        m_document.load(std::move(document->value));
        m_undoStack.clear();
    }
}

void Workbench::run(bool enqueue) {
    if (!m_document.isRunnable()) {
        Q_EMIT noticed({Severity::Warning, tr("This experiment cannot run: %1").arg(m_document.reasonNotRunnable()),
                        tr("The fields in question are marked in the form on the left."), readySource});
        return;
    }
    RunRequest request{*m_document.validated(), m_document.places(), {}, std::nullopt};
    if (enqueue) {
        m_controller.enqueue(std::move(request));
    } else {
        m_controller.start(std::move(request));
    }
}

bool Workbench::save(const QString& file) {
    if (auto saved = m_document.saveFile(file); !saved) {
        report(saved.error(), saveSource);
        return false;
    }
    Q_EMIT noticeSettled(saveSource);
    m_recentExperiments.add(QFileInfo(file).absoluteFilePath());
    m_log.add(LogLevel::Info, tr("save"), tr("Experiment saved as %1").arg(file));
    return true;
}

} // namespace lambdascope
