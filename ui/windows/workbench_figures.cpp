// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workbench that finds the finished runs behind an exported figure.
#include "core/record/run_record.h"
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "ui/windows/workbench.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lambdascope {

namespace {

const QString openingSource = QStringLiteral("open");
const QString figureSource = QStringLiteral("figure");
constexpr qsizetype kMostFolders = 200; // looked into for a run or a study that was moved

using Lanes = FigureOrigin::Lanes;
using Library = std::shared_ptr<RunLibrary>;

bool isRunOf(const QString& folder, const Lanes& wanted) {
    if (folder.isEmpty() || !QFile::exists(folder + QStringLiteral("/run.json"))) {
        return false;
    }
    const auto summary = readRunSummary(folder.toStdString());
    return summary && areSameExperiment(summary->value("experiment", Json()), wanted.experiment);
}

bool isStudyOf(const QString& folder, const Json& study) {
    const QString file = folder + '/' + layout::kStudyFile;
    if (folder.isEmpty() || !QFile::exists(file)) {
        return false;
    }
    const auto document = readJsonDocument(file.toStdString());
    return document && (study.isNull() || equalInAnyOrder(document->value, study));
}

/// Where something may have been moved to: beside the figure, above it, or beside the place where it was.
QStringList foldersNear(const QString& figure, const QString& before) {
    QStringList folders;
    QDir above = QFileInfo(figure).absoluteDir();
    const QDir beside = QFileInfo(before).absoluteDir();
    for (const QDir& parent : before.isEmpty() ? QList<QDir>{above} : QList<QDir>{above, beside}) {
        for (const QFileInfo& folder : parent.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time)) {
            folders << folder.absoluteFilePath();
        }
    }
    for (int level = 0; level < 3; ++level) {
        folders.prepend(above.absolutePath());
        above.cdUp();
    }
    return folders.mid(0, kMostFolders);
}

Result<RunLoader::Runs> readFolder(const QString& folder) {
    auto records = readRunFolder(folder.toStdString());
    return records ? Result<RunLoader::Runs>(RunLoader::Runs{std::move(*records), {}, folder})
                   : Failure{records.error()};
}

Result<RunLoader::Runs> readKept(const RunLibrary& library, const LibraryExperiment& experiment) {
    RunLoader::Runs runs;
    for (const LibraryRun& run : experiment.runs) {
        auto record = library.loadRecord(run.id);
        if (!record) {
            return Failure{record.error()};
        }
        runs.records.push_back(std::move(*record));
    }
    return runs;
}

std::vector<LibraryExperiment> keptIn(const Library& library) {
    auto experiments = library != nullptr ? library->experiments() : Result(std::vector<LibraryExperiment>());
    return experiments ? std::move(*experiments) : std::vector<LibraryExperiment>();
}

bool isThatOf(const LibraryExperiment& experiment, const Lanes& wanted) {
    return experiment.id.value == wanted.kept && experiment.createdAt == wanted.createdAt;
}

/// The very runs that the figure shows, else those of an equal experiment, of which complete ones are preferred.
Result<RunLoader::Runs> findRuns(const Lanes& wanted, const Library& library, const QStringList& folders) {
    if (isRunOf(wanted.folder, wanted)) {
        if (auto runs = readFolder(wanted.folder)) {
            return runs;
        }
    }
    std::vector<LibraryExperiment> experiments = keptIn(library);
    for (const LibraryExperiment& experiment : experiments) {
        if (isThatOf(experiment, wanted)) {
            if (auto runs = readKept(*library, experiment)) {
                return runs;
            }
        }
    }
    for (const QString& folder : folders) {
        if (isRunOf(folder, wanted)) {
            if (auto runs = readFolder(folder)) {
                return runs;
            }
        }
    }
    std::stable_partition(experiments.begin(), experiments.end(), [](const LibraryExperiment& experiment) {
        return std::all_of(experiment.runs.begin(), experiment.runs.end(),
                           [](const LibraryRun& run) { return run.state == RunRecord::State::Finished; });
    });
    for (const LibraryExperiment& experiment : experiments) {
        const auto document = library->experimentDocument(experiment.id);
        if (document && areSameExperiment(*document, wanted.experiment)) {
            if (auto runs = readKept(*library, experiment)) {
                runs->isOther = wanted.kept > 0 || !wanted.folder.isEmpty();
                return runs;
            }
        }
    }
    return Failure{plainError(ErrorCode::FileNotFound, "the run is not kept any more")};
}

} // namespace

void Workbench::openFigure(const QString& path) {
    const Result<QByteArray> recipe = readRecipe(path);
    auto origin = recipe ? readFigureOrigin(*recipe, path) : Result<FigureOrigin>(Failure{recipe.error()});
    if (!origin) {
        report(origin.error(), openingSource);
        return;
    }
    settleDocument();
    if (origin->isOfStudy()) {
        reopenStudy(*origin, path);
    }
    if (!origin->runs.empty()) {
        m_reopenings.push_back({std::move(*origin), path});
        if (m_reopenings.size() == 1) {
            reopenNext();
        }
    }
}

void Workbench::reopenStudy(const FigureOrigin& origin, const QString& path) {
    QString folder = isStudyOf(origin.studyFolder, origin.study) ? origin.studyFolder : QString();
    for (const QString& near : folder.isEmpty() ? foldersNear(path, origin.studyFolder) : QStringList()) {
        folder = folder.isEmpty() && isStudyOf(near, origin.study) ? near : folder;
    }
    m_wantedStudy = origin;
    if (!folder.isEmpty()) {
        m_study.open(folder);
        return;
    }
    const bool canRun = origin.study.isObject();
    if (canRun && origin.study.value("experiment", Json()).isObject()) {
        m_document.load(origin.study.at("experiment"));
    }
    Q_EMIT noticed(
        {Severity::Warning,
         tr("The study behind %1 is not in %2 any more.").arg(QFileInfo(path).fileName(), origin.studyFolder),
         canRun ? tr("It can be computed again.") : tr("Open the folder that it was moved to."), figureSource,
         canRun ? QStringList{tr("Run the study")} : QStringList()});
    Q_EMIT opened();
}

void Workbench::showWantedStudy() {
    if (m_wantedStudy && m_study.isComplete()) {
        const FigureOrigin origin = *std::exchange(m_wantedStudy, std::nullopt);
        // Later: others hear of the study after this.
        QMetaObject::invokeMethod(
            this, [this, origin] { Q_EMIT figureReopened(origin); }, Qt::QueuedConnection);
    }
}

std::vector<RunId> Workbench::openRunsOf(const FigureOrigin::Lanes& wanted, bool areTheVery) const {
    const auto library = m_controller.library();
    std::vector<LibraryExperiment> kept = areTheVery ? keptIn(library) : std::vector<LibraryExperiment>();
    std::erase_if(kept, [&](const LibraryExperiment& experiment) { return !isThatOf(experiment, wanted); });
    const auto isWanted = [&](RunId id) {
        if (!areTheVery) {
            return m_runs.record(id)->hasEnded() &&
                   areSameExperiment(m_runs.record(id)->start().experiment, wanted.experiment);
        }
        const auto place = library ? library->keptRun(id) : std::nullopt;
        const bool isKept = place && !kept.empty() &&
                            std::any_of(kept.front().runs.begin(), kept.front().runs.end(),
                                        [&](const LibraryRun& run) { return run.id == *place; });
        return isKept || (!wanted.folder.isEmpty() && m_runs.display(id).folder == wanted.folder.toStdString());
    };
    std::vector<RunId> found;
    for (const RunId id : m_runs.ids()) {
        if (isWanted(id)) {
            if (!found.empty() && m_runs.display(found.back()).batch != m_runs.display(id).batch) {
                found.clear(); // the newest of some
            }
            found.push_back(id);
        }
    }
    return found;
}

void Workbench::reopenNext() {
    while (!m_reopenings.empty()) {
        Reopening& front = m_reopenings.front();
        if (front.next == front.origin.runs.size()) {
            finishReopening();
            continue;
        }
        const Lanes& wanted = front.origin.runs[front.next];
        std::vector<RunId> open = openRunsOf(wanted, true);
        if (open.empty() && wanted.kept == 0 && wanted.folder.isEmpty()) {
            open = openRunsOf(wanted, false);
        }
        if (!open.empty()) {
            takeFigureRuns(open);
            continue;
        }
        Q_EMIT noticed({Severity::Information,
                        tr("Looking for the run behind %1 …").arg(QFileInfo(front.path).fileName()),
                        {},
                        openingSource});
        RunLoader::Wish wish;
        wish.isOfFigure = true;
        m_loader.load(
            [wanted, library = m_controller.library(), path = front.path, recent = m_recentRuns.files()] {
                return findRuns(wanted, library, foldersNear(path, wanted.folder) + recent);
            },
            RunOrigin::Library, {}, wish);
        return;
    }
}

void Workbench::takeFigureRuns(RunLoader::Loaded loaded) {
    Reopening& front = m_reopenings.front();
    const Lanes& wanted = front.origin.runs[front.next];
    if (!loaded.runs) {
        const std::vector<RunId> equal = openRunsOf(wanted, false);
        front.isOther = front.isOther || !equal.empty();
        takeFigureRuns(equal);
        reopenNext();
        return;
    }
    std::vector<QString> names;
    for (const RunRecord& record : loaded.runs->records) {
        const QString lane = QString::fromStdString(record.start().laneName);
        names.push_back(wanted.names.value(wanted.lanes.indexOf(lane), lane));
    }
    const QString& folder = loaded.runs->folder;
    front.isOther = front.isOther || loaded.runs->isOther;
    takeFigureRuns(m_runs.add(std::move(loaded.runs->records),
                              folder.isEmpty() ? RunOrigin::Library : RunOrigin::Folder, names, folder.toStdString()));
    reopenNext();
}

void Workbench::takeFigureRuns(const std::vector<RunId>& runs) {
    Reopening& front = m_reopenings.front();
    const QStringList& lanes = front.origin.runs[front.next].lanes;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(front.shown), [&](RunId id) {
        return lanes.isEmpty() || lanes.contains(QString::fromStdString(m_runs.record(id)->start().laneName));
    });
    front.missing += runs.empty() ? 1 : 0;
    ++front.next;
}

void Workbench::finishReopening() {
    const Reopening done = std::move(m_reopenings.front());
    m_reopenings.pop_front();
    Q_EMIT noticeSettled(openingSource);
    const QString file = QFileInfo(done.path).fileName();
    const Json& experiment = done.origin.runs.front().experiment;
    if (done.shown.empty()) {
        m_document.load(experiment);
        m_wantedRun = done.origin;
        Q_EMIT noticed({Severity::Warning,
                        tr("The run behind %1 is not kept any more; its experiment is in the form.").arg(file),
                        tr("Run it to see the figure again."),
                        figureSource,
                        {tr("Run it")}});
        Q_EMIT opened();
        return;
    }
    m_runs.showOnly(done.shown);
    if (!m_document.isModified()) {
        m_document.load(experiment);
    }
    QString words = tr("Reopened what %1 shows.").arg(file);
    if (done.isOther) {
        words +=
            QLatin1Char(' ') + tr("Its run is gone; this is another one of the same experiment, so that times differ.");
    }
    if (done.missing > 0) {
        words += QLatin1Char(' ') + tr("%n of its experiments are not kept any more.", nullptr, done.missing);
    }
    Q_EMIT noticed(
        {done.missing > 0 || done.isOther ? Severity::Warning : Severity::Information, words, {}, openingSource});
    m_log.add(LogLevel::Info, openingSource, tr("Figure %1").arg(done.path));
    m_cursor.setFollowing(true);
    Q_EMIT opened();
    Q_EMIT figureReopened(done.origin);
}

bool Workbench::takeFigureAction(const QString& source) {
    if (source != figureSource) {
        return false;
    }
    if (m_wantedStudy) {
        m_study.start(m_wantedStudy->study);
    } else if (m_wantedRun) {
        m_document.load(m_wantedRun->runs.front().experiment);
        run(m_controller.isBusy());
    }
    return true;
}

void Workbench::showWantedRun() {
    if (!m_wantedRun) {
        return;
    }
    m_bridge.drainNow();
    const Lanes& wanted = m_wantedRun->runs.front();
    const std::vector<RunId> found = openRunsOf(wanted, false);
    if (found.empty()) {
        return; // another experiment has ended
    }
    std::vector<RunId> hidden;
    std::copy_if(found.begin(), found.end(), std::back_inserter(hidden), [&](RunId id) {
        return !wanted.lanes.isEmpty() &&
               !wanted.lanes.contains(QString::fromStdString(m_runs.record(id)->start().laneName));
    });
    m_runs.setShown(hidden, false);
    Q_EMIT figureReopened(*std::exchange(m_wantedRun, std::nullopt));
}

} // namespace lambdascope
