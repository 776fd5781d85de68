// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder_lane.h"

#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/store/run_folder_layout.h"
#include "core/store/run_summary.h"

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

std::vector<std::string> keysOf(const std::vector<ColumnDescription>& columns) {
    std::vector<std::string> keys;
    for (const ColumnDescription& column : columns) {
        keys.push_back(column.key);
    }
    return keys;
}

/// Of the table of a lane's parts.
std::string headerOf(const RunStarted& start) {
    std::vector<std::string> header = keysOf(start.parts.columns);
    header.insert(header.begin(), {"index", start.axisKey, "part"});
    return csvRow(header);
}

/// The point that a file holds the solution of; nothing for other files.
std::optional<std::int64_t> pointOfSolution(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::size_t begin = std::string_view(layout::kSolutionStem).size();
    if (!name.starts_with(layout::kSolutionStem) || !name.ends_with(".csv")) {
        return std::nullopt;
    }
    return parseInteger(std::string_view(name).substr(begin, name.size() - begin - 4));
}

/// Removes the solutions of points from `first` on; the points of the others.
std::vector<std::int32_t> removeSolutions(const fs::path& laneFolder, std::int64_t first) {
    std::vector<std::int32_t> left;
    std::vector<fs::path> removed;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(laneFolder, ignored)) {
        if (const auto point = pointOfSolution(entry.path()); point && *point >= first) {
            removed.push_back(entry.path());
        } else if (point) {
            left.push_back(static_cast<std::int32_t>(*point));
        }
    }
    for (const fs::path& file : removed) {
        fs::remove(file, ignored);
    }
    return left;
}

/// The folder, unless it is there already.
Result<void> makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directory(folder, error);
    return error ? Failure{unwritable(folder, error.value())} : Result<void>();
}

} // namespace

RunFolderLane::RunFolderLane(fs::path folder, AppendFile path, AppendFile dynamic, AppendFile events, StateOwner owner,
                             bool withSolutions, const RunStarted& start)
    : m_folder(std::move(folder)), m_path(std::move(path)), m_dynamic(std::move(dynamic)), m_events(std::move(events)),
      m_ranges{layout::kRanges, "reference,target,rate\n", {}, {}}, m_parts{layout::kParts, headerOf(start), {}, {}},
      m_partsOf(start.parts), m_withSolutions(withSolutions), m_owner(std::move(owner)) {}

Result<RunFolderLane> RunFolderLane::create(const fs::path& runFolder, const RunStarted& start,
                                            const RunFolderFacts& facts) {
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
    path->append(csvRow(keysOf(start.columns)));
    dynamic->append("index,check,iteration,R,L,rate,gap,radius,cpu\n");
    return RunFolderLane(folder, std::move(*path), std::move(*dynamic), std::move(*events),
                         stateOwner(facts.experiment, facts.dataSha256, start.laneName), facts.solutions, start);
}

std::array<std::uint64_t, 5> RunFolderLane::sizesIn(const fs::path& laneFolder) {
    std::array<std::uint64_t, 5> sizes{};
    std::size_t at = 0;
    for (const char* name : {layout::kEvents, layout::kDynamic, layout::kPath, layout::kRanges, layout::kParts}) {
        std::error_code error;
        const auto size = fs::file_size(laneFolder / name, error);
        sizes[at++] = error ? 0 : size;
    }
    return sizes;
}

Result<RunFolderLane> RunFolderLane::resume(const fs::path& runFolder, const RunStarted& start, const KeptState& at,
                                            const RunFolderFacts& facts) {
    const fs::path folder = runFolder / start.laneName;
    auto events = AppendFile::resume(folder / layout::kEvents, at.sizes[0]);
    auto dynamic = AppendFile::resume(folder / layout::kDynamic, at.sizes[1]);
    auto path = AppendFile::resume(folder / layout::kPath, at.sizes[2]);
    for (const auto* file : {&path, &dynamic, &events}) {
        if (!*file) {
            return Failure{file->error()};
        }
    }
    RunFolderLane resumed(folder, std::move(*path), std::move(*dynamic), std::move(*events),
                          stateOwner(facts.experiment, facts.dataSha256, start.laneName), facts.solutions, start);
    std::error_code ignored;
    std::size_t place = 3;
    for (LateTable* table : {&resumed.m_ranges, &resumed.m_parts}) {
        const std::uint64_t size = at.sizes[place++];
        if (size == 0) {
            fs::remove(folder / table->name, ignored);
            continue;
        }
        auto file = AppendFile::resume(folder / table->name, size);
        if (!file) {
            return Failure{std::move(file).error()};
        }
        table->file = std::move(*file);
    }
    resumed.m_storedSolutions = removeSolutions(folder, at.points);
    removeStates(folder, at.state ? at.points : -1); // of no use to a lane that has ended
    return resumed;
}

void RunFolderLane::remove(const fs::path& laneFolder) {
    std::error_code ignored;
    // The events first: without them a lane has not begun, whatever else may still be there.
    for (const char* file :
         {layout::kEvents, layout::kPath, layout::kDynamic, layout::kRanges, layout::kParts, layout::kAudit}) {
        fs::remove(laneFolder / file, ignored);
    }
    (void)removeSolutions(laneFolder, 0);
    removeStates(laneFolder);
    fs::remove(laneFolder, ignored); // goes only when empty
}

bool RunFolderLane::add(const RunEvent& event) {
    m_buffer.add(event);
    if (std::holds_alternative<Iterated>(event.body) || std::holds_alternative<Screened>(event.body) ||
        std::holds_alternative<PointStarted>(event.body)) {
        return false;
    }
    const auto* finished = std::get_if<PointFinished>(&event.body);
    const auto* end = std::get_if<RunFinished>(&event.body);
    m_isOver = m_isOver || (end != nullptr && end->termination != Termination::StoppedByUser);
    for (const RunEvent& kept : m_buffer.take()) {
        m_events.append(eventLine(kept));
        if (const auto* parts = std::get_if<PartsSolved>(&kept.body)) {
            m_newParts = *parts;
        }
        const auto* screened = std::get_if<Screened>(&kept.body);
        if (screened != nullptr && finished != nullptr && screened->pointIndex == finished->index) {
            m_dynamic.append(dynamicRow(*screened, *finished));
        }
    }
    if (finished == nullptr) {
        return true;
    }
    m_path.append(pathRow(*finished));
    addParts(*finished);
    if (finished->state) {
        m_newState = KeptState{finished->index + 1, event.sequence, {}, finished->state};
    }
    if (m_withSolutions && finished->solution) {
        m_newSolutions.emplace_back(finished->index, finished->solution);
    }
    if (finished->ranges) {
        const RangeRow& ranges = *finished->ranges;
        for (std::size_t i = 0; i < ranges.targets.size(); ++i) {
            m_ranges.rows +=
                csvRow({exactText(ranges.reference), exactText(ranges.targets[i]), exactText(ranges.rates[i])});
        }
    }
    return true;
}

void RunFolderLane::addParts(const PointFinished& point) {
    const std::size_t width = m_partsOf.columns.size();
    if (m_newParts.pointIndex != point.index || m_newParts.values.size() != m_partsOf.names.size() * width) {
        return;
    }
    for (std::size_t part = 0; part < m_partsOf.names.size(); ++part) {
        std::vector<std::string> cells = {std::to_string(point.index), exactText(point.axisValue),
                                          m_partsOf.names[part]};
        for (std::size_t k = 0; k < width; ++k) {
            cells.push_back(exactText(m_newParts.values[part * width + k]));
        }
        m_parts.rows += csvRow(cells);
    }
    m_newParts = {};
}

std::vector<std::pair<AppendFile*, const char*>> RunFolderLane::files() {
    // The log is what readers rely on; a row of path.csv without its events would be worse than the other way round.
    std::vector<std::pair<AppendFile*, const char*>> files = {
        {&m_events, layout::kEvents}, {&m_dynamic, layout::kDynamic}, {&m_path, layout::kPath}};
    for (LateTable* table : {&m_ranges, &m_parts}) {
        if (table->file) {
            files.emplace_back(&*table->file, table->name);
        }
    }
    return files;
}

Result<void> RunFolderLane::store() {
    for (LateTable* table : {&m_ranges, &m_parts}) {
        if (table->rows.empty()) {
            continue;
        }
        if (!table->file) {
            auto file = AppendFile::create(m_folder / table->name);
            if (!file) {
                return Failure{std::move(file).error()};
            }
            table->file = std::move(*file);
            table->file->append(table->header);
        }
        table->file->append(std::exchange(table->rows, {}));
    }
    if (auto stored = storeSolutions(); !stored) {
        return stored;
    }
    for (const auto& [file, name] : files()) {
        if (auto flushed = file->flush(); !flushed) {
            return flushed;
        }
    }
    if (std::exchange(m_isOver, false)) {
        removeStates(m_folder);
    }
    return storeState();
}

/// The tables have to be there before what says how long they are.
Result<void> RunFolderLane::storeState() {
    if (!m_newState) {
        return {};
    }
    m_newState->sizes = {m_events.size(), m_dynamic.size(), m_path.size(), m_ranges.file ? m_ranges.file->size() : 0,
                         m_parts.file ? m_parts.file->size() : 0};
    for (const auto& [file, name] : files()) {
        if (auto synced = file->sync(); !synced) {
            return synced;
        }
    }
    auto written = writeState(m_folder, m_owner, *m_newState);
    if (written) {
        m_newState.reset();
    }
    return written;
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
    const auto isThere = [](const LateTable& table) { return !table.file || table.file->isInPlace(); };
    return m_events.isInPlace() && m_dynamic.isInPlace() && m_path.isInPlace() && isThere(m_ranges) && isThere(m_parts);
}

void RunFolderLane::setRunFolder(const fs::path& runFolder) {
    m_folder = runFolder / m_folder.filename();
    for (const auto& [file, name] : files()) {
        file->setPath(m_folder / name);
    }
}

Result<void> RunFolderLane::writeAgainIn(const fs::path& runFolder) {
    const fs::path folder = runFolder / m_folder.filename();
    if (auto made = makeFolder(folder); !made) {
        return made;
    }
    for (const auto& [file, name] : files()) {
        // In a folder that lost some of its files the others go on.
        if (folder == m_folder && file->isInPlace()) {
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
