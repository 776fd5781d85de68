// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/study/slurm_watch.h"

#include "core/study/slurm_job.h"

#include <QProcess>
#include <QStandardPaths>

#include <utility>

namespace lambdascope {

bool hasSlurm() {
    return !QStandardPaths::findExecutable(QStringLiteral("sbatch")).isEmpty();
}

SlurmWatch::SlurmWatch(int rest, QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(rest);
    connect(&m_rest, &QTimer::timeout, this, &SlurmWatch::ask);
}

SlurmWatch::~SlurmWatch() {
    if (m_process != nullptr) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(1000);
    }
}

void SlurmWatch::follow(const QString& folder) {
    const QString job = QString::fromStdString(slurmJobOf(folder.toStdString()));
    if (folder == m_folder && job == m_job) {
        return;
    }
    m_folder = folder;
    m_job = job;
    m_tasks = job.isEmpty() ? QString() : tr("asking");
    m_isAlive = !job.isEmpty();
    ask();
    Q_EMIT changed();
}

void SlurmWatch::askAgain() {
    m_rest.stop();
    ask();
}

QString SlurmWatch::text() const {
    return m_job.isEmpty() ? QString() : tr("on Slurm (job %1): %2").arg(m_job, m_tasks);
}

void SlurmWatch::ask() {
    if (m_job.isEmpty() || m_process != nullptr) {
        return; // the answer under way leads here again
    }
    QStringList words;
    for (const std::string& word : slurmQuery(m_job.toStdString())) {
        words << QString::fromStdString(word);
    }
    m_process = new QProcess(this);
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    const auto end = [this, job = m_job](bool hasSucceeded, const QString& failure) {
        QProcess* process = std::exchange(m_process, nullptr);
        process->deleteLater();
        if (job == m_job) {
            takeAnswer(hasSucceeded, failure.isEmpty() ? QString::fromUtf8(process->readAll()) : failure);
        } else {
            ask();
        }
    };
    connect(m_process, &QProcess::finished, this, [end](int status, QProcess::ExitStatus how) {
        end(how == QProcess::NormalExit && status == 0, QString());
    });
    connect(m_process, &QProcess::errorOccurred, this, [end](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(false, tr("there is no program squeue here"));
        }
    });
    m_process->start(words.takeFirst(), words);
}

void SlurmWatch::takeAnswer(bool hasSucceeded, const QString& printed) {
    const auto tasks = slurmTasksOf(hasSucceeded, printed.toStdString());
    const QString text = tasks ? QString::fromStdString(tasks->text())
                               : tr("not known: %1").arg(QString::fromStdString(tasks.error().message));
    const bool isAlive = !tasks || !tasks->alive.empty();
    const bool isSame = text == m_tasks && isAlive == m_isAlive;
    m_tasks = text;
    m_isAlive = isAlive;
    if (isAlive) {
        m_rest.start();
    }
    if (!isSame) {
        Q_EMIT changed();
    }
}

} // namespace lambdascope
