// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/render_lenses.h"

#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/run/library_exceptions.h"

#include <QDir>

#include <ostream>

namespace lambdascope {

namespace {

/// Lanes that took less are computed again without being asked.
constexpr double kMostSeconds = 120;

} // namespace

RenderLenses::RenderLenses(const QStringList& folders, std::ostream& errors, bool isTerminal)
    : m_errors(errors), m_isTerminal(isTerminal) {
    for (const QString& folder : folders) {
        if (!folder.isEmpty()) {
            m_places.folders.emplace_back(folder.toStdString());
        }
    }
    m_places.folders.emplace_back(QDir::currentPath().toStdString());
    m_places.bundled = resourceFolder() / "datasets";
}

LensSource RenderLenses::source() {
    return {[this](const ShownRun& run) { return open(run); },
            [](const ShownRun& run) { return findFamily(run.record->start().family) != nullptr; },
            [this](double share) {
                show("drawing from lane " + m_lane, share);
                if (share >= 1) {
                    clear();
                }
            }};
}

QString RenderLenses::obstacle(const ShownRun& run) {
    const double seconds = run.record->cpuSolve() + run.record->cpuScreen();
    return seconds <= kMostSeconds ? QString()
                                   : QStringLiteral("computing this lane again takes about %1")
                                         .arg(QString::fromStdString(durationText(seconds)));
}

Result<RunLens*> RenderLenses::open(const ShownRun& run) {
    // Records of a folder live as long as the command.
    const std::shared_ptr<const RunRecord> record(std::shared_ptr<void>(), run.record);
    const LensLane lane{record, m_places, findFamily(run.record->start().family), &builtInCatalog()};
    const std::string what = "computing lane " + run.name.toStdString() + " again";
    if (!m_isTerminal && m_lane != run.name.toStdString()) {
        m_errors << what << '\n' << std::flush;
    }
    m_lane = run.name.toStdString();
    Result<RunLens*> lens = nullptr;
    try {
        lens = m_bench->lensFor(lane, true, [&](double share) { show(what, share); }, {});
    } catch (...) {
        m_bench = std::make_unique<InspectionCache>(); // whatever is at hand may be half made
        lens = Failure{errorOfCurrentException("looking into the run")};
    }
    clear();
    return lens;
}

void RenderLenses::show(const std::string& what, double share) {
    const std::string line = what + ", " + std::to_string(static_cast<int>(100 * share)) + " %";
    if (m_isTerminal && line != m_line) {
        m_errors << '\r' << line << std::flush;
        m_line = line;
    }
}

void RenderLenses::clear() {
    if (!m_line.empty()) {
        m_errors << '\r' << std::string(m_line.size(), ' ') << '\r' << std::flush;
        m_line.clear();
    }
}

} // namespace lambdascope
