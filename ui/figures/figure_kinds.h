// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"
#include "ui/figures/figure_builders.h"

#include <functional>
#include <vector>

namespace lambdascope {

/// A figure of all runs together.
struct CommonFigure {
    const char* name;
    const char* description;
    std::function<Figure(const std::vector<ShownRun>& runs, int index)> build;
};
[[nodiscard]] const std::vector<CommonFigure>& commonFigures();

/// A figure of all runs of one column: "race:test_error".
struct ColumnFigure {
    const char* prefix;
    const char* description; ///< with the label of the column as %1
    CurveFigure (*build)(const std::vector<ShownRun>& runs, const QString& key);
    bool (*isListed)(ColumnRole role); ///< others can be asked for by name
};
[[nodiscard]] const std::vector<ColumnFigure>& columnFigures();

/// A figure of one lane: "heatmap:PGB".
struct LaneFigure {
    const char* prefix;
    const char* description; ///< with the lane as %1
    bool (*exists)(const ShownRun& run);
    Figure (*build)(const ShownRun& run, int index); ///< a negative index is the last one that there is
};
[[nodiscard]] const std::vector<LaneFigure>& laneFigures();

/// What a figure of a lane is made from.
struct LensQuestion {
    const ShownRun& run;
    int index;
    int point; ///< of the embedding; −1 for figures of no point
    RunLens& lens;
    const RunLens::Progress& progress;
};

/// A figure of one lane that needs its lens: "slice:PGB", or "arcs:STE:Paris" for one of a point of its embedding.
struct LensFigure {
    const char* prefix;
    const char* description; ///< with the lane as %1, the point as %2
    bool (*exists)(const RunRecord& record);
    Result<Figure> (*build)(const LensQuestion& asked);
    bool isOfPoint = false;
};
[[nodiscard]] const std::vector<LensFigure>& lensFigures();

/// The last embedding of a lane that is finished.
[[nodiscard]] CloudFigure lastEmbedding(const ShownRun& run);

} // namespace lambdascope
