// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/study/study_session.h"

#include "core/config/json_document.h"
#include "core/store/run_library.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include <utility>

namespace lambdascope {

namespace {

constexpr int kRestWhileRunning = 400; // ms between two looks at the folder
constexpr int kRestOtherwise = 2000;   // somebody else may be computing
constexpr int kBadUse = 2;             // exit status of the program

QString newFolder(const QString& parent, const QString& name) {
    static const QRegularExpression odd(QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption);
    QString plain = QString(name).replace(odd, QStringLiteral("-"));
    plain = plain.isEmpty() || plain.startsWith('.') ? QStringLiteral("study") : plain;
    QString folder = parent + '/' + plain;
    for (int i = 2; QFile::exists(folder) || QFile::exists(folder + ".json"); ++i) {
        folder = parent + '/' + plain + '-' + QString::number(i);
    }
    return folder;
}

} // namespace

Result<std::shared_ptr<const StudyResults>> studyResultsIn(const QString& folder, const SchemaCatalog& catalog) {
    const std::filesystem::path path = folder.toStdString();
    const auto document = readJsonDocument((path / layout::kStudyFile).string());
    if (!document) {
        return Failure{document.error()};
    }
    auto study = readStudy(*document, path, catalog, [](const std::string& name) -> Result<NamedExperiment> {
        return Failure{plainError(ErrorCode::InvalidData, "the study's file does not hold its experiment " + name)};
    });
    if (!study) {
        return Failure{study.error()};
    }
    auto cells = studyCells(*study, catalog);
    if (!cells) {
        return Failure{cells.error()};
    }
    return std::make_shared<const StudyResults>(readStudyResults(path, std::move(*study), std::move(*cells)));
}

QString cellStateText(const CellStatus& status) {
    switch (status.state) {
    case CellState::Finished: return StudySession::tr("finished");
    case CellState::Failed: return StudySession::tr("failed: %1").arg(QString::fromStdString(status.failure));
    case CellState::Missing: break;
    }
    return StudySession::tr("not computed yet");
}

StudySession::StudySession(const SchemaCatalog& catalog, Options options, QObject* parent)
    : QObject(parent), m_catalog(catalog), m_options(std::move(options)) {
    if (m_options.program.isEmpty()) {
        m_options.program = QCoreApplication::applicationDirPath() + "/lambdascope-cli";
    }
    if (m_options.folder.isEmpty()) {
        m_options.folder = QString::fromStdString((RunLibrary::defaultPath().parent_path() / "studies").string());
    }
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &StudySession::read);
    connect(&m_slurm, &SlurmWatch::changed, this, &StudySession::changed);
}

StudySession::~StudySession() {
    if (m_process != nullptr) {
        m_process->disconnect(this);
        m_process->terminate(); // it ends its cells at once
        m_process->waitForFinished(3000);
    }
}

QString StudySession::cellFolder(std::size_t cell) const {
    return m_folder + '/' + layout::kCells + '/' + QString::fromStdString(m_results->cells[cell].name);
}

QString StudySession::progressText() const {
    if (m_results == nullptr) {
        return isRunning() ? tr("checking the study") : QString();
    }
    const std::size_t failedCells = m_results->count(CellState::Failed);
    return tr("%1 of %2 cells").arg(m_results->count(CellState::Finished)).arg(m_results->cells.size()) +
           (failedCells > 0 ? tr(", %1 failed").arg(failedCells) : QString());
}

/// Says so when it is not.
bool StudySession::isFree() {
    if (isRunning()) {
        Q_EMIT failed(singleFault(
            ErrorCode::BadUsage,
            {{}, "Another study computes.", "Stop it in the queue first; its finished cells are kept.", {}}));
    }
    return !isRunning();
}

void StudySession::open(const QString& folder) {
    if (isFree()) {
        m_folder = folder;
        m_results.reset();
        read();
    }
}

void StudySession::startNamed(const QString& name) {
    if (isFree()) {
        m_folder = newFolder(m_options.folder, name);
        m_results.reset();
        run({QStringLiteral("sweep"), name, QStringLiteral("--out"), m_folder});
    }
}

void StudySession::start(const Json& document, bool onSlurm) {
    if (!isFree()) {
        return;
    }
    const QString folder = newFolder(m_options.folder, QString::fromStdString(document.value("name", std::string())));
    QFile file(folder + ".json");
    const QByteArray text = QByteArray::fromStdString(document.dump(2, Json::BadUtf8::Replace) + "\n");
    if (!QDir().mkpath(m_options.folder) || !file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        Q_EMIT failed(singleFault(ErrorCode::FileUnwritable,
                                  {{},
                                   "The study cannot be written to " + file.fileName().toStdString() + ": " +
                                       file.errorString().toStdString() + ".",
                                   "Make room there, or write to another folder by lambdascope-cli sweep --out.",
                                   {}}));
        return;
    }
    file.close();
    m_folder = folder;
    m_results.reset();
    run(QStringList{QStringLiteral("sweep"), file.fileName(), QStringLiteral("--out"), folder} +
        (onSlurm ? QStringList{QStringLiteral("--slurm")} : QStringList()));
}

void StudySession::resume(bool isFailedToo) {
    if (isRunning() || m_folder.isEmpty() || m_slurm.isAlive()) {
        return;
    }
    QStringList arguments{QStringLiteral("sweep"), m_folder};
    if (isFailedToo) {
        arguments << QStringLiteral("--retry");
    }
    if (!m_slurm.job().isEmpty() && hasSlurm()) {
        arguments << QStringLiteral("--slurm");
    }
    run(arguments);
}

void StudySession::run(const QStringList& arguments) {
    m_isStopped = false;
    m_process = new QProcess(this);
    m_process->setStandardOutputFile(QProcess::nullDevice());
    connect(m_process, &QProcess::finished, this, &StudySession::onProcessEnded);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            const std::string why = m_process->errorString().toStdString();
            m_process->deleteLater();
            m_process = nullptr;
            Q_EMIT failed(
                singleFault(ErrorCode::BadUsage, {{},
                                                  m_options.program.toStdString() + " cannot be started: " + why + ".",
                                                  "Install the command line program beside the window's.",
                                                  {}}));
            Q_EMIT changed();
        }
    });
    const bool isSweep = arguments.value(1) != QLatin1String("cancel");
    m_process->start(m_options.program,
                     arguments +
                         (isSweep ? QStringList{QStringLiteral("--progress"), QStringLiteral("none")} : QStringList()));
    if (m_process != nullptr) {
        m_rest.start(kRestWhileRunning);
        Q_EMIT changed();
    }
}

void StudySession::stop() {
    if (m_process != nullptr) {
        m_isStopped = true;
        m_process->terminate();
    } else if (m_slurm.isAlive()) {
        run({QStringLiteral("sweep"), QStringLiteral("cancel"), m_folder});
    }
}

void StudySession::onProcessEnded() {
    const bool isRefused = m_process->exitStatus() == QProcess::CrashExit || m_process->exitCode() == kBadUse;
    QString said = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
    said.remove(QStringLiteral("lambdascope-cli: "));
    m_process->deleteLater();
    m_process = nullptr;
    m_isBehind = true;
    m_readsAgain = !m_readingOf.isEmpty();
    if (isRefused && !m_isStopped) {
        Q_EMIT failed(plainError(ErrorCode::InvalidConfiguration,
                                 said.isEmpty() ? "The program that computes the study ended unexpectedly."
                                                : said.toStdString()));
    }
    Q_EMIT changed();
    read();
    m_slurm.askAgain();
}

void StudySession::read() {
    if (m_folder.isEmpty() || !m_readingOf.isEmpty()) {
        return;
    }
    m_slurm.follow(m_folder);
    if (!QFile::exists(m_folder + '/' + layout::kStudyFile) && isRunning()) {
        m_rest.start(kRestWhileRunning); // its data are being checked
        return;
    }
    m_readingOf = m_folder;
    m_jobs.start([folder = m_folder, &catalog = m_catalog](const std::stop_token&) -> Result<Reading> {
        return studyResultsIn(folder, catalog);
    });
}

void StudySession::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return;
    }
    const bool isOfThis = std::exchange(m_readingOf, QString()) == m_folder;
    if (std::exchange(m_readsAgain, false) || !isOfThis) {
        read();
        return;
    }
    const bool wasBehind = std::exchange(m_isBehind, false);
    if (!job->result()) {
        if (!isRunning()) {
            Q_EMIT failed(job->result().error());
        }
        return;
    }
    const Reading before = std::exchange(m_results, *job->result());
    const auto countOf = [](const Reading& reading, CellState state) { return reading->count(state); };
    const bool isSame = before != nullptr && before->cells.size() == m_results->cells.size() &&
                        countOf(before, CellState::Finished) == countOf(m_results, CellState::Finished) &&
                        countOf(before, CellState::Failed) == countOf(m_results, CellState::Failed);
    if (isRunning() || m_results->count(CellState::Missing) > 0) {
        m_rest.start(isRunning() ? kRestWhileRunning : kRestOtherwise);
    }
    if (!isSame || wasBehind) {
        Q_EMIT changed();
    }
}

} // namespace lambdascope
