// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/certificate_writer.h"

#include "core/store/append_file.h"
#include "core/store/certificate_data.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFormat = "lambdascope certificate";
constexpr int kVersion = 1;
constexpr std::size_t kItemsPerByte = 4;

std::string pointFile(std::size_t number) {
    return "point-" + std::to_string(number) + ".json";
}

/// Two bits per item, the first in the lowest bits of the first byte.
std::string packed(const std::vector<std::uint8_t>& sets) {
    std::string bytes((sets.size() + kItemsPerByte - 1) / kItemsPerByte, '\0');
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const auto bits = static_cast<unsigned>(sets[i] & 3U) << (2 * (i % kItemsPerByte));
        bytes[i / kItemsPerByte] = static_cast<char>(static_cast<unsigned char>(bytes[i / kItemsPerByte]) | bits);
    }
    return bytes;
}

} // namespace

Result<CertificateWriter> CertificateWriter::create(fs::path folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return Failure{unwritable(folder, error.value())};
    }
    fs::remove(folder / kSummary, error);
    return CertificateWriter(std::move(folder));
}

void CertificateWriter::beginLane(const std::string& name) {
    m_sum = {name};
    m_points.clear();
    m_decisions.clear();
}

Result<void> CertificateWriter::add(const CertifiedPoint& point) {
    const auto [place, isNew] = m_written.try_emplace(point.axisValue, Written{m_written.size(), point.gap});
    Written& written = place->second;
    if (isNew || point.gap < written.gap) {
        if (auto done = write(pointFile(written.number), point.proof.dump() + "\n"); !done) {
            return done;
        }
        written.gap = point.gap;
    }
    m_items = static_cast<std::int64_t>(point.sets.size());
    m_points.push_back(written.number);
    m_decisions += packed(point.sets);
    ++m_sum.points;
    m_sum.decided += point.decided;
    m_sum.unsure += point.unsure;
    return {};
}

Result<void> CertificateWriter::endLane() {
    if (m_points.empty()) {
        return {};
    }
    const std::string file = "lane-" + std::to_string(m_lanes.size()) + ".bits";
    m_lanes.push_back(Json{{"name", m_sum.name}, {"decisions", file}, {"points", m_points}});
    return write(file, m_decisions);
}

Result<void> CertificateWriter::write(const std::string& file, std::string_view text) {
    m_files.push_back(file);
    return writeFileAtomically(m_folder / file, text);
}

void CertificateWriter::discard() const {
    std::error_code ignored;
    for (const std::string& file : m_files) {
        fs::remove(m_folder / file, ignored);
    }
    fs::remove(m_folder / kPreparedData, ignored);
    fs::remove(m_folder, ignored); // fails unless it is empty
}

Result<void> CertificateWriter::finish(std::string_view family, std::string_view program, Json data, Json problem) {
    Json points = Json::array();
    for (std::size_t number = 0; number < m_written.size(); ++number) {
        points.push_back(pointFile(number));
    }
    const Json summary = Json{{"format", kFormat},
                              {"version", kVersion},
                              {"program", std::string(program)},
                              {"family", std::string(family)},
                              {"data", std::move(data)},
                              {"problem", std::move(problem)},
                              {"items", m_items},
                              {"points", std::move(points)},
                              {"lanes", m_lanes}};
    return writeFileAtomically(m_folder / kSummary, summary.dump(1) + "\n");
}

} // namespace lambdascope
