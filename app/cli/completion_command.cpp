// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_groups.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace lambdascope::cli {

namespace {

/// The long options of a command, and after each the words that it takes, if these are few.
std::string optionsOf(const CLI::App& command) {
    std::string words;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name :
             option->get_group().empty() ? std::vector<std::string>() : option->get_lnames()) {
            words += (words.empty() ? "--" : " --") + name;
        }
    }
    return words;
}

/// A function of the shell that offers commands, options, presets and files.
std::string bashScript(const CLI::App& app) {
    std::string names;
    std::string cases;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names += (names.empty() ? "" : " ") + command->get_name();
        cases += "        " + command->get_name() + ") words='" + optionsOf(*command) + "' ;;\n";
    }
    return "# Completion of lambdascope-cli in bash: source <(lambdascope-cli completion)\n"
           "_lambdascope_cli() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           names +
           "' -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case $command in\n" +
           cases +
           "    esac\n"
           "    if [[ $word == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    words=\n"
           "    case $command in\n"
           "        run|show) words=$(\"${COMP_WORDS[0]}\" list presets 2>/dev/null | tail -n +2 | cut -d' ' -f1) ;;\n"
           "        list) words='presets studies data families bounds rules solvers' ;;\n"
           "        sweep) words=$(\"${COMP_WORDS[0]}\" list studies 2>/dev/null | tail -n +2 | cut -d' ' -f1) ;;\n"
           "        runs) words='list show rename star unstar tag untag note delete undo restore' ;;\n"
           "        help) words='" +
           names +
           " fields' ;;\n"
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _lambdascope_cli lambdascope-cli\n";
}

} // namespace

void addCompletionCommand(CLI::App& app, std::function<ExitStatus()>& chosen) {
    CLI::App& command = *app.add_subcommand("completion", "Print what completes this program's words in bash");
    command.footer("For this shell: source <(lambdascope-cli completion). For all: write it to\n"
                   "~/.local/share/bash-completion/completions/lambdascope-cli.");
    command.final_callback([&] {
        chosen = [&app] {
            std::fputs(bashScript(app).c_str(), stdout);
            return ExitStatus::Done;
        };
    });
}

} // namespace lambdascope::cli
