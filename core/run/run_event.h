// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/matrix_values.h"
#include "core/common/strong_index.h"
#include "core/config/json.h"
#include "core/run/termination.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lambdascope {

/// A run is one lane of one experiment. Ids are unique within a process (RunIdSource).
using RunId = StrongIndex<struct RunTag>;

/// How close to optimal a solution is known to be.
enum class OptimalityKind {
    DualityGap,   ///< primal − dual, absolute
    GradientNorm, ///< non-convex problems
    KktViolation, ///< largest violation of the optimality conditions
};
struct Optimality {
    OptimalityKind kind = OptimalityKind::DualityGap;
    double value = 0;
    bool operator==(const Optimality&) const = default;
};

/// What a column of a path table means, for charts and derived figures that know no family.
enum class ColumnRole {
    Index, ///< number of the path point, from 0
    Axis,  ///< value of the path parameter (λ, C, epoch, …)
    Iterations,
    Objective,
    Optimality,
    ItemsTotal, ///< items the rules judge: triplets, samples
    PathRate,   ///< share of the decidable items fixed on arrival, before the first step at the point, in [0, 1]
    FinalRate,  ///< the same by all screenings before the point was solved, which alone can save anything
    AfterRate,  ///< the same, and by judging with the finished solution; only of lanes that do so
    PathFixed,  ///< number of items fixed on arrival (several columns may have this role; they add up)
    FinalFixed, ///< number of items fixed before the point was solved (they add up)
    AfterFixed, ///< the same, and by judging with the finished solution (they add up)
    CpuSolve,   ///< CPU seconds without screening
    CpuScreen,  ///< CPU seconds of screening
    CpuPart,    ///< CPU seconds of one kind of work, named by the label; the parts add up to CpuSolve + CpuScreen
    Wall,
    HeldOutError,   ///< share of rows that training has not seen and the solution classifies wrongly; NaN without any
    HeldOutMeasure, ///< another measure on such rows, the larger the better; NaN without any
    CrossError,     ///< HeldOutError by cross-validation: over all rows, each by the solution that has not seen it
    CrossMeasure,   ///< HeldOutMeasure in the same way
    OtherMeasure, ///< what else takes work outside of solving: a number about the solution; NaN where nobody wanted it
    SetSize,      ///< number of items in a set at the solution, named by the label (several columns; they add up)
    Other,
};

/// One column of `path.csv`, chosen by the family.
struct ColumnDescription {
    std::string key;   ///< file header: "path_rate"
    std::string label; ///< for people: "Screening rate (on arrival)"
    std::string unit;  ///< "", "s", …
    ColumnRole role = ColumnRole::Other;
    bool isInteger = false;
    bool operator==(const ColumnDescription&) const = default;
};

/// Place of the column with that key; the number of columns when there is none.
[[nodiscard]] std::size_t placeOfColumn(const std::vector<ColumnDescription>& columns, std::string_view key);

/// Points of a plane with a class each, coordinates interleaved x0 y0 x1 y1 …: learned embedding, metric map.
struct Embedding {
    std::vector<float> coordinates;
    std::vector<std::int32_t> classes; ///< one per point, index into classNames; −1 when unlabelled
    std::vector<std::string> classNames;
    std::string xLabel;
    std::string yLabel;
    std::shared_ptr<const std::vector<std::string>> names; ///< of the points; null when they have none
};

/// What a solution is made of, by name: {"M", 13×13}. Written by --save-solutions and kept by the store.
struct NamedMatrix {
    std::string name;
    MatrixValues values;
};
using Solution = std::vector<NamedMatrix>;

/// What the solution of one path point, as a reference, decides at other values of the path parameter.
struct RangeRow {
    double reference = 0;
    std::vector<double> targets;
    std::vector<double> rates; ///< one per target: share of all items, in [0, 1]
};

/// The problems that each point of a path consists of, where there are several: pairs of classes.
struct PartsDescription {
    std::string noun;                       ///< plural: "pairs of classes"
    std::vector<std::string> names;         ///< one per part; empty where a point is one problem
    std::vector<ColumnDescription> columns; ///< numbers that each part has
};

/// Which lane of which experiment a run is.
struct LaneIdentity {
    std::string experimentName;
    std::string family;
    std::string laneName;
    std::string laneGroup = {}; ///< see LaneRunConfig; empty where lanes have no groups
    std::int32_t laneIndex = 0;
    std::int32_t laneCount = 1;
    Json experiment; ///< the resolved experiment
};

/// What the task of a lane says of it.
struct LaneDescription {
    bool isBaseline = false;   ///< lane without screening, to which CPU ratios of its group refer
    std::string axisKey;       ///< "lambda"
    std::string axisLabel;     ///< "λ"
    bool axisFalls = true;     ///< λ falls along the path, C rises
    std::string itemNoun;      ///< what is screened, plural: "triplets"; empty when nothing can be
    std::string fixedLowName;  ///< name of the set of items fixed at the low side: "R"
    std::string fixedHighName; ///< … at the high side: "L"
    bool hasPlane = false;     ///< its lens gives a decision plane
    std::vector<ColumnDescription> columns;
    PartsDescription parts;
    std::vector<std::string> featureNames; ///< of the rows and columns of a solution's matrices; empty when unknown
    Json facts; ///< flat object of facts about the problem (numbers, texts): n, d, triplets, λ_max, data SHA-256, …
};

/// A lane begins.
struct RunStarted : LaneIdentity, LaneDescription {};

struct PointStarted {
    std::int32_t index = 0;
    double axisValue = 0;
    std::int32_t estimatedPointCount = 0; ///< of the whole path; 0 when unknown
};

/// Progress within a point. The only event that may be merged or dropped on its way to a display.
struct Iterated {
    std::int32_t pointIndex = 0;
    std::int64_t iteration = 0;
    double objective = 0;
    Optimality optimality;
    double tolerance = 0;         ///< absolute value that `optimality` has to reach here
    std::int64_t activeItems = 0; ///< items the solver still visits
    double cpu = 0;               ///< CPU seconds of this lane at this point so far
};

/// One evaluation of the screening rules before the point was solved, counted by `check`; at iteration 0 it is the path
/// screening, later ones are dynamic.
struct Screened {
    std::int32_t pointIndex = 0;
    std::int32_t check = 0;
    std::int64_t iteration = 0;
    std::int64_t fixedLow = 0;  ///< items fixed so far at this point (R)
    std::int64_t fixedHigh = 0; ///< items fixed so far at this point (L)
    std::int64_t total = 0;     ///< all items
    double rate = 0;       ///< (fixedLow + fixedHigh) / decidable items; provisional with `total` until the point ends
    double optimality = 0; ///< gap of the reference
    double radius = 0;     ///< smallest radius among the bounds used
    double cpu = 0;        ///< CPU seconds of this evaluation
};

/// Numbers of the parts of a point, before it is finished.
struct PartsSolved {
    std::int32_t pointIndex = 0;
    std::vector<double> values; ///< a row of LaneDescription::parts.columns for each part, one after another
};

struct PointFinished {
    std::int32_t index = 0;
    double axisValue = 0;
    Termination termination = Termination::Converged;
    std::vector<double> values; ///< aligned with RunStarted::columns
    std::int64_t decidableItems =
        0; ///< items that an ideal rule could fix here; the denominator of all rates, 0 when none
    std::shared_ptr<const Embedding> embedding; ///< null when nobody asked or the family has none
    std::shared_ptr<const Solution> solution;   ///< null when nobody asked
    std::shared_ptr<const RangeRow> ranges;     ///< null when nobody asked or the lane keeps no ranges
    std::shared_ptr<const std::string> state; ///< from which the lane can go on after this point; null when none is due
};

struct RunFinished {
    Termination termination = Termination::PathEnded;
    std::int32_t finishedPoints = 0;
    double cpuSolve = 0;
    double cpuScreen = 0;
    double wall = 0;
};

struct RunFailed {
    std::string message; ///< Error::describe()
};

using RunEventBody =
    std::variant<RunStarted, PointStarted, Iterated, Screened, PartsSolved, PointFinished, RunFinished, RunFailed>;

/// A value: no event points into live solver state.
struct RunEvent {
    RunId run;
    std::int64_t sequence = 0; ///< from 0, without gaps, within a run
    RunEventBody body;
};

[[nodiscard]] std::string_view optimalityKindName(OptimalityKind kind);
[[nodiscard]] std::string_view columnRoleName(ColumnRole role);
/// Whether only an evaluation that was wished for fills the column; NaN otherwise.
[[nodiscard]] bool isMeasure(ColumnRole role);

} // namespace lambdascope
