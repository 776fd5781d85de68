// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/helper_process.h"
#include "core/data/hdf5_file.h"

#include <filesystem>
#include <stop_token>

namespace lambdascope {

/// The program lambdascope-hdf5.
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
        : m_stop(std::move(stop)), m_limits(limits), m_process(std::move(program), [this] { return mayWait(); }) {}

    std::optional<Hdf5Trouble> open(const std::string& path) override;
    std::optional<Hdf5Trouble> readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                        double* to) override;

  private:
    [[nodiscard]] bool mayWait() const;
    [[nodiscard]] std::uint64_t memoryFor(const std::string& path) const;
    /// What it means for the file.
    [[nodiscard]] Hdf5Trouble troubleOf(const HelperTrouble& trouble) const;

    std::stop_token m_stop;
    Hdf5ProcessLimits m_limits;
    HelperProcess m_process;
    double m_cpuBefore = 0; ///< this answer
};

} // namespace lambdascope
