// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// A cell that is to be computed.
struct CellTask {
    std::size_t cell = 0;
    std::size_t group = 0; ///< of cells that take about the same time and memory
};

/// How the process of a cell ended.
struct CellProcessEnd {
    std::size_t cell = 0;
    int status = 0;            ///< exit status, or minus the number of the signal that ended it
    bool isOverBudget = false; ///< was ended because alone it took more memory than all may have
    double seconds = 0;
    double cpu = 0;
    std::filesystem::path work; ///< the folder it was to make
    std::filesystem::path log;  ///< what it printed
};

/// How far a queue of cells is.
struct CellProgress {
    std::size_t running = 0;
    std::size_t waiting = 0;
    std::optional<double> secondsLeft; ///< nothing while no cell has ended
};

/// Computes cells by processes, several at a time. The first cell of every group goes first, then the groups that take
/// longest: so the end can be told early, and no long cell is left for last. A cell begins when the memory of all at
/// work, as cells like them had it, stays within the budget; processes that exceed it all the same are ended, the
/// youngest first, and begin again when there is room. When this process ends in whatever way, so do those.
class CellProcesses {
  public:
    struct Settings {
        int jobs = 1;
        double memory = 0;          ///< bytes that all may have together; 0 for no limit
        std::filesystem::path work; ///< where folders and logs are made: one per process, new names
        /// Program and arguments for a cell that writes to the folder `work`, which does not exist yet.
        std::function<std::vector<std::string>(std::size_t cell, const std::filesystem::path& work)> command;
        std::function<void(const CellProcessEnd&)> ended;  ///< a stop from outside is no end
        std::function<void(const CellProgress&)> progress; ///< several times a second
    };

    CellProcesses(std::vector<CellTask> tasks, Settings settings);
    ~CellProcesses();
    CellProcesses(const CellProcesses&) = delete;
    CellProcesses& operator=(const CellProcesses&) = delete;

    /// What is known of a group before it begins: a cell of it took so long and had so much memory.
    void learn(std::size_t group, double seconds, double bytes);

    /// Until all cells have ended, or a stop, which ends the processes. Error: Internal when no process can be made.
    Result<void> run(const std::stop_token& stop);

    /// What all processes have used so far.
    struct Usage {
        double cpu = 0;
        double seconds = 0; ///< that each of them was there, added up
        double lostCpu = 0; ///< of those that were ended from here, and whose cells are missing or begin again
    };
    [[nodiscard]] const Usage& usage() const { return m_usage; }

  private:
    struct Group {
        std::vector<std::size_t> waiting; ///< cells, the next one last
        bool hasBegun = false;
        std::size_t known = 0; ///< cells that have ended
        double seconds = 0;    ///< their mean
        double bytes = 0;      ///< the most that one had
    };
    struct Process {
        std::size_t cell = 0;
        std::size_t group = 0;
        int id = 0;
        int descriptor = -1; ///< becomes readable at its end
        double start = 0;
        double bytes = 0; ///< most seen so far
        bool isEvicted = false;
        bool isOverBudget = false;
        std::filesystem::path work;
        std::filesystem::path log;
    };

    [[nodiscard]] std::optional<std::size_t> nextGroup() const;
    [[nodiscard]] double expectedBytes(const Group& group) const;
    [[nodiscard]] double expectedSeconds(const Group& group) const;
    [[nodiscard]] bool hasRoomFor(const Group& group) const;
    Result<void> start(std::size_t group);
    void waitForEnds(int milliseconds);
    bool takeEnd(Process& process);
    void keepToBudget();
    void endAll();
    void addUsage(const Process& process, double cpu, bool isLost);
    [[nodiscard]] CellProgress progress() const;

    std::map<std::size_t, Group> m_groups;
    std::vector<Process> m_running; ///< the youngest last
    Settings m_settings;
    std::size_t m_started = 0;
    Usage m_usage;
};

/// What a process has used: CPU seconds, and the most memory it had, in bytes.
struct ProcessUsage {
    double cpu = 0;
    double bytes = 0;
};
/// Of this process so far.
[[nodiscard]] ProcessUsage ownUsage();

/// Bytes of memory that can be had without swapping, as the system tells them; 0 when it does not.
[[nodiscard]] double availableMemory();

} // namespace lambdascope
