// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/metric_schema.h"

#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/metric/family.h"
#include "core/run/known_lane.h"
#include "core/run/make_family.h"
#include "core/triplets/path/path_fields.h"

#include <algorithm>

namespace lambdascope::metric {

const FieldTable<ProblemConfig>& problemFields() {
    static const FieldTable<ProblemConfig> table = [] {
        FieldTable<ProblemConfig> t("problem", "Problem",
                                    "Learn M so that rows of one class are closer than rows of different classes.");
        t.choice<ConstraintSource>(&ProblemConfig::constraints,
                                   {"constraints", "Comparisons", "", "What says which rows belong together."},
                                   {{ConstraintSource::Neighbours,
                                     {"neighbours", "Nearest neighbours",
                                      "Class labels: triplets of nearest rows of the same and of other "
                                      "classes."}},
                                    {ConstraintSource::File,
                                     {"file", "From a file",
                                      "Triplets, quadruplets and bounds on distances, listed in a text file; labels "
                                      "are not needed, and the engine setting does not matter."}}});
        t.file(&ProblemConfig::file,
               {"file", "Comparison file", "",
                "A text file with one comparison per line: \"triplet i j l\" (j is closer to i than l), \"quadruplet i "
                "j l k\" (i, j are closer than l, k), \"similar i j upper\", \"dissimilar i j lower\" (bounds on the "
                "squared distance), \"target i j\" (for linear_term), each with an optional weight at the end. "
                "\"base 0\" or \"base 1\" comes first and says the number of the first row; \"form triplet\" makes "
                "lines of plain numbers triplets; # begins a comment; .gz and .bz2 are fine."});
        t.relevantWhen("constraints", {"file"});
        t.integer(&ProblemConfig::k,
                  {"k", "Neighbours", "",
                   "Each row is compared with its k nearest rows of the same class times its k nearest rows of other "
                   "classes; \"all\" takes all of them."},
                  Range::atLeast(1), "all");
        t.relevantWhen("constraints", {"neighbours"});
        t.choice<LossKind>(&ProblemConfig::loss, {"loss", "Loss", "", "Penalty of a triplet whose margin is below 1."},
                           {{LossKind::SmoothedHinge,
                             {"smoothed-hinge", "Smoothed hinge", "Hinge with a quadratic piece of width gamma."}},
                            {LossKind::Hinge, {"hinge", "Hinge", "max(0, 1 − margin)."}}});
        t.real(&ProblemConfig::gamma, {"gamma", "Smoothing γ", "", "Width of the quadratic piece of the loss."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("loss", {"smoothed-hinge"});
        t.real(
            &ProblemConfig::linearTerm,
            {"linear_term", "Linear term", "",
             "Weight of the sum of squared distances of target pairs (each row and its same-class neighbours, or the "
             "\"target\" lines of the file), as in LMNN; 0 for none."},
            Range::atLeast(0));
        t.advanced();
        t.choice<Structure>(
            &ProblemConfig::structure, {"structure", "Structure of M", "", "Which matrices are allowed."},
            {{Structure::Full, {"full", "Full", "Any positive semidefinite matrix."}},
             {Structure::Diagonal, {"diagonal", "Diagonal", "One weight ≥ 0 per feature; for many features."}}});
        t.advanced();
        t.integer(&ProblemConfig::knn,
                  {"knn", "Test neighbours", "",
                   "Nearest training rows that vote on the class of each row that data.subset leaves out; the share of "
                   "wrong votes is the test error along the path."},
                  Range::atLeast(1));
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<SolverConfig>& solverFields() {
    static const FieldTable<SolverConfig> table = [] {
        FieldTable<SolverConfig> t("solver", "Solver", "How each problem of the path is solved, and how exactly.");
        t.choice<EngineKind>(
            &SolverConfig::engine, {"engine", "Engine", "", "How sums over triplets are computed; results agree."},
            {{EngineKind::Pairs, {"pairs", "Pairs", "One number per pair, one subtraction per triplet; fast."}},
             {EngineKind::Sorted,
              {"sorted", "Sorted",
               "Whole sets of triplets at a time by sorting; the fastest for large k and for all."}},
             {EngineKind::Triplets, {"triplets", "Triplets", "Every triplet by itself, as published; the baseline."}}});
        t.choice<MethodKind>(
            &SolverConfig::method, {"method", "Method", "", "How the problem at one λ is solved; solutions agree."},
            {{MethodKind::Automatic,
              {"auto", "Automatic", "At each λ the one of the two of which less work is expected, by counted work."}},
             {MethodKind::ProjectedGradient,
              {"projected-gradient", "Projected gradient", "With the Barzilai–Borwein step, as published."}},
             {MethodKind::Newton, {"newton", "Newton", "Semismooth Newton on the triplets near the edges."}}});
        t.boolean(
            &SolverConfig::activeSet,
            {"active_set", "Active set", "",
             "As published: for ten iterations at a time only triplets that had a loss are summed; every solution "
             "is checked on all of them."});
        t.relevantWhen("method", {"projected-gradient"});
        t.advanced();
        addToleranceFields(t);
        t.integer(
            &SolverConfig::memoryBudget,
            {"memory_budget", "Memory budget", "MB",
             "What the lists of the engine \"sorted\" may take; a problem that needs more is refused "
             "before it starts."},
            Range::atLeast(1));
        t.relevantWhen("engine", {"sorted"});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<PathConfig>& pathFields() {
    static const FieldTable<PathConfig> table = [] {
        FieldTable<PathConfig> t("path", "Path", "The values of λ that are solved, from large to small.");
        t.choice<PathKind>(&PathConfig::kind, {"kind", "Values of λ", "", "Where the values come from."},
                           {{PathKind::Grid, {"grid", "Geometric", "Each λ is a fixed factor times the one before."}},
                            {PathKind::Approximation,
                             {"approximation", "ε-approximation",
                              "Each λ is as small as the solution before, scaled, stays within a share ε of the "
                              "optimum; found before the lanes start, which all get the same."}}});
        t.real(&PathConfig::epsilon,
               {"epsilon", "ε", "", "Share of the optimal value that may be lost between two values of λ."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("kind", {"approximation"});
        addPathFields(t, {}, {"kind", "grid"});
        return t;
    }();
    return table;
}

const FieldTable<LaneConfig>& laneFields() {
    static const FieldTable<LaneConfig> table = [] {
        FieldTable<LaneConfig> t("lane", "Screening lane",
                                 "Which triplets are taken out while solving; same solution.");
        addLaneFields(t, "triplet", true);
        return t;
    }();
    return table;
}

namespace {

/// Share of ε that a lane's own tolerance may take.
constexpr double kToleranceShare = 1e-3;

/// What comparisons from a file need of the other fields.
void checkComparisonFile(const ProblemConfig& problem, const DataConfig& data, std::vector<Fault>& faults) {
    if (problem.constraints != ConstraintSource::File) {
        return;
    }
    if (problem.file.empty()) {
        faults.push_back({"problem.file", "no file is named", "Name the file with the comparisons.", {}});
    }
    checkRowsAreKept(data, "comparisons from a file name", {}, faults);
}

/// What keeps a solver from telling single triplets of neighbours apart: "by the engine \"sorted\""; empty when
/// nothing does.
std::string whyNoSingleTriplets(const ProblemConfig& problem, const SolverConfig& solver) {
    if (problem.constraints == ConstraintSource::File) {
        return "for comparisons from a file";
    }
    if (problem.linearTerm > 0) {
        return "with a linear term";
    }
    return solver.engine == EngineKind::Sorted ? "by the engine \"sorted\"" : "";
}

/// What keeps a solver from keeping an active set; empty when nothing does.
std::string whyNoActiveSet(const ProblemConfig& problem, const SolverConfig& solver) {
    if (!solver.activeSet) {
        return "";
    }
    if (solver.method != MethodKind::ProjectedGradient) {
        return "is for the method \"projected-gradient\"; \"" + solverFields().word(solver, "method") +
               "\" picks triplets of its own";
    }
    const std::string reason = whyNoSingleTriplets(problem, solver);
    return reason.empty() ? "" : "is kept of triplets of neighbours, not " + reason;
}

void checkActiveSets(const MetricConfig& config, std::vector<Fault>& faults) {
    const auto check = [&](const SolverConfig& solver, const std::string& key) {
        if (const std::string reason = whyNoActiveSet(config.problem, solver); !reason.empty()) {
            faults.push_back({key,
                              reason,
                              "Set active_set to false, or choose the method \"projected-gradient\", the engine "
                              "\"pairs\" and triplets of neighbours.",
                              {}});
            return false;
        }
        return true;
    };
    if (!check(config.solver, "solver.active_set")) {
        return; // once is enough
    }
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        (void)check(config.lanes[i].solver, "lanes[" + std::to_string(i) + "].solver.active_set");
    }
}

/// What is within ε of the optimum has to be so at its own λ first, with room to spare.
void checkApproximation(const MetricConfig& config, std::vector<Fault>& faults) {
    if (config.path.kind != PathKind::Approximation) {
        return;
    }
    const double most = kToleranceShare * config.path.epsilon;
    const auto check = [&](const SolverConfig& solver, const std::string& key) {
        if (solver.toleranceKind != ToleranceKind::Relative || solver.tolerance <= most * (1 + 1e-12)) {
            return true;
        }
        faults.push_back({key,
                          "is " + exactText(solver.tolerance) + ", more than a thousandth of path.epsilon, " +
                              exactText(config.path.epsilon) +
                              "; what a solution loses at its own λ leaves too little for the λ below",
                          "Lower tolerance to " + shortText(most, 4) + " or less, or raise epsilon.",
                          {}});
        return false;
    };
    if (!check(config.solver, "solver.tolerance")) {
        return; // once is enough
    }
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        (void)check(config.lanes[i].solver, "lanes[" + std::to_string(i) + "].solver.tolerance");
    }
}

/// Rules between the fields of lanes and the problem.
void checkLanes(const MetricConfig& config, std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const std::string key = "lanes[" + std::to_string(i) + "]";
        const LaneConfig& lane = config.lanes[i].settings;
        if (config.problem.structure != Structure::Diagonal && lane.rule == RuleKind::Analytic) {
            faults.push_back({key + ".rule",
                              "\"analytic\" is a rule of a diagonal M, and problem.structure is \"full\"",
                              "Choose \"semidefinite\", or set problem.structure to \"diagonal\".",
                              {}});
        }
        checkRange(lane, key, faults);
        // Comparisons from a file have an engine of their own, whatever the setting says.
        if (lane.range && config.problem.constraints != ConstraintSource::File &&
            config.lanes[i].solver.engine == EngineKind::Sorted) {
            faults.push_back({key + ".range",
                              "ranges are kept per triplet, and the engine \"sorted\" tells no single triplets apart",
                              "Set range to false, or choose the engine \"pairs\".",
                              {}});
        }
    }
}

Json defaultLanes() {
    Json lanes = Json::array();
    lanes.push_back({{"name", "naive"}});
    for (const char* bound : {"GB", "PGB", "DGB", "RRPB", "MGB"}) {
        lanes.push_back({{"name", bound}, {"bounds", {bound}}});
    }
    lanes.push_back({{"name", "RRPB+PGB"}, {"bounds", {"RRPB", "PGB"}}});
    return lanes;
}

} // namespace

void crossCheck(const MetricConfig& config, const DataConfig& data, std::vector<Fault>& faults) {
    checkComparisonFile(config.problem, data, faults);
    checkPath(config.path, faults);
    checkApproximation(config, faults);
    checkLanes(config, faults);
    checkActiveSets(config, faults);
    std::vector<OracleLane> lanes;
    for (const Lane& lane : config.lanes) {
        const bool hasBounds = !lane.settings.bounds.empty();
        lanes.push_back({lane.name, lane.settings.oracle, hasBounds, hasBounds});
    }
    checkOracles(lanes, faults);
}

Family family() {
    return makeFamily<MetricConfig>(
        {"metric", "Triplet metric learning",
         "Learns a Mahalanobis metric from triplets, screening triplets whose role is certain.",
         "Yoshida, Takeuchi, Karasuyama: Safe Triplet Screening for Distance Metric Learning. "
         "Neural Computation 31(12), 2019."},
        {problemFields(), solverFields(), pathFields(), laneFields()}, defaultLanes(), crossCheck, prepare);
}

} // namespace lambdascope::metric
