// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lambdascope {

/// What a dropped or opened path is.
enum class FileKind {
    Missing,     ///< nothing stands there
    RunFolder,   ///< a folder with run.json, or that run.json
    StudyFolder, ///< a folder with study.json, or that study.json
    Experiment,  ///< *.json
    FigureFile,  ///< *.pdf, *.svg, *.png: may carry the recipe of an experiment
    Data,        ///< any other file: the loaders look at its content
    OtherFolder,
};

[[nodiscard]] FileKind fileKind(const QString& path);

} // namespace lambdascope
