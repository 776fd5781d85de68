// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sha256.h"
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

namespace {

std::string table(int rows) {
    std::string text = "a,b,class\n";
    for (int i = 0; i < rows; ++i) {
        text += std::to_string((i * 7919) % 1000) + "." + std::to_string(i % 97) + "," + std::to_string(i * 31 % 513) +
                "," + (i % 3 == 0 ? "u" : "v") + "\n";
    }
    return text;
}

std::string sha256Of(const std::string& bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.hexDigest();
}

} // namespace

TEST(CompressedFiles, ReadAsTheTextInThem) {
    DataFolder folder;
    const std::string text = table(100'000); // more than one buffer and one bzip2 block
    const auto plainData = loaded(plain(folder.write("a.csv", text)));
    for (const std::string& packed : {gzipped(text), bzipped(text)}) {
        const auto data = loaded(plain(folder.write("b", packed)));
        EXPECT_EQ(data->contentSha256(), plainData->contentSha256());
        EXPECT_EQ(data->sourceSha256(), sha256Of(packed));
    }
    EXPECT_EQ(plainData->sourceSha256(), sha256Of(text));
}

TEST(CompressedFiles, MayHoldSeveralStreamsAndPadding) {
    DataFolder folder;
    const std::string text = table(50);
    const auto whole = loaded(plain(folder.write("a.csv", text)));
    const std::string first = text.substr(0, 333);
    const std::string second = text.substr(333);
    EXPECT_EQ(loaded(plain(folder.write("b", gzipped(first) + gzipped(second))))->contentSha256(),
              whole->contentSha256());
    EXPECT_EQ(loaded(plain(folder.write("c", bzipped(first) + bzipped(second))))->contentSha256(),
              whole->contentSha256());
    EXPECT_EQ(loaded(plain(folder.write("d", gzipped(text) + std::string(512, '\0'))))->contentSha256(),
              whole->contentSha256());
}

TEST(CompressedFiles, ThatAreCutOffAreReportedWithTheirName) {
    DataFolder folder;
    const std::string text = table(30'000);
    for (const std::string& packed : {gzipped(text), bzipped(text)}) {
        for (const double share : {0.001, 0.3, 0.7, 0.9999}) {
            const auto size = static_cast<std::size_t>(share * static_cast<double>(packed.size()));
            const Error error =
                failed(plain(folder.write("broken.csv.z", packed.substr(0, std::max<std::size_t>(size, 12)))));
            EXPECT_NE(error.describe().find("cut off"), std::string::npos) << error.describe();
            EXPECT_NE(error.describe().find("broken.csv.z"), std::string::npos);
        }
    }
}

TEST(CompressedFiles, ThatAreDamagedAreReported) {
    DataFolder folder;
    const std::string text = table(30'000);
    for (std::string packed : {gzipped(text), bzipped(text)}) {
        for (std::size_t at = packed.size() / 2; at < packed.size() / 2 + 40; ++at) {
            packed[at] = static_cast<char>(~packed[at]);
        }
        EXPECT_EQ(failed(plain(folder.write("a", packed))).code, ErrorCode::InvalidData);
    }
    EXPECT_NE(failed(plain(folder.write("a", gzipped(text) + "tail"))).describe().find("damaged"), std::string::npos);
}

} // namespace lambdascope::test
