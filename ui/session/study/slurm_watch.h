// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

class QProcess;

namespace lambdascope {

/// Asks Slurm for the tasks of the job that computes a study, again and again until it is over, by a process, since
/// answers may take seconds. GUI thread only.
class SlurmWatch : public QObject {
    Q_OBJECT

  public:
    /// `rest`: ms between two questions.
    explicit SlurmWatch(int rest, QObject* parent = nullptr);
    ~SlurmWatch() override;

    /// Of the study in a folder from now on, whose job may be another one than before.
    void follow(const QString& folder);
    /// Asks again, though the job was over: it may have been submitted or requeued since.
    void askAgain();
    /// Number of the job that was submitted last; empty for a study that was never on Slurm.
    [[nodiscard]] QString job() const { return m_job; }
    /// Whether it computes, or will; also while that is not known.
    [[nodiscard]] bool isAlive() const { return m_isAlive; }
    /// "on Slurm (job 42): 2 PENDING (Resources), 1 RUNNING"; empty without a job.
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    void changed();

  private:
    void ask();
    void takeAnswer(bool hasSucceeded, const QString& printed);

    QString m_folder;
    QString m_job;
    QString m_tasks;
    bool m_isAlive = false;
    QProcess* m_process = nullptr;
    QTimer m_rest;
};

/// Whether jobs can be submitted from here.
[[nodiscard]] bool hasSlurm();

} // namespace lambdascope
