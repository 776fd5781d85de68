// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"
#include "core/inspect/certifier.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// Writes a certificate, a folder (resources/docs/certificate.md): a file of decisions per lane, a file with the proof
/// per value of the path parameter, which all lanes share, and at last certificate.json, without which the folder is
/// none.
class CertificateWriter {
  public:
    static constexpr const char* kSummary = "certificate.json";

    /// What became of a lane.
    struct LaneSum {
        std::string name;
        std::int32_t points = 0;
        std::int64_t decided = 0;
        std::int64_t unsure = 0; ///< decisions that the checker may not be able to prove
    };

    /// Makes the folder. Errors: FileUnwritable.
    static Result<CertificateWriter> create(std::filesystem::path folder);

    void beginLane(const std::string& name);
    /// A point of the lane begun last. Errors: FileUnwritable.
    Result<void> add(const CertifiedPoint& point);
    /// Writes the decisions of the lane begun last; a lane without points is left out. Errors: FileUnwritable.
    Result<void> endLane();
    [[nodiscard]] const LaneSum& lane() const { return m_sum; } ///< begun last

    /// Takes away what was written, and the folder if that leaves it empty.
    void discard() const;

    /// `data` and `problem` are the members of those names. Errors: FileUnwritable.
    Result<void> finish(std::string_view family, std::string_view program, Json data, Json problem);

  private:
    explicit CertificateWriter(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    struct Written {
        std::size_t number = 0; ///< among the points
        double gap = 0;
    };

    Result<void> write(const std::string& file, std::string_view text);

    std::filesystem::path m_folder;
    std::vector<std::string> m_files;    ///< written so far
    std::map<double, Written> m_written; ///< by value of the path parameter
    std::int64_t m_items = 0;
    Json m_lanes = Json::array();
    LaneSum m_sum;
    std::vector<std::size_t> m_points; ///< of the lane
    std::string m_decisions;           ///< of the lane: two bits per item, each point beginning with a byte
};

} // namespace lambdascope
