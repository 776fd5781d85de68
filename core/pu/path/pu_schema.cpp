// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/pu_schema.h"

#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/kernel/kernel_fields.h"
#include "core/pu/family.h"
#include "core/run/make_family.h"

#include <cmath>

namespace lambdascope::pu {

namespace {

void addSamples(FieldTable<ProblemConfig>& t) {
    t.choice<LabelMeaning>(
        &ProblemConfig::labels, {"labels", "Labels are", "", "What the label column says."},
        {{LabelMeaning::Classes,
          {"classes", "True classes", "Some positives are labelled, the other rows lose their labels."}},
         {LabelMeaning::Marked,
          {"marked", "Marks", "The positive class marks labelled rows; all others are unlabeled."}},
         {LabelMeaning::Files,
          {"files", "None, two files",
           "All rows of the data are labelled positives; the unlabeled ones come from a second file."}}});
    t.file(&ProblemConfig::unlabeledFile,
           {"unlabeled_file", "Unlabeled file", "",
            "The unlabeled rows: any format that data are read from, with the same features. Labels are ignored."});
    t.relevantWhen("labels", {"files"});
    t.choice<Scaling>(&ProblemConfig::scale,
                      {"scale", "Scale both files", "",
                       "How the features of both files are scaled, together. data.scale knows the first one alone."},
                      {{Scaling::None, {"none", "None", "Values as in the files."}},
                       {Scaling::MinMax, {"minmax", "Min–max", "Each feature linearly to [−1, 1]."}},
                       {Scaling::Standardize, {"standardize", "Standardize", "Mean 0, standard deviation 1."}},
                       {Scaling::UnitNorm, {"unit-norm", "Unit norm", "Each row to length 1."}}});
    t.relevantWhen("labels", {"files"});
    t.text(&ProblemConfig::positive,
           {"positive", "Positive classes", "",
            "Names of the positive classes, separated by commas. \"auto\" takes the last of two classes."});
    t.relevantWhen("labels", {"classes", "marked"});
    t.real(&ProblemConfig::labelledShare,
           {"labelled_share", "Labelled share", "", "Share of the positives that keep their label."},
           Range::aboveUpTo(0, 1));
    t.relevantWhen("labels", {"classes"});
    t.integer(&ProblemConfig::labelledCount,
              {"labelled_count", "Labelled positives", "", "So many positives keep their label, whatever the share."},
              Range::atLeast(1), "share");
    t.relevantWhen("labels", {"classes"});
    t.integer(&ProblemConfig::unlabeled,
              {"unlabeled", "Unlabeled", "", "So many unlabeled rows, drawn by the run's seed; or all of them."},
              Range::atLeast(1), "all");
}

void addPrior(FieldTable<ProblemConfig>& t) {
    t.choice<PriorKind>(
        &ProblemConfig::prior, {"prior", "Class prior π", "", "Where the share of positives is taken from."},
        {{PriorKind::Training,
          {"training", "Of all rows", "Share of positives among all training rows, from the true classes [P]."}},
         {PriorKind::Unlabeled,
          {"unlabeled", "Of the unlabeled", "Share of positives among the unlabeled, from the true classes."}},
         {PriorKind::Given, {"given", "Given", "The value of prior_value."}},
         {PriorKind::ElkanNoto,
          {"elkan-noto", "Elkan–Noto",
           "From the mean score of held-out labelled positives in a logistic regression of labelled against "
           "unlabeled."}},
         {PriorKind::Energy,
          {"energy", "Energy distance",
           "The mixture of positives and the unlabeled of the lowest scores that is nearest to the unlabeled."}}});
    t.real(&ProblemConfig::priorValue, {"prior_value", "π", "", "The class prior."}, Range::strictlyBetween(0, 1));
    t.relevantWhen("prior", {"given"});
    t.integer(&ProblemConfig::bootstrap,
              {"bootstrap", "Bootstrap samples", "", "Resamples behind the interval of an estimated prior."},
              Range{10, 10000});
    t.relevantWhen("prior", {"elkan-noto", "energy"});
    t.advanced();
}

} // namespace

const FieldTable<ProblemConfig>& problemFields() {
    static const FieldTable<ProblemConfig> table = [] {
        FieldTable<ProblemConfig> t("problem", "Problem",
                                    "Learn to tell positives from the rest, from labelled positives and unlabeled "
                                    "samples alone, by the convex double hinge loss.");
        addSamples(t);
        addPrior(t);
        addKernelFields(t, false);
        addKernelMemory(t, {"rbf", "polynomial"},
                        " On a path over the number of samples each lane has so much of its own.");
        return t;
    }();
    return table;
}

const FieldTable<SolverConfig>& solverFields() {
    static const FieldTable<SolverConfig> table = [] {
        FieldTable<SolverConfig> t("solver", "Solver", "How each problem of the path is solved, and how exactly.");
        t.choice<MethodKind>(
            &SolverConfig::method, {"method", "Method", "", "How one problem is solved."},
            {{MethodKind::Pairs,
              {"pairs", "Pair steps",
               "Pairs chosen to second order, all scores kept, shrinking; the linear kernel by a smoothed Newton "
               "method without kernel rows."}},
             {MethodKind::Usmo, {"usmo", "USMO", "As published: sweeps over the non-bound and the whole set."}},
             {MethodKind::InteriorPoint,
              {"interior-point", "Interior point", "The whole quadratic program, with the full Gram matrix."}},
             {MethodKind::Ramp, {"ramp", "Ramp loss", "Another, non-convex problem, by the concave-convex procedure."}},
             {MethodKind::Biased,
              {"biased-svm", "Biased SVM", "Another problem: the unlabeled count as negatives, weighted."}}});
        t.real(&SolverConfig::tolerance, {"tolerance", "Tolerance", "", "When a point counts as solved."},
               Range{0, 1, false, false});
        t.choice<ToleranceKind>(
            &SolverConfig::toleranceKind,
            {"tolerance_kind", "Tolerance is", "", "What the tolerance is compared with."},
            {{ToleranceKind::Gap, {"gap", "Duality gap", "gap ≤ tolerance · max(1, |primal|)."}},
             {ToleranceKind::Violation,
              {"violation", "Violation", "Largest violation of τ-optimality in units of f, as in the paper."}}});
        t.choice<StartKind>(
            &SolverConfig::start, {"start", "Start", "", "The first feasible point of a path."},
            {{StartKind::Nested,
              {"nested", "Nested",
               "From the rough solution for every eighth unlabeled sample; for pairs with a kernel that is not linear, "
               "else ranked."}},
             {StartKind::Ranked, {"ranked", "Ranked", "σ = c₂ for the unlabeled nearest to the positives, else 0."}},
             {StartKind::Uniform, {"uniform", "Uniform", "σ = c₁p/n for all."}},
             {StartKind::OneClass,
              {"one-class", "One-class SVM", "Five groups by the ranking of a one-class SVM, as published."}}});
        t.integer(&SolverConfig::maxIterations,
                  {"max_iterations", "Iteration limit", "steps", "Per path point; the best solution so far is kept."},
                  Range{1, 2000000000});
        t.advanced();
        t.integer(&SolverConfig::baselineMemory,
                  {"baseline_memory", "Memory of baselines", "MB",
                   "Points for which the full Gram matrix would take more are left out."},
                  Range{1, 1000000});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<PathConfig>& pathFields() {
    static const FieldTable<PathConfig> table = [] {
        FieldTable<PathConfig> t("path", "Path", "What changes from point to point.");
        t.choice<PathKind>(
            &PathConfig::kind, {"kind", "Path over", "", "The parameter that is changed."},
            {{PathKind::Lambda, {"lambda", "λ", "The regularization, from large to small, with warm starts."}},
             {PathKind::Prior, {"prior", "π", "The class prior, from small to large, with warm starts."}},
             {PathKind::Unlabeled,
              {"unlabeled", "Unlabeled samples", "Their number, each from nothing: time and memory against n."}}});
        t.real(&PathConfig::start, {"start", "First λ", "", "The largest one."}, Range::above(0));
        t.relevantWhen("kind", {"lambda"});
        t.real(&PathConfig::ratio, {"ratio", "Ratio", "", "Each λ is this times the one before."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("kind", {"lambda"});
        t.real(&PathConfig::stop, {"stop", "Last λ", "", "The path ends at it."}, Range::above(0));
        t.relevantWhen("kind", {"lambda"});
        t.reals(&PathConfig::values,
                {"values", "Values", "", "Instead of the grid: falling λ, rising priors, or rising counts."},
                Range::above(0));
        t.real(&PathConfig::lambda, {"lambda", "λ", "", "For paths over priors and counts."}, Range::above(0));
        t.relevantWhen("kind", {"prior", "unlabeled"});
        return t;
    }();
    return table;
}

const FieldTable<LaneConfig>& laneFields() {
    static const FieldTable<LaneConfig> table = [] {
        FieldTable<LaneConfig> t("lane", "Screening lane",
                                 "Which samples are taken out before and while solving; same solution.");
        t.choices<BoundKind>(&LaneConfig::bounds,
                             {"bounds", "Tests", "", "What screening is made from. None: no screening."},
                             {{BoundKind::Gap,
                               {"GAP", "GAP",
                                "Ball whose radius is the root of the duality gap, with a bracket of the bias; "
                                "before and while solving."}}});
        t.boolean(&LaneConfig::shrink,
                  {"shrink", "Shrinking", "",
                   "Leaves out samples that look settled, and looks at them again before the end."});
        t.choice<ScheduleKind>(
            &LaneConfig::schedule, {"schedule", "Screen while solving", "", "When samples are screened (GAP)."},
            {{ScheduleKind::Auto,
              {"auto", "Where it pays",
               "Only where counted work says that the steps left can pay for it; each λ begins with the samples that "
               "the last one left open, all others joining for the proof. path_rate and final_rate then show less "
               "than could be screened, after_rate what the finished solution tells of all samples."}},
             {ScheduleKind::Every,
              {"every", "By the violation", "On arrival, and whenever the violation has fallen to a share."}}});
        t.formerly({"thrifty", {{true, "auto"}, {false, "every"}}});
        t.relevantWhen("bounds", {"GAP"});
        t.advanced();
        t.real(&LaneConfig::every,
               {"every", "Screen again at", "",
                "Share that the violation has to fall to before samples are screened again."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("bounds", {"GAP"});
        t.advanced();
        return t;
    }();
    return table;
}

std::vector<double> pathValues(const PathConfig& path) {
    if (!path.values.empty()) {
        return path.values;
    }
    std::vector<double> values;
    for (double value = path.start; value >= path.stop * (1 - 1e-9); value *= path.ratio) {
        values.push_back(value);
    }
    return values;
}

namespace {

void checkPath(const PathConfig& path, std::vector<Fault>& faults) {
    const std::vector<double>& values = path.values;
    if (values.empty()) {
        if (path.kind != PathKind::Lambda) {
            faults.push_back(
                {"path.values",
                 "is empty, but a path over " + pathFields().word(path, "kind") + " takes its points from it",
                 "Give at least one value.",
                 {}});
        } else if (path.start < path.stop) {
            faults.push_back({"path.start",
                              "is " + exactText(path.start) + ", below path.stop, " + exactText(path.stop) +
                                  "; the path would have no point",
                              "Raise start or lower stop.",
                              {}});
        }
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (path.kind == PathKind::Prior && !isUsablePrior(values[i])) {
            faults.push_back({"path.values",
                              "has " + exactText(values[i]) + ", but a prior lies between 0 and 1, not within " +
                                  shortText(kLeastPrior) + " of either",
                              "Give priors above 0 and below 1.",
                              {}});
            return;
        }
        if (path.kind == PathKind::Unlabeled && values[i] != std::floor(values[i])) {
            faults.push_back({"path.values",
                              "has " + exactText(values[i]) + ", but counts are whole numbers",
                              "Give whole numbers.",
                              {}});
            return;
        }
        const bool falls = path.kind == PathKind::Lambda;
        if (i > 0 && (falls ? !(values[i] < values[i - 1]) : !(values[i] > values[i - 1]))) {
            faults.push_back({"path.values",
                              std::string(falls ? "does not fall" : "does not rise") + " from " +
                                  exactText(values[i - 1]) + " to " + exactText(values[i]),
                              falls ? "Give falling values." : "Give rising values.",
                              {}});
            return;
        }
    }
}

void checkPrior(const ProblemConfig& problem, const PathConfig& path, std::vector<Fault>& faults) {
    const bool needsClasses = problem.prior == PriorKind::Training || problem.prior == PriorKind::Unlabeled;
    if (problem.labels != LabelMeaning::Classes && needsClasses && path.kind != PathKind::Prior) {
        faults.push_back({"problem.prior",
                          "is \"" + problemFields().word(problem, "prior") +
                              "\", which needs true classes, but the labels only mark positives",
                          "Give the prior (\"given\"), or have it estimated (\"elkan-noto\", \"energy\").",
                          {}});
    }
}

/// Two files are put together as they were read, so that both are prepared alike.
void checkFiles(const ProblemConfig& problem, const DataConfig& data, std::vector<Fault>& faults) {
    if (problem.unlabeledFile.empty()) {
        faults.push_back({"problem.unlabeled_file",
                          "is empty, but problem.labels says that unlabeled rows come from a file",
                          "Name the file of unlabeled rows.",
                          {}});
    }
    if (data.scale != Scaling::None) {
        faults.push_back({"data.scale",
                          "would scale the labelled rows without the unlabeled ones",
                          "Set it to \"none\" and take problem.scale, which scales both together.",
                          {}});
    }
    if (data.pca) {
        faults.push_back({"data.pca",
                          "would turn the labelled rows without the unlabeled ones",
                          "Leave it out when rows come from two files.",
                          {}});
    }
    if (data.subset != 1) {
        faults.push_back({"data.subset",
                          "would leave out labelled rows only",
                          "Set it to 1; problem.unlabeled takes a part of the unlabeled rows.",
                          {}});
    }
}

Json defaultLanes() {
    return Json::array({{{"name", "Pairs"}, {"bounds", Json::array()}},
                        {{"name", "Pairs+GAP"}, {"bounds", {"GAP"}}},
                        {{"name", "USMO"},
                         {"bounds", Json::array()},
                         {"solver", {{"method", "usmo"}, {"tolerance", 1e-3}, {"tolerance_kind", "violation"}}}}});
}

} // namespace

void crossCheck(const PuConfig& config, const DataConfig& data, std::vector<Fault>& faults) {
    if (config.problem.labels == LabelMeaning::Files) {
        checkFiles(config.problem, data, faults);
    }
    checkPath(config.path, faults);
    checkPrior(config.problem, config.path, faults);
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const Lane& lane = config.lanes[i];
        if (lane.solver.method != MethodKind::Pairs && !lane.settings.bounds.empty()) {
            faults.push_back({"lanes[" + std::to_string(i) + "].bounds",
                              "the method \"" + solverFields().word(lane.solver, "method") + "\" screens nothing",
                              "Leave bounds empty, or set the method to \"pairs\".",
                              {}});
        }
    }
}

Family family() {
    return makeFamily<PuConfig>(
        {"pu", "Positive-unlabeled learning",
         "Learns from labelled positives and unlabeled samples, screening samples whose σ is certain.",
         "Sansone, De Natale, Zhou: Efficient Training for Positive Unlabeled Learning. "
         "IEEE Transactions on Pattern Analysis and Machine Intelligence 41(11), 2019."},
        {problemFields(), solverFields(), pathFields(), laneFields()}, defaultLanes(), crossCheck, prepare);
}

} // namespace lambdascope::pu
