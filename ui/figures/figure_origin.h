// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"
#include "ui/charts/figure_look.h"
#include "ui/charts/figure_writer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lambdascope {

/// What an exported figure shows and how: enough to open the finished runs again on the same view. It travels in the
/// file as JSON, its recipe (see writeFigure). Figures of older versions carry an experiment alone.
struct FigureOrigin {
    /// The lanes of one experiment that are shown.
    struct Lanes {
        Json experiment;       ///< resolved
        std::int64_t kept = 0; ///< its number in the run library; 0 when it is not there
        std::string createdAt; ///< by which that number is known to be of the same experiment
        QString folder;        ///< run folder that they were read from; empty for none
        QStringList lanes;     ///< as the experiment calls them
        QStringList names;     ///< as they were shown, aligned
    };
    /// A view of the window.
    struct View {
        QString id;     ///< "quality"
        Json state;     ///< what is chosen in it, by the names of its choosers
        int chart = -1; ///< that was exported, by its place in the view; −1 when the window is asked for another figure
        FigureLook look; ///< of that chart
    };

    std::vector<Lanes> runs;
    QString studyFolder; ///< empty for figures of runs
    Json study;          ///< its document
    std::vector<View> views;
    int point = -1;     ///< of the path, at the cursor
    QStringList panels; ///< what the window for exporting draws, by name; none for a chart that was exported by itself
    int columns = 2;
    std::optional<FigureStyle> style;

    [[nodiscard]] bool isOfStudy() const { return !studyFolder.isEmpty() || study.isObject(); }
};

/// As it travels in files.
[[nodiscard]] QByteArray recipeText(const FigureOrigin& origin);
/// Reads what recipeText() gave, or the recipe of an older version; `file` is only quoted. Errors: InvalidData for what
/// is damaged or no recipe.
[[nodiscard]] Result<FigureOrigin> readFigureOrigin(const QByteArray& recipe, const QString& file);

/// Whether two resolved experiments compute the same: names and words may differ, and the order of keys.
[[nodiscard]] bool areSameExperiment(const Json& a, const Json& b);

/// The view of the window that shows what a figure of the catalogue does, as far as there is one; an empty id for none.
[[nodiscard]] FigureOrigin::View viewOfFigure(const QString& name);

} // namespace lambdascope
