// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/config/field.h"
#include "core/families.h"

#include <cstdio>

namespace lambdascope::cli {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 6;

/// `text` broken into lines at blanks, each indented.
std::string paragraph(const std::string& text) {
    std::string result;
    std::string line;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && kIndent + line.size() + 1 + word.size() > kWidth) {
            result += std::string(kIndent, ' ') + line + '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return line.empty() ? result : result + std::string(kIndent, ' ') + line + '\n';
}

void printField(const SectionSchema& section, const FieldDescription& field, const std::string& prefix) {
    std::printf("  %s%s", prefix.c_str(), field.key.c_str());
    std::printf("  (default %s%s)\n", field.defaultValue.dump().c_str(),
                field.unit.empty() ? "" : (" " + field.unit).c_str());
    std::fputs(paragraph(field.help).c_str(), stdout);
    std::fputs(paragraph("Takes " + field.expectation() + ".").c_str(), stdout);
    for (const Choice& choice : field.choices) {
        std::fputs(paragraph("\"" + choice.value + "\": " + (choice.help.empty() ? choice.label : choice.help)).c_str(),
                   stdout);
    }
    if (field.relevantWhen) {
        const FieldDescription* deciding = section.find(field.relevantWhen->key);
        const bool isOfSeveral = deciding != nullptr && deciding->kind == FieldKind::Choices;
        std::string text = "Used only when " + field.relevantWhen->key + (isOfSeveral ? " has " : " is ");
        for (std::size_t i = 0; i < field.relevantWhen->values.size(); ++i) {
            text += (i > 0 ? " or " : "") + ("\"" + field.relevantWhen->values[i] + "\"");
        }
        std::fputs(paragraph(text + ".").c_str(), stdout);
    }
}

void printSection(const SectionSchema& section, const std::string& prefix) {
    std::printf("\n%s. %s\n", section.title.c_str(), section.help.c_str());
    for (const FieldDescription& field : section.fields) {
        printField(section, field, prefix);
    }
}

void printFamily(const FamilySchema& family) {
    std::printf("\nFamily \"%s\": %s. %s\n", family.id.c_str(), family.title.c_str(), family.summary.c_str());
    printSection(family.problem, "problem.");
    printSection(family.solver, "solver.");
    printSection(family.path, "path.");
    printSection(family.lane, "lanes[N].");
}

std::string keysOf(const SectionSchema& section, const std::string& prefix) {
    std::string keys;
    for (const FieldDescription& field : section.fields) {
        keys += (keys.empty() ? "" : ", ") + prefix + field.key;
    }
    return keys;
}

} // namespace

ExitStatus helpFieldsCommand(const std::string& family) {
    const SchemaCatalog& catalog = builtInCatalog();
    if (!family.empty() && catalog.find(family) == nullptr) {
        std::vector<std::string> ids;
        std::string all;
        for (const FamilySchema& known : catalog.families) {
            ids.push_back(known.id);
            all += (all.empty() ? "" : ", ") + known.id;
        }
        Fault fault;
        fault.message = "no family is called \"" + family + "\"";
        const auto guess = closestWord(family, ids);
        fault.remedy = guess ? "Did you mean " + *guess + "?" : "Give one of: " + all + ".";
        return report(singleFault(ErrorCode::BadUsage, std::move(fault)));
    }
    std::puts("All fields of an experiment, as keys for --set. Fields that are not given take their defaults.\n\n"
              "  family\n      Which problem is solved.\n  name\n      A title for lists and figures.\n"
              "  description\n      A sentence or two for lists.");
    printSection(catalog.data, "data.");
    printSection(catalog.run, "run.");
    for (const FamilySchema& known : catalog.families) {
        if (family.empty() || known.id == family) {
            printFamily(known);
        }
    }
    return ExitStatus::Done;
}

std::string settableKeys() {
    const SchemaCatalog& catalog = builtInCatalog();
    std::string text =
        "Keys for --set:\n  " + keysOf(catalog.data, "data.") + "\n  " + keysOf(catalog.run, "run.") + '\n';
    for (const FamilySchema& family : catalog.families) {
        text += "Family " + family.id + ":\n";
        text += "  " + keysOf(family.problem, "problem.") + "\n  " + keysOf(family.solver, "solver.") + "\n  " +
                keysOf(family.path, "path.") + "\n  " + keysOf(family.lane, "lanes[N].") + '\n';
    }
    return text + "What each of them takes: lambdascope-cli help fields [FAMILY]";
}

} // namespace lambdascope::cli
