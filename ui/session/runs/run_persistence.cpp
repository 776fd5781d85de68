// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_persistence.h"

#include "core/record/run_record.h"
#include "core/store/run_library.h"

namespace lambdascope {

RunPersistence::RunPersistence(RunCollection& runs, std::shared_ptr<RunLibrary> library, std::string version,
                               QObject* parent)
    : QObject(parent), m_runs(runs), m_library(std::move(library)), m_version(std::move(version)) {
    connect(&runs, &RunCollection::runsAdded, this, &RunPersistence::onAdded);
    connect(&runs, &RunCollection::runsRemoved, this, &RunPersistence::onRemoved);
    connect(&runs, &RunCollection::renamed, this, &RunPersistence::onRenamed);
    connect(&runs, &RunCollection::auditChanged, this, &RunPersistence::onAudited);
}

void RunPersistence::warnOf(const Result<void>& done) {
    if (!done) {
        Q_EMIT warned(done.error());
    }
}

void RunPersistence::onAdded(const std::vector<RunId>& ids) {
    for (const RunId id : ids) {
        if (m_hidden.erase(id) > 0) {
            warnOf(m_library->restoreRun(*m_library->keptRun(id)));
        } else {
            readAuditOf(id);
        }
    }
}

void RunPersistence::onRemoved(const std::vector<RunId>& ids) {
    for (const RunId id : ids) {
        if (const auto kept = m_library ? m_library->keptRun(id) : std::nullopt) {
            m_hidden.insert(id);
            warnOf(m_library->hideRun(*kept));
        }
    }
}

void RunPersistence::onRenamed(RunId id, const QString& name) {
    if (const auto kept = m_library ? m_library->keptRun(id) : std::nullopt) {
        warnOf(m_library->renameRun(*kept, name.toStdString()));
    }
}

void RunPersistence::readAuditOf(RunId id) {
    std::optional<LaneAudit> audit;
    if (const auto& folder = m_runs.display(id).folder; !folder.empty()) {
        audit = readAudit(folder, m_runs.record(id)->start().laneName);
    } else if (const auto kept = m_library ? m_library->keptRun(id) : std::nullopt) {
        auto read = m_library->audit(*kept);
        audit = read ? std::move(*read) : std::nullopt;
    }
    if (audit) {
        m_isReading = true;
        m_runs.setAudit(id, std::move(*audit));
        m_isReading = false;
    }
}

void RunPersistence::onAudited(RunId id) {
    const RunDisplay& display = m_runs.display(id);
    if (m_isReading || !display.audit) {
        return;
    }
    if (!display.folder.empty()) {
        warnOf(writeAudit(display.folder, *display.audit, m_version));
    } else if (const auto kept = m_library ? m_library->keptRun(id) : std::nullopt) {
        warnOf(m_library->setAudit(*kept, *display.audit));
    }
}

} // namespace lambdascope
