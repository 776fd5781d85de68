// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lambdascope {

/// All of a file; nothing when there is none.
[[nodiscard]] std::string fileText(const std::filesystem::path& file);

/// What stands between two lines of ``` in a page.
struct DocumentBlock {
    std::string language; ///< the word after the opening ```; may be empty
    int line = 0;         ///< of its first line, from 1
    std::vector<std::string> lines;

    [[nodiscard]] std::string text() const;
};

/// [text](target) or ![text](target).
struct DocumentLink {
    std::string target;
    int line = 0;
};

/// A page in Markdown.
struct Document {
    std::string name; ///< from the root: "resources/docs/svm.md"
    int lines = 0;
    std::vector<DocumentBlock> blocks;
    std::vector<DocumentLink> links; ///< outside of blocks
    std::set<std::string> anchors;   ///< of its headings, as a link names them: "path-csv"
    std::string prose;               ///< all that is not in a block, "\[" as "["
};

[[nodiscard]] Document readDocument(const std::filesystem::path& root, const std::string& name);
/// README.md and the pages in resources/docs, by name.
[[nodiscard]] std::vector<Document> documentsOf(const std::filesystem::path& root);

/// Relative links to files or headings that are not there, "page:line: …", and pages of resources/docs that no other
/// page links to.
[[nodiscard]] std::vector<std::string> linkFaults(const std::filesystem::path& root,
                                                  const std::vector<Document>& documents);

/// How a line of a block in the language sh is tested.
enum class CommandKind {
    Nothing, ///< blank, or a comment
    Script,  ///< of ./dev: looked up in its text
    Engine,  ///< lambdascope-cli, and what handles its files: run
    Window,  ///< the window's program with --render: run where it is built
};
struct Command {
    CommandKind kind = CommandKind::Nothing;
    std::string fault; ///< why it cannot be tested; empty when it can
};
/// `devText` is the content of the script dev.
[[nodiscard]] Command classifyCommand(const std::string& line, const std::string& devText);

} // namespace lambdascope
