// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder_lane.h"

#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/store/run_folder_layout.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

std::string dynamicRow(const Screened& screened, const PointFinished& point) {
    const auto fixed = static_cast<double>(screened.fixedLow + screened.fixedHigh);
    const double rate = point.decidableItems > 0 ? fixed / static_cast<double>(point.decidableItems) : 0;
    return csvRow({std::to_string(screened.pointIndex), std::to_string(screened.check),
                   std::to_string(screened.iteration), std::to_string(screened.fixedLow),
                   std::to_string(screened.fixedHigh), exactText(rate), exactText(screened.optimality),
                   exactText(screened.radius), exactText(screened.cpu)});
}

std::string pathRow(const PointFinished& point) {
    std::vector<std::string> cells;
    for (const double value : point.values) {
        cells.push_back(exactText(value));
    }
    return csvRow(cells);
}

std::string solutionText(const Solution& solution) {
    std::string text;
    for (const NamedMatrix& matrix : solution) {
        text += "# " + matrix.name + ' ' + std::to_string(matrix.values.rows()) + ' ' +
                std::to_string(matrix.values.cols()) + '\n';
        for (std::int64_t row = 0; row < matrix.values.rows(); ++row) {
            std::vector<std::string> cells;
            for (std::int64_t column = 0; column < matrix.values.cols(); ++column) {
                cells.push_back(exactText(matrix.values(row, column)));
            }
            text += csvRow(cells);
        }
    }
    return text;
}

/// The folder, unless it is there already.
Result<void> makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directory(folder, error);
    return error ? Failure{unwritable(folder, error.value())} : Result<void>();
}

} // namespace

RunFolderLane::RunFolderLane(fs::path folder, AppendFile path, AppendFile dynamic, AppendFile events,
                             bool withSolutions)
    : m_folder(std::move(folder)), m_path(std::move(path)), m_dynamic(std::move(dynamic)), m_events(std::move(events)),
      m_withSolutions(withSolutions) {}

Result<RunFolderLane> RunFolderLane::create(const fs::path& runFolder, const RunStarted& start, bool withSolutions) {
    const fs::path folder = runFolder / start.laneName;
    if (auto made = makeFolder(folder); !made) {
        return Failure{made.error()};
    }
    auto path = AppendFile::create(folder / layout::kPath);
    auto dynamic = AppendFile::create(folder / layout::kDynamic);
    auto events = AppendFile::create(folder / layout::kEvents);
    for (const auto* file : {&path, &dynamic, &events}) {
        if (!*file) {
            return Failure{file->error()};
        }
    }
    std::vector<std::string> header;
    for (const ColumnDescription& column : start.columns) {
        header.push_back(column.key);
    }
    path->append(csvRow(header));
    dynamic->append("index,check,iteration,R,L,rate,gap,radius,cpu\n");
    return RunFolderLane(folder, std::move(*path), std::move(*dynamic), std::move(*events), withSolutions);
}

bool RunFolderLane::add(const RunEvent& event) {
    m_buffer.add(event);
    if (std::holds_alternative<Iterated>(event.body) || std::holds_alternative<Screened>(event.body) ||
        std::holds_alternative<PointStarted>(event.body)) {
        return false;
    }
    const auto* finished = std::get_if<PointFinished>(&event.body);
    for (const RunEvent& kept : m_buffer.take()) {
        m_events.append(eventLine(kept));
        const auto* screened = std::get_if<Screened>(&kept.body);
        if (screened != nullptr && finished != nullptr && screened->pointIndex == finished->index) {
            m_dynamic.append(dynamicRow(*screened, *finished));
        }
    }
    if (finished == nullptr) {
        return true;
    }
    m_path.append(pathRow(*finished));
    if (m_withSolutions && finished->solution) {
        m_newSolutions.emplace_back(finished->index, finished->solution);
    }
    if (finished->ranges) {
        const RangeRow& ranges = *finished->ranges;
        for (std::size_t i = 0; i < ranges.targets.size(); ++i) {
            m_rangeRows +=
                csvRow({exactText(ranges.reference), exactText(ranges.targets[i]), exactText(ranges.rates[i])});
        }
    }
    return true;
}

std::vector<AppendFile*> RunFolderLane::files() {
    // The log is what readers rely on; a row of path.csv without its events would be worse than the other way round.
    std::vector<AppendFile*> files = {&m_events, &m_dynamic, &m_path};
    if (m_ranges) {
        files.push_back(&*m_ranges);
    }
    return files;
}

Result<void> RunFolderLane::store() {
    if (!m_rangeRows.empty()) {
        if (!m_ranges) {
            auto file = AppendFile::create(m_folder / layout::kRanges);
            if (!file) {
                return Failure{std::move(file).error()};
            }
            m_ranges = std::move(*file);
            m_ranges->append("reference,target,rate\n");
        }
        m_ranges->append(std::exchange(m_rangeRows, {}));
    }
    if (auto stored = storeSolutions(); !stored) {
        return stored;
    }
    for (AppendFile* file : files()) {
        if (auto flushed = file->flush(); !flushed) {
            return flushed;
        }
    }
    return {};
}

fs::path RunFolderLane::solutionFile(std::int32_t point) const {
    return m_folder / (layout::kSolutionStem + std::to_string(point) + ".csv");
}

Result<void> RunFolderLane::storeSolutions() {
    while (!m_newSolutions.empty()) {
        const auto& [point, solution] = m_newSolutions.front();
        if (auto written = writeFileAtomically(solutionFile(point), solutionText(*solution)); !written) {
            return written;
        }
        m_storedSolutions.push_back(point);
        m_newSolutions.erase(m_newSolutions.begin());
    }
    return {};
}

bool RunFolderLane::isInPlace() const {
    return m_events.isInPlace() && m_dynamic.isInPlace() && m_path.isInPlace() && (!m_ranges || m_ranges->isInPlace());
}

void RunFolderLane::setRunFolder(const fs::path& runFolder) {
    m_folder = runFolder / m_folder.filename();
    m_path.setPath(m_folder / layout::kPath);
    m_dynamic.setPath(m_folder / layout::kDynamic);
    m_events.setPath(m_folder / layout::kEvents);
    if (m_ranges) {
        m_ranges->setPath(m_folder / layout::kRanges);
    }
}

Result<void> RunFolderLane::writeAgainIn(const fs::path& runFolder) {
    const fs::path folder = runFolder / m_folder.filename();
    if (auto made = makeFolder(folder); !made) {
        return made;
    }
    const std::vector<std::pair<AppendFile*, const char*>> files = {{&m_events, layout::kEvents},
                                                                    {&m_dynamic, layout::kDynamic},
                                                                    {&m_path, layout::kPath},
                                                                    {m_ranges ? &*m_ranges : nullptr, layout::kRanges}};
    for (const auto& [file, name] : files) {
        // In a folder that lost some of its files the others go on.
        if (file == nullptr || (folder == m_folder && file->isInPlace())) {
            continue;
        }
        if (auto written = file->writeAgainAt(folder / name); !written) {
            return written;
        }
    }
    m_folder = folder;
    return {};
}

std::size_t RunFolderLane::lostSolutions() const {
    return static_cast<std::size_t>(
        std::count_if(m_storedSolutions.begin(), m_storedSolutions.end(), [this](std::int32_t point) {
            std::error_code error;
            return !fs::exists(solutionFile(point), error);
        }));
}

} // namespace lambdascope
