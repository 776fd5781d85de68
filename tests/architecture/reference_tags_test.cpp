// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/documents.h"
#include "tests/architecture/reference_tags.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

using namespace lambdascope;

namespace {

namespace fs = std::filesystem;
using References = std::map<std::string, std::string>;

const fs::path root = LAMBDASCOPE_TEST_SOURCE_DIR;

References knownReferences() {
    return referencesInHeader(fileText(root / "core/references.h"));
}

std::vector<std::string> tagNames(const std::string& text) {
    std::vector<std::string> names;
    for (const TagUse& use : tagsIn(text, {{"T", ""}})) {
        names.push_back(use.tag);
    }
    return names;
}

/// Every tag that a comment, a page or a preset uses, by "file:line"; the lists themselves do not count.
std::multimap<std::string, std::string> allUses(const References& known) {
    std::multimap<std::string, std::string> uses;
    const auto add = [&](const std::string& file, const std::string& text) {
        for (const TagUse& use : tagsIn(text, known)) {
            uses.emplace(use.tag, file + ":" + std::to_string(use.line));
        }
    };
    for (const char* top : {"app", "core", "ui", "tests", "resources/presets"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string name = fs::relative(entry.path(), root).generic_string();
            const auto extension = entry.path().extension();
            if (extension == ".json" && std::string(top) != "tests") {
                add(name, fileText(entry.path()));
            } else if ((extension == ".h" || extension == ".cpp") && name != "core/references.h") {
                add(name, commentsOf(fileText(entry.path())));
            }
        }
    }
    for (const Document& page : documentsOf(root)) {
        if (page.name != "resources/docs/references.md") {
            add(page.name, page.prose);
        }
    }
    return uses;
}

} // namespace

TEST(ReferenceTags, AreLettersWithAPlaceOrNamesWithANumber) {
    EXPECT_EQ(tagNames("[T] [T, Thm 2] [Z, §4.1] [Y, (13)]"), (std::vector<std::string>{"T", "T", "Z", "Y"}));
    EXPECT_EQ(tagNames("[Higham 2002, §3.1] [Fan, Chen, Lin 2005] [Júdice and Pires 1994] [RFC 4180] [FIPS 180-4, 6]"),
              (std::vector<std::string>{"Higham 2002", "Fan, Chen, Lin 2005", "Júdice and Pires 1994", "RFC 4180",
                                        "FIPS 180-4"}));
}
TEST(ReferenceTags, AreNotFormulas) {
    EXPECT_EQ(
        tagNames("[Q] [Q − zH] [M − η ∇f(M)] [0, 1] [Q_FE, I_D] [Q_EF Q_EE 0] [G 1; 1ᵀ 0] [FILE…] [i, j] x[T[2]]"),
        std::vector<std::string>{});
}
TEST(ReferenceTags, MaySpanLinesOfAComment) {
    const std::string comments = commentsOf("int x; // no [\"text\"]\n/// as in [Higham\n/// 2002, §3], \"[O, 5]\"\n"
                                            "call(\"// [Nobody 1900]\"); // [Somebody 1901]\n");
    const auto uses = tagsIn(comments, {});
    ASSERT_EQ(uses.size(), 3U);
    EXPECT_EQ(uses[0].tag, "Higham 2002");
    EXPECT_EQ(uses[0].line, 2);
    EXPECT_EQ(uses[1].tag, "O");
    EXPECT_EQ(uses[2].tag, "Somebody 1901");
    EXPECT_EQ(uses[2].line, 4);
}

TEST(References, ResolveEveryTagOfCommentsPagesAndPresets) {
    const References known = knownReferences();
    EXPECT_GT(known.size(), 20U);
    for (const auto& [tag, place] : allUses(known)) {
        EXPECT_TRUE(known.contains(tag)) << place << ": core/references.h has no [" << tag << "]";
    }
}

TEST(References, AreAllUsed) {
    const References known = knownReferences();
    const auto uses = allUses(known);
    for (const auto& [tag, text] : known) {
        EXPECT_TRUE(uses.contains(tag)) << "nothing uses [" << tag << "]";
    }
}

TEST(References, AreTheSameForReadersOfCodeAndOfPages) {
    EXPECT_EQ(knownReferences(), referencesOnPage(fileText(root / "resources/docs/references.md")));
}
