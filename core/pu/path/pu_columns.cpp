// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/pu_columns.h"

#include "core/pu/problem/pu_measures.h"
#include "core/run/path_task.h"

namespace lambdascope::pu {

namespace {

/// Sets by s; where a method has other coefficients, by those.
struct SetSizes {
    std::int64_t zero = 0, half = 0, full = 0, free = 0;
};

SetSizes sizesOf(const PuProblem& problem, const Eigen::VectorXd& s) {
    SetSizes sizes;
    for (Eigen::Index u = problem.positives(); u < s.size(); ++u) {
        ++(s(u) == 0 ? sizes.zero : s(u) == 1 ? sizes.half : s(u) == 2 ? sizes.full : sizes.free);
    }
    return sizes;
}

/// What was known of samples at one stage of a point, in the columns "<stage>_0" … "<stage>_rate".
void setKnown(const std::string& stage, const SampleCounts& known, std::int64_t decidable, ReportRow& row) {
    row.set(stage + "_0", known.zero);
    row.set(stage + "_half", known.half);
    row.set(stage + "_full", known.full);
    row.set(stage + "_rate", screeningRate(known.sum(), decidable));
}

} // namespace

bool judgesAfterwards(const LaneConfig& lane) {
    return lane.schedule == ScheduleKind::Auto && !lane.bounds.empty();
}

std::vector<ColumnDescription> columnsFor(PathKind kind, const LaneConfig& lane) {
    const auto axis = [kind](PathKind own) { return kind == own ? ColumnRole::Axis : ColumnRole::Other; };
    std::vector<ColumnDescription> columns = {
        {"index", "Point", "", ColumnRole::Index, true},
        {"lambda", "λ", "", axis(PathKind::Lambda), false},
        {"n_unlabeled", "Unlabeled samples", "", axis(PathKind::Unlabeled), true},
        {"iterations", "Iterations", "", ColumnRole::Iterations, true},
        {"objective", "Objective", "", ColumnRole::Objective, false},
        {"violation", "Violation", "", ColumnRole::Other, false},
        {"f_measure", "F-measure (unlabeled)", "", ColumnRole::Other, false},
        {"n_support", "Samples with σ ≠ 0", "", ColumnRole::Other, true},
        {"cpu", "CPU time", "s", ColumnRole::Other, false},
        {"wall", "Wall time", "s", ColumnRole::Wall, false},
        {"peak_kernel_bytes", "Memory of solver and kernel", "B", ColumnRole::Other, true},
        {"prior", "π", "", axis(PathKind::Prior), false},
        {"dual", "Dual value", "", ColumnRole::Other, false},
        {"gap", "Duality gap (upper bound)", "", ColumnRole::Optimality, false},
        {"beta", "β", "", ColumnRole::Other, false},
        {"n_items", "Samples to screen", "", ColumnRole::ItemsTotal, true},
        {"n_0", "Samples with σ = 0", "", ColumnRole::SetSize, true},
        {"n_half", "Samples with σ = c₂/2", "", ColumnRole::SetSize, true},
        {"n_full", "Samples with σ = c₂", "", ColumnRole::SetSize, true},
        {"n_free", "Samples between", "", ColumnRole::SetSize, true},
        {"path_0", "Screened to σ = 0 (on arrival)", "", ColumnRole::PathFixed, true},
        {"path_half", "Screened to σ = c₂/2 (on arrival)", "", ColumnRole::PathFixed, true},
        {"path_full", "Screened to σ = c₂ (on arrival)", "", ColumnRole::PathFixed, true},
        {"path_rate", "Screening rate (on arrival)", "", ColumnRole::PathRate, false},
        {"final_0", "Screened to σ = 0 (before solved)", "", ColumnRole::FinalFixed, true},
        {"final_half", "Screened to σ = c₂/2 (before solved)", "", ColumnRole::FinalFixed, true},
        {"final_full", "Screened to σ = c₂ (before solved)", "", ColumnRole::FinalFixed, true},
        {"final_rate", "Screening rate (before solved)", "", ColumnRole::FinalRate, false},
        {"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
        {"cpu_screen", "CPU time, screening", "s", ColumnRole::CpuScreen, false},
        {"work", "Counted operations", "", ColumnRole::Other, true},
        {"precision", "Precision (unlabeled)", "", ColumnRole::Other, false},
        {"recall", "Recall (unlabeled)", "", ColumnRole::Other, false},
        {"auc", "AUC (unlabeled)", "", ColumnRole::Other, false},
        {"pu_risk", "Risk estimated from PU data", "", ColumnRole::Other, false},
        {"hinge_risk", "Double hinge risk", "", ColumnRole::Other, false},
        {"predicted_share", "Share predicted positive", "", ColumnRole::Other, false},
        {"test_error", "Error on held-out rows", "", ColumnRole::HeldOutError, false},
        {"test_f", "F-measure on held-out rows", "", ColumnRole::HeldOutMeasure, false},
    };
    if (judgesAfterwards(lane)) {
        const auto place = columns.begin() + static_cast<std::ptrdiff_t>(placeOfColumn(columns, "cpu_solve"));
        columns.insert(place, {{"after_0", "Known to have σ = 0 (afterwards)", "", ColumnRole::AfterFixed, true},
                               {"after_half", "Known to have σ = c₂/2 (afterwards)", "", ColumnRole::AfterFixed, true},
                               {"after_full", "Known to have σ = c₂ (afterwards)", "", ColumnRole::AfterFixed, true},
                               {"after_rate", "Share known (afterwards)", "", ColumnRole::AfterRate, false}});
    }
    return columns;
}

void setScreened(const PuProblem& problem, const PointOutcome& outcome, bool isJudgedAfterwards, ReportRow& row) {
    const Eigen::VectorXd& s = outcome.solved.s;
    const SetSizes sizes = s.size() > 0 ? sizesOf(problem, s) : SetSizes{};
    row.set("n_0", sizes.zero);
    row.set("n_half", sizes.half);
    row.set("n_full", sizes.full);
    row.set("n_free", sizes.free);
    setKnown("path", outcome.pathScreened, outcome.setCounts.sum(), row);
    setKnown("final", outcome.finalScreened, outcome.setCounts.sum(), row);
    if (isJudgedAfterwards) {
        setKnown("after", outcome.afterScreened, outcome.setCounts.sum(), row);
    }
}

void setMeasures(const PuProblem& problem, const Eigen::VectorXd& values, ReportRow& row) {
    const Eigen::VectorXd onPositives = values.head(problem.positives());
    const Eigen::VectorXd onUnlabeled = values.tail(problem.unlabeled());
    const PuMeasures measures = measureAgainst(onUnlabeled, problem.space().samples().truth);
    row.set("f_measure", measures.f);
    row.set("precision", measures.precision);
    row.set("recall", measures.recall);
    row.set("auc", measures.auc);
    row.set("pu_risk", zeroOneRisk(onPositives, onUnlabeled, problem.prior()));
    row.set("hinge_risk", doubleHingeRisk(onPositives, onUnlabeled, problem.prior()));
    row.set("predicted_share",
            static_cast<double>((onUnlabeled.array() > 0).count()) / static_cast<double>(problem.unlabeled()));
}

} // namespace lambdascope::pu
