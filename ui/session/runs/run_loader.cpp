// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_loader.h"

namespace lambdascope {

void RunLoader::load(std::function<Result<Runs>()> read, RunOrigin origin, const QString& place, const Wish& wish) {
    const auto job = m_jobs.start([read = std::move(read)](const std::stop_token&) { return read(); });
    m_sources.emplace(job, Source{origin, place, wish});
}

void RunLoader::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return; // an earlier call took it
    }
    const Source source = m_sources.extract(job).mapped();
    if (m_receiver) {
        m_receiver({std::move(job->result()), source.origin, source.place, source.wish});
    }
}

} // namespace lambdascope
