// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/earlier_runs.h"

#include "core/store/run_library.h"
#include "ui/session/count_text.h"

#include <QObject>

namespace lambdascope {

Result<std::vector<EarlierRun>> earlierRuns(const RunLibrary* library, int limit) {
    std::vector<EarlierRun> runs;
    if (library == nullptr) {
        return runs;
    }
    const auto experiments = library->experiments();
    if (!experiments) {
        return Failure{experiments.error()};
    }
    for (const LibraryExperiment& experiment : *experiments) {
        if (static_cast<int>(runs.size()) == limit) {
            break;
        }
        QString time = QString::fromStdString(experiment.createdAt).left(16);
        time.replace(QLatin1Char('T'), QLatin1Char(' '));
        runs.push_back({experiment.id.value, QObject::tr("%1 UTC · %2 · %3")
                                                 .arg(time, QString::fromStdString(experiment.name),
                                                      countText(static_cast<int>(experiment.runs.size()),
                                                                QObject::tr("lane"), QObject::tr("lanes")))});
    }
    return runs;
}

} // namespace lambdascope
