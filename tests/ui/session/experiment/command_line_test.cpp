// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"
#include "ui/session/experiment/command_line.h"

#include <gtest/gtest.h>

#include <QProcess>
#include <QStringList>

namespace lambdascope {

namespace {

/// What a shell makes of `command`: its words.
QStringList shellWords(const QString& command) {
    QProcess shell;
    shell.start("sh", {"-c", "printf '%s\\n' " + command});
    EXPECT_TRUE(shell.waitForFinished());
    return QString::fromUtf8(shell.readAllStandardOutput()).chopped(1).split('\n');
}

/// Applies the "--set key=value" of a command to `base`, as the command line program does.
Json applied(const QString& command, Json base) {
    const QStringList words = shellWords(command);
    for (qsizetype i = 3; i + 1 < words.size(); i += 2) {
        EXPECT_EQ(words[i], "--set");
        const std::string setting = words[i + 1].toStdString();
        const auto equals = setting.find('=');
        EXPECT_TRUE(setByKeyPath(base, setting.substr(0, equals), setting.substr(equals + 1)).has_value()) << setting;
    }
    return base;
}

} // namespace

TEST(CommandLine, NamesTheFileAloneWhenNothingChanged) {
    const Json document = {{"family", "tiny"}};
    EXPECT_EQ(commandLineFor(document, document, "wine"), "lambdascope-cli run wine");
    EXPECT_EQ(commandLineFor(document, document, "/a b/it's.json"), "lambdascope-cli run '/a b/it'\\''s.json'");
}

TEST(CommandLine, SettingsRebuildTheDocument) {
    const Json base =
        Json::parse(R"({"family": "tiny", "problem": {"k": 5}, "lanes": [{"name": "a"}, {"name": "b"}]})");
    const std::vector<std::string> variants = {
        R"({"family": "tiny", "problem": {"k": 6}, "lanes": [{"name": "a"}, {"name": "b"}]})",
        R"({"family": "tiny", "problem": {"k": 5, "loss": "hinge"}, "lanes": [{"name": "a"}, {"name": "b", "bounds": ["X", "Y"]}]})",
        R"({"family": "tiny", "problem": {"k": 5}, "name": "it's \"odd\" $HOME", "lanes": [{"name": "5"}, {"name": "b"}]})",
        R"({"family": "tiny", "problem": {"k": 5}, "lanes": [{"name": "a", "solver": {"tolerance": 1e-9}}, {"name": "b"}]})",
        R"({"family": "tiny", "problem": {"k": 5}, "lanes": [{"name": "a"}]})",
        R"({"family": "tiny", "problem": {"k": 5}, "lanes": [{"name": "a"}, {"name": "b"}, {"name": "c", "every": 2}]})",
        R"({"family": "tiny", "problem": {"k": "text"}, "data": {"subset": 0.25}, "lanes": [{"name": "a"}, {"name": "b"}]})"};
    for (const std::string& text : variants) {
        const Json document = Json::parse(text);
        const QString command = commandLineFor(document, base, "base.json");
        EXPECT_TRUE(command.startsWith("lambdascope-cli run base.json --set ")) << command.toStdString();
        EXPECT_TRUE(equalInAnyOrder(applied(command, base), document)) << command.toStdString();
    }
}

TEST(CommandLine, FeedsTheWholeDocumentWhenThereIsNoFileOrAKeyIsGone) {
    const Json base = {{"family", "tiny"}, {"name", "it's"}};
    const Json without = {{"family", "tiny"}};
    EXPECT_EQ(shellWords(commandLineFor(base, base, "").section(" | ", 0, 0)).back().toStdString(), base.dump());
    EXPECT_TRUE(commandLineFor(without, base, "base.json").endsWith("| lambdascope-cli run /dev/stdin"));
}

} // namespace lambdascope
