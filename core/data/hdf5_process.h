// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/hdf5_file.h"

#include <sys/types.h>

#include <ctime>
#include <filesystem>
#include <stop_token>

namespace lambdascope {

/// The program lambdascope-hdf5: where this program stands, else where it was built, else where it is installed.
[[nodiscard]] std::filesystem::path hdf5Program();

struct Hdf5ProcessLimits {
    /// Bytes of addresses; 0: 1 GiB and 16 times the size of the file, which holds a file of one compressed chunk.
    std::uint64_t memory = 0;
    /// CPU time for one answer: what the file holds, or some rows.
    double seconds = 60;
};

/// Reads by the program lambdascope-hdf5, a process of its own that alone knows the HDF5 library: some damaged files
/// make that library read where nothing is, and so end the process that it runs in. What comes of that, of too much
/// memory or time, or of a stop (looked for every few milliseconds) is trouble, and the process is gone.
///
/// Cost: about 8 ms for the process, and each number is copied twice more than by Hdf5Library.
class Hdf5Process final : public Hdf5File {
  public:
    explicit Hdf5Process(std::stop_token stop = {}, Hdf5ProcessLimits limits = {},
                         std::filesystem::path program = hdf5Program())
        : m_stop(std::move(stop)), m_limits(limits), m_program(std::move(program)) {}
    ~Hdf5Process() override;

    std::optional<Hdf5Trouble> open(const std::string& path) override;
    std::optional<Hdf5Trouble> readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                        double* to) override;

  private:
    std::optional<Hdf5Trouble> start(const std::string& path);
    void setLimits(const std::string& path) const;
    template <class Content>
    std::optional<Hdf5Trouble> receive(Content& content);
    std::optional<Hdf5Trouble> receiveBytes(char* to, std::size_t count);
    std::optional<Hdf5Trouble> lookAround();
    std::optional<Hdf5Trouble> troubleOfEnd();
    [[nodiscard]] double cpuSeconds() const;
    int end();

    std::stop_token m_stop;
    Hdf5ProcessLimits m_limits;
    std::filesystem::path m_program;
    pid_t m_process = -1;
    int m_socket = -1;
    clockid_t m_clock{};
    double m_cpuBefore = 0; ///< this answer
};

} // namespace lambdascope
