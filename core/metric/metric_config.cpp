// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/metric_config.h"

#include "core/common/number_text.h"

namespace lambdascope::metric {

const FieldTable<ProblemConfig>& problemFields() {
    static const FieldTable<ProblemConfig> table = [] {
        FieldTable<ProblemConfig> t("problem", "Problem",
                                    "Learn M so that rows of one class are closer than rows of different classes.");
        t.integer(&ProblemConfig::k,
                  {"k", "Neighbours", "",
                   "Each row is compared with its k nearest rows of the same class times its k nearest rows of other "
                   "classes; \"all\" takes all of them."},
                  Range::atLeast(1), "all");
        t.choice<LossKind>(&ProblemConfig::loss, {"loss", "Loss", "", "Penalty of a triplet whose margin is below 1."},
                           {{LossKind::SmoothedHinge,
                             {"smoothed-hinge", "Smoothed hinge", "Hinge with a quadratic piece of width gamma."}},
                            {LossKind::Hinge, {"hinge", "Hinge", "max(0, 1 − margin)."}}});
        t.real(&ProblemConfig::gamma, {"gamma", "Smoothing γ", "", "Width of the quadratic piece of the loss."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("loss", {"smoothed-hinge"});
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
             {EngineKind::Triplets, {"triplets", "Triplets", "Every triplet by itself, as published; the baseline."}}});
        t.choice<MethodKind>(
            &SolverConfig::method, {"method", "Method", "", "How the problem at one λ is solved; solutions agree."},
            {{MethodKind::Automatic, {"auto", "Automatic", "Projected gradient while it is quick, then Newton."}},
             {MethodKind::ProjectedGradient,
              {"projected-gradient", "Projected gradient", "With the Barzilai–Borwein step, as published."}},
             {MethodKind::Newton, {"newton", "Newton", "Semismooth Newton on the triplets near the edges."}}});
        t.real(&SolverConfig::tolerance, {"tolerance", "Tolerance", "", "Duality gap at which a point is solved."},
               Range{0, 1, false, true});
        t.choice<ToleranceKind>(
            &SolverConfig::toleranceKind,
            {"tolerance_kind", "Tolerance is", "", "What the tolerance is compared with."},
            {{ToleranceKind::Relative, {"relative", "Relative", "gap ≤ tolerance · max(1, |primal|)."}},
             {ToleranceKind::Absolute, {"absolute", "Absolute", "gap ≤ tolerance."}}});
        t.integer(
            &SolverConfig::maxIterations,
            {"max_iterations", "Iteration limit", "iterations", "Per path point; the best solution so far is kept."},
            Range::atLeast(1));
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<PathConfig>& pathFields() {
    static const FieldTable<PathConfig> table = [] {
        FieldTable<PathConfig> t("path", "Path", "The values of λ that are solved, from large to small.");
        t.real(&PathConfig::start,
               {"start", "First λ", "",
                "\"lambda-max\" is the smallest λ whose solution is known in closed form; or a number."},
               Range{0, std::numeric_limits<double>::infinity(), false, false}, "lambda-max");
        t.real(&PathConfig::ratio, {"ratio", "Ratio", "", "Each λ is this times the one before."},
               Range::strictlyBetween(0, 1));
        t.real(&PathConfig::stop,
               {"stop", "Stop below", "",
                "The path ends when the loss falls by less than this share per share of λ; 0 for never."},
               Range{0, 1, true, false});
        t.real(&PathConfig::minLambda, {"min_lambda", "Smallest λ", "", "The path ends before it; 0 for no limit."},
               Range::atLeast(0));
        t.advanced();
        t.integer(&PathConfig::maxPoints, {"max_points", "Most points", "", "The path ends after so many values of λ."},
                  Range{1, 100000});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<LaneConfig>& laneFields() {
    static const FieldTable<LaneConfig> table = [] {
        FieldTable<LaneConfig> t("lane", "Screening lane",
                                 "Which triplets are taken out while solving; same solution.");
        t.choices<BoundKind>(&LaneConfig::bounds,
                             {"bounds", "Bounds", "",
                              "Balls that hold the optimum; a triplet goes when any of them decides it. None: "
                              "the baseline without screening."},
                             {{BoundKind::Gradient, {"GB", "GB", "Gradient bound."}},
                              {BoundKind::ProjectedGradient, {"PGB", "PGB", "Projected gradient bound."}},
                              {BoundKind::DualityGap, {"DGB", "DGB", "Duality gap bound."}},
                              {BoundKind::RelaxedPath, {"RRPB", "RRPB", "Relaxed regularization path bound."}}});
        t.choice<RuleKind>(&LaneConfig::rule, {"rule", "Rule", "", "How a ball decides triplets."},
                           {{RuleKind::Sphere, {"sphere", "Sphere", "Over the whole ball, in closed form."}}});
        t.integer(&LaneConfig::every,
                  {"every", "Screen every", "iterations", "Distance between two screenings while solving."},
                  Range::atLeast(1));
        return t;
    }();
    return table;
}

namespace {

/// Rules between fields of a resolved experiment.
void crossCheck(const Json& resolved, std::vector<Fault>& faults) {
    const Json& path = resolved.at("path");
    const double minLambda = path.at("min_lambda").get<double>();
    if (path.at("start").is_number() && path.at("start").get<double>() < minLambda) {
        faults.push_back({"path.start",
                          "is " + exactText(path.at("start").get<double>()) + ", below path.min_lambda, " +
                              exactText(minLambda) + "; the path would have no point",
                          "Raise start or lower min_lambda.",
                          {}});
    }
    if (path.at("stop").get<double>() == 0 && minLambda == 0 && path.at("max_points").get<double>() > 1000) {
        faults.push_back({"path.max_points",
                          "the path has no end but this one, " + exactText(path.at("max_points").get<double>()),
                          "Set stop or min_lambda, or at most 1000 points.",
                          {}});
    }
}

Json defaultLanes() {
    Json lanes = Json::array();
    lanes.push_back({{"name", "naive"}});
    for (const char* bound : {"GB", "PGB", "DGB", "RRPB"}) {
        lanes.push_back({{"name", bound}, {"bounds", {bound}}});
    }
    lanes.push_back({{"name", "RRPB+PGB"}, {"bounds", {"RRPB", "PGB"}}});
    return lanes;
}

} // namespace

FamilySchema schema() {
    FamilySchema result;
    result.id = "metric";
    result.title = "Triplet metric learning";
    result.summary = "Learns a Mahalanobis metric from triplets, screening triplets whose role is certain.";
    result.reference = "Yoshida, Takeuchi, Karasuyama: Safe Triplet Screening for Distance Metric Learning. "
                       "Neural Computation 31(12), 2019.";
    result.problem = problemFields().schema();
    result.solver = solverFields().schema();
    result.path = pathFields().schema();
    result.lane = laneFields().schema();
    result.defaultLanes = defaultLanes();
    result.crossCheck = crossCheck;
    return result;
}

} // namespace lambdascope::metric
