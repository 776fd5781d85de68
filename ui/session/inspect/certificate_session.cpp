// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/inspect/certificate_session.h"

#include "core/common/shell_word.h"
#include "core/families.h"
#include "core/record/record_metrics.h"

#include <QStandardPaths>

namespace lambdascope {

namespace {

constexpr int kWatchInterval = 50; // ms between looks at the share done

CertificateSession::Finding findingOf(int exitStatus) {
    using Finding = CertificateSession::Finding;
    switch (exitStatus) {
    case 0: return Finding::Proven;
    case 1: return Finding::Fails;
    case 3: return Finding::NotProven;
    default: return Finding::NotRun;
    }
}

QString pythonProgram() {
    return QStandardPaths::findExecutable(QStringLiteral("python3"));
}

} // namespace

CertificateSession::CertificateSession(RunCollection& runs, RunLensSession::Options options, QObject* parent)
    : QObject(parent), m_runs(runs), m_options(std::move(options)), m_jobs(this, "the certificate") {
    if (m_options.catalog == nullptr) {
        m_options.catalog = &builtInCatalog();
    }
    if (!m_options.findFamily) {
        m_options.findFamily = [](std::string_view id) { return lambdascope::findFamily(id); };
    }
    m_watch.setInterval(kWatchInterval);
    connect(&m_watch, &QTimer::timeout, this, &CertificateSession::activityChanged);
    m_checker.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_checker, &QProcess::finished, this, &CertificateSession::takeChecked);
    connect(&m_checker, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            takeChecked();
        }
    });
}

CertificateSession::~CertificateSession() {
    m_checker.disconnect(this);
    if (m_checker.state() != QProcess::NotRunning) {
        m_checker.kill();
        m_checker.waitForFinished();
    }
}

std::vector<RunId> CertificateSession::lanesBeside(RunId run) const {
    std::vector<RunId> lanes;
    const RunRecord* record = m_runs.record(run);
    if (record == nullptr) {
        return lanes;
    }
    const int batch = m_runs.display(run).batch;
    const std::string experiment = record->start().experiment.dump();
    for (const RunId id : m_runs.ids()) {
        const RunRecord& other = *m_runs.record(id);
        if (m_runs.display(id).batch == batch && other.hasEnded() && other.finishedPointCount() > 0 && screens(other) &&
            other.start().experiment.dump() == experiment) {
            lanes.push_back(id);
        }
    }
    return lanes;
}

void CertificateSession::write(const std::vector<RunId>& lanes, Certifier::Range points, const QString& folder) {
    if (m_work != Work::None || lanes.empty()) {
        return;
    }
    LensLane lane;
    lane.record = m_runs.sharedRecord(lanes.front());
    lane.places = m_options.places ? m_options.places() : DataPlaces{};
    lane.family = m_options.findFamily(lane.record->start().family);
    lane.catalog = m_options.catalog;
    if (lane.family == nullptr) {
        Q_EMIT failed(plainError(ErrorCode::BadUsage, "this program does not know the family of this run"));
        return;
    }
    CertificateOrder order{folder.toStdString(), {}, points};
    for (const RunId id : lanes) {
        const RunRecord& record = *m_runs.record(id);
        order.lanes.push_back({record.start().laneName, storedPath(record)});
    }
    m_share = -1;
    m_jobs.start([this, lane, order = std::move(order)](std::stop_token stop) -> Result<RunCertificate> {
        const auto runner = prepareAgain(lane, stop);
        if (!runner) {
            return Failure{runner.error()};
        }
        const auto tell = [this](const std::string&, double share) { m_share = share; };
        return certifyRun(**runner, order, lane.places, tell, stop);
    });
    m_watch.start();
    setWork(Work::Writing);
}

void CertificateSession::check(const RunCertificate& certificate) {
    if (m_work != Work::None) {
        return;
    }
    QStringList words;
    for (const std::string& word : certificate.checkCommand()) {
        words << QString::fromStdString(word);
    }
    words.removeFirst();
    setWork(Work::Checking);
    m_checker.start(pythonProgram(), words, QIODevice::ReadOnly);
}

void CertificateSession::stop() {
    m_jobs.stopAll();
    if (m_work == Work::Checking) {
        m_checker.kill();
    }
}

double CertificateSession::share() const {
    return m_share;
}

bool CertificateSession::canCheck() {
    return !pythonProgram().isEmpty();
}

QString CertificateSession::checkCommand(const RunCertificate& certificate) {
    QStringList words;
    for (const std::string& word : certificate.checkCommand()) {
        words << QString::fromStdString(shellWord(word));
    }
    return words.join(QLatin1Char(' '));
}

void CertificateSession::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return;
    }
    m_watch.stop();
    setWork(Work::None);
    if (job->result()) {
        Q_EMIT written(*job->result());
    } else {
        Q_EMIT failed(job->result().error());
    }
}

void CertificateSession::takeChecked() {
    if (m_work != Work::Checking) {
        return;
    }
    const bool hasRun = m_checker.error() != QProcess::FailedToStart && m_checker.exitStatus() == QProcess::NormalExit;
    const Finding finding = hasRun ? findingOf(m_checker.exitCode()) : Finding::NotRun;
    const QStringList lines =
        QString::fromUtf8(m_checker.readAll()).trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    setWork(Work::None);
    if (finding == Finding::Proven) { // the sums stand above the verdict
        Q_EMIT checked(finding, lines.value(lines.size() - 2));
    } else if (finding == Finding::NotProven) {
        Q_EMIT checked(finding, tr("%1, such as: %2").arg(lines.value(lines.size() - 1), lines.value(0)));
    } else {
        Q_EMIT checked(finding, hasRun ? lines.value(0) : tr("it was stopped or could not be started"));
    }
}

void CertificateSession::setWork(Work work) {
    m_work = work;
    Q_EMIT activityChanged();
}

} // namespace lambdascope
