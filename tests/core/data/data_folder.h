// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/data/data_source.h"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lambdascope::test {

using Numbers = std::vector<double>;

/// Where the bundled data sets lie.
inline DataPlaces places() {
    return {{}, std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "datasets"};
}

/// A folder for the files of one test, gone afterwards.
class DataFolder {
  public:
    DataFolder() {
        static int count = 0;
        m_path = std::filesystem::temp_directory_path() /
                 ("lambdascope-data-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(m_path);
    }
    DataFolder(const DataFolder&) = delete;
    DataFolder& operator=(const DataFolder&) = delete;
    ~DataFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return m_path / name; }

    std::filesystem::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

  private:
    std::filesystem::path m_path;
};

inline std::string gzipped(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string bzipped(const std::string& text) {
    auto size = static_cast<unsigned>(text.size() + text.size() / 50 + 600);
    std::string out(size, '\0');
    BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()), static_cast<unsigned>(text.size()), 9,
                             0, 0);
    out.resize(size);
    return out;
}

/// Whether some fault stands at the place and says so.
inline testing::AssertionResult hasFault(const Error& error, std::size_t line, std::size_t column,
                                         const std::string& part) {
    for (const Fault& fault : error.faults) {
        if (fault.place.line == line && fault.place.column == column && fault.message.find(part) != std::string::npos &&
            !fault.remedy.empty()) {
            return testing::AssertionSuccess();
        }
    }
    return testing::AssertionFailure() << "no fault with a remedy at " << line << ":" << column << " says \"" << part
                                       << "\" in\n"
                                       << error.describe();
}

} // namespace lambdascope::test
