// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lambdascope::testing_support {

/// A folder of its own for one test, removed at its end.
class ScratchFolder : public testing::Test {
  protected:
    ScratchFolder() {
        std::string pattern = (std::filesystem::path(testing::TempDir()) / "lambdascope-test-XXXXXX").string();
        const char* made = mkdtemp(pattern.data());
        EXPECT_NE(made, nullptr);
        m_scratch = pattern;
    }
    ~ScratchFolder() override {
        std::error_code ignored;
        std::filesystem::remove_all(m_scratch, ignored);
    }

    [[nodiscard]] std::filesystem::path scratch(const std::string& name) const { return m_scratch / name; }

  public:
    static std::string contents(const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        EXPECT_TRUE(stream) << file;
        std::ostringstream text;
        text << stream.rdbuf();
        return text.str();
    }
    static void write(const std::filesystem::path& file, const std::string& text) {
        std::ofstream stream(file, std::ios::binary);
        stream << text;
        EXPECT_TRUE(stream.flush()) << file;
    }

  private:
    std::filesystem::path m_scratch;
};

} // namespace lambdascope::testing_support
