// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_input.h"

#include "app/cli/experiment_input.h"
#include "app/cli/presets.h"
#include "core/families.h"

#include <filesystem>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

bool isOfStudy(const std::string& setting) {
    return setting.starts_with("axes[") || setting.starts_with("axes=") || setting.starts_with("name=");
}

Result<std::string> studyFile(const std::string& word) {
    std::error_code error;
    if (word == "-") {
        return std::string("/dev/stdin");
    }
    if (fs::is_directory(word, error)) {
        if (isStudyFolder(word)) {
            return (fs::path(word) / layout::kStudyFile).string();
        }
        return Failure{singleFault(
            ErrorCode::BadUsage,
            {{}, word + " is a folder that holds no study", "Name a study's file, or a folder that sweep wrote.", {}})};
    }
    if (fs::exists(word, error)) {
        return word;
    }
    auto preset = studyPresetFile(word);
    return preset ? Result<std::string>(preset->string()) : Failure{preset.error()};
}

} // namespace

bool isStudyFolder(const std::string& folder) {
    std::error_code error;
    return fs::exists(fs::path(folder) / layout::kStudyFile, error);
}

Result<Study> readStudyInput(const std::string& fileOrFolder, const std::vector<std::string>& settings) {
    const auto file = studyFile(fileOrFolder);
    if (!file) {
        return Failure{file.error()};
    }
    auto document = readJsonDocument(*file);
    if (!document) {
        return Failure{document.error()};
    }
    std::vector<std::string> ofStudy;
    std::vector<std::string> ofExperiment;
    for (const std::string& setting : settings) {
        (isOfStudy(setting) ? ofStudy : ofExperiment).push_back(setting);
    }
    if (auto applied = applySettings(document->value, ofStudy, &document->places); !applied) {
        return Failure{applied.error()};
    }
    if (document->value.isObject() && document->value.contains("experiment") &&
        document->value["experiment"].isObject()) {
        if (auto applied = applySettings(document->value["experiment"], ofExperiment, nullptr); !applied) {
            return Failure{applied.error()};
        }
    }
    std::error_code error;
    const fs::path folder = *file == "/dev/stdin" ? fs::path() : fs::absolute(*file, error).parent_path();
    const auto lookup = [&](const std::string& name) -> Result<NamedExperiment> {
        const fs::path beside = folder / name;
        auto read = readExperimentDocument(fs::is_regular_file(beside, error) ? beside.string() : name);
        if (!read) {
            return Failure{read.error()};
        }
        if (auto applied = applySettings(read->document.value, ofExperiment, &read->document.places); !applied) {
            return Failure{applied.error()};
        }
        return NamedExperiment{std::move(read->document), std::move(read->folder)};
    };
    auto study = readStudy(*document, folder, builtInCatalog(), lookup);
    if (study && !document->value.contains("folders")) {
        study->folders.push_back(fs::current_path(error));
    }
    return study;
}

Result<StudyResults> readStudyFolder(const std::string& folder) {
    auto study = readStudyInput(folder, {});
    if (!study) {
        return Failure{study.error()};
    }
    auto cells = studyCells(*study, builtInCatalog());
    if (!cells) {
        return Failure{cells.error()};
    }
    return readStudyResults(folder, std::move(*study), std::move(*cells));
}

} // namespace lambdascope::cli
