// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_process.h"

#include "core/data/hdf5_messages.h"

#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDamaged = "The file is damaged; write it again with h5repack or h5py.";

} // namespace

fs::path hdf5Program() {
    return helperProgram("lambdascope-hdf5");
}

bool Hdf5Process::mayWait() const {
    return !m_stop.stop_requested() && m_process.cpuSeconds() - m_cpuBefore <= m_limits.seconds;
}

std::uint64_t Hdf5Process::memoryFor(const std::string& path) const {
    std::error_code failure;
    const std::uintmax_t size = fs::file_size(path, failure);
    return m_limits.memory > 0 ? m_limits.memory : (std::uint64_t{1} << 30) + 16 * (failure ? 0 : size);
}

Hdf5Trouble Hdf5Process::troubleOf(const HelperTrouble& trouble) const {
    using Kind = HelperTrouble::Kind;
    if (trouble.kind == Kind::GivenUp && m_stop.stop_requested()) {
        return {ErrorCode::Stopped, "was not read: reading was stopped", {}};
    }
    if (trouble.kind == Kind::GivenUp) {
        return {ErrorCode::InvalidData,
                "cannot be read: the HDF5 library came to no end with it in " +
                    std::to_string(static_cast<int>(m_limits.seconds)) + " s of computing",
                kDamaged};
    }
    if (trouble.kind == Kind::Ended) {
        return {ErrorCode::InvalidData,
                "cannot be read: the HDF5 library ended while reading it" +
                    (trouble.detail.empty() ? std::string() : ": " + trouble.detail),
                kDamaged};
    }
    const HelperComplaint complaint = complaintOf(trouble, m_process.program(), "reads HDF5 files");
    if (trouble.kind == Kind::Unclear) {
        return {ErrorCode::InvalidData, "cannot be read: " + complaint.message,
                "Write the file again with h5repack or h5py; if that does not help, install Lambdascope again."};
    }
    return {ErrorCode::FileUnreadable, "cannot be read: " + complaint.message, complaint.remedy};
}

std::optional<Hdf5Trouble> Hdf5Process::open(const std::string& path) {
    if (const auto trouble = m_process.start(path)) {
        return troubleOf(*trouble);
    }
    m_process.limitMemory(memoryFor(path));
    Hdf5Contents contents;
    if (const auto trouble = m_process.receiveMessage(contents)) {
        return troubleOf(*trouble);
    }
    m_sets = std::move(contents.sets);
    return contents.trouble.message.empty() ? std::nullopt : std::optional(std::move(contents.trouble));
}

std::optional<Hdf5Trouble> Hdf5Process::readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                                 double* to) {
    m_cpuBefore = m_process.cpuSeconds();
    if (const auto trouble = m_process.sendMessage(Hdf5Request{set, first, count})) {
        return troubleOf(*trouble);
    }
    Hdf5Trouble answer;
    if (const auto trouble = m_process.receiveMessage(answer)) {
        return troubleOf(*trouble);
    }
    if (!answer.message.empty()) {
        return answer;
    }
    const auto trouble = m_process.receive(to, count * set.columns * sizeof(double));
    return trouble ? std::optional(troubleOf(*trouble)) : std::nullopt;
}

} // namespace lambdascope
