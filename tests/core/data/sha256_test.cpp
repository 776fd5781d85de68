// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace lambdascope::test {

namespace {

std::string digest(const std::string& text, std::size_t piece) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        hash.add(text.data() + at, std::min(piece, text.size() - at));
    }
    return hash.hexDigest();
}

} // namespace

// Examples of NIST's Secure Hash Standard validation.
TEST(Sha256, GivesThePublishedDigests) {
    EXPECT_EQ(digest("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 100),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest(std::string(1'000'000, 'a'), 777),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesArrive) {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        text += static_cast<char>(i * 7);
        for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}}) {
            EXPECT_EQ(digest(text, piece), digest(text, text.size()));
        }
    }
}

} // namespace lambdascope::test
