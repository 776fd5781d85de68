// SPDX-License-Identifier: GPL-3.0-or-later
// What ./dev fuzz begins with, and what it found once, by the readers: each file, its beginnings, and changes of it.
#include "core/common/random_stream.h"
#include "tests/fuzz/readers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lambdascope::test {
namespace {

namespace fs = std::filesystem;

class ReaderCorpus : public testing::TestWithParam<Reader> {
  protected:
    static std::vector<std::string> files() {
        std::vector<fs::path> paths;
        for (const auto& entry :
             fs::directory_iterator(fs::path(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fuzz/corpus") / GetParam().name)) {
            paths.push_back(entry.path());
        }
        std::sort(paths.begin(), paths.end());
        std::vector<std::string> contents;
        for (const fs::path& path : paths) {
            std::ostringstream text;
            text << std::ifstream(path, std::ios::binary).rdbuf();
            contents.push_back(text.str());
        }
        return contents;
    }
    static void expectSound(const std::string& bytes, const std::string& what) {
        const std::string wrong = GetParam().read(bytes);
        EXPECT_EQ(wrong, "") << what;
    }
};

TEST_P(ReaderCorpus, IsReadOrRefusedInWords) {
    const std::vector<std::string> all = files();
    ASSERT_FALSE(all.empty());
    for (std::size_t i = 0; i < all.size(); ++i) {
        expectSound(all[i], "file " + std::to_string(i));
    }
    EXPECT_EQ(GetParam().read(""), "");
}

TEST_P(ReaderCorpus, MayBeCutAndChanged) {
    constexpr int kChanges = 60;
    RandomStream random(3, GetParam().name);
    for (const std::string& file : files()) {
        for (int change = 0; change < kChanges && !HasFailure(); ++change) {
            std::string bytes = file.substr(0, random.below(3) == 0 ? random.below(file.size() + 1) : file.size());
            for (std::size_t count = random.below(4); count > 0 && !bytes.empty(); --count) {
                const std::size_t at = random.below(bytes.size());
                if (random.below(2) == 0) {
                    bytes[at] = static_cast<char>(random.below(256));
                } else {
                    bytes.insert(at, bytes.substr(random.below(bytes.size()), random.below(40)));
                }
            }
            expectSound(bytes, "change " + std::to_string(change));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, ReaderCorpus, testing::ValuesIn(readers().begin(), readers().end()),
                         [](const auto& reader) { return std::string(reader.param.name); });

} // namespace
} // namespace lambdascope::test
