// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/text_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

class TextFile : public testing::Test {
  protected:
    TextFile() {
        std::string pattern = (fs::path(testing::TempDir()) / "text-file-XXXXXX").string();
        EXPECT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }
    ~TextFile() override { fs::remove_all(m_folder); }
    [[nodiscard]] fs::path file(const std::string& name) const { return m_folder / name; }
    static void expectRefused(const fs::path& path, ErrorCode code, const std::string& word) {
        const auto text = readTextFile(path, 1 << 20, "a test");
        ASSERT_FALSE(text) << path;
        EXPECT_EQ(text.error().code, code) << path;
        EXPECT_NE(text.error().describe().find(word), std::string::npos) << text.error().describe();
        EXPECT_EQ(text.error().faults.at(0).place.file, path.string());
        EXPECT_FALSE(text.error().faults.at(0).remedy.empty());
    }

  private:
    fs::path m_folder;
};

TEST_F(TextFile, GivesTheBytesUpToTheLimit) {
    for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 1048576U}) {
        std::string text(size, 'x');
        if (size > 2) {
            text[size / 2] = '\0';
        }
        std::ofstream(file("a")) << text;
        const auto read = readTextFile(file("a"), 1 << 20, "a test");
        ASSERT_TRUE(read) << size;
        EXPECT_EQ(*read, text);
    }
    std::ofstream(file("a")) << std::string((1 << 20) + 1, 'x');
    expectRefused(file("a"), ErrorCode::FileUnreadable, "larger than 1 MB, the most that a test may have");
}

TEST_F(TextFile, RefusesWhatMayHaveNoEnd) {
    expectRefused(file("none"), ErrorCode::FileNotFound, "no such file");
    expectRefused(file(""), ErrorCode::FileUnreadable, "is a folder");
    expectRefused("/dev/zero", ErrorCode::FileUnreadable, "is a device");
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    expectRefused(file("pipe"), ErrorCode::FileUnreadable, "named pipe");
    const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(file("s").string().size(), sizeof(address.sun_path));
    file("s").string().copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    expectRefused(file("s"), ErrorCode::FileUnreadable, "socket");
    ::close(listener);
}

TEST_F(TextFile, ReadsPipesThatAreOpenAlready) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    ASSERT_EQ(::write(ends[1], "text", 4), 4);
    ::close(ends[1]);
    const auto read = readTextFile("/dev/fd/" + std::to_string(ends[0]), 100, "a test");
    ASSERT_TRUE(read) << read.error().describe();
    EXPECT_EQ(*read, "text");
    ::close(ends[0]);
}

TEST_F(TextFile, ReadsAnEndlessPipeNoFurtherThanTheLimit) {
    const int zeros = ::open("/dev/zero", O_RDONLY);
    expectRefused("/dev/fd/" + std::to_string(zeros), ErrorCode::FileUnreadable, "larger than 1 MB");
    ::close(zeros);
}

} // namespace
} // namespace lambdascope
