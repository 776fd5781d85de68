// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/svm_schema.h"

#include "core/kernel/kernel_fields.h"
#include "core/run/known_lane.h"
#include "core/run/make_family.h"
#include "core/svm/family.h"

#include <limits>

namespace lambdascope::svm {

const FieldTable<ProblemConfig>& problemFields() {
    static const FieldTable<ProblemConfig> table = [] {
        FieldTable<ProblemConfig> t("problem", "Problem",
                                    "Separate two classes by an SVM, or fit numbers; margins of all samples count.");
        t.choice<TaskKind>(
            &ProblemConfig::task, {"task", "Task", "", "What f(x) is to do."},
            {{TaskKind::Classification, {"classification", "Classification", "Separate two classes by the sign of f."}},
             {TaskKind::Regression,
              {"regression", "Regression",
               "Come within ε of the numbers in the target column (data.target): ε-SVR. Each row is two "
               "samples, one for each side of the tube."}},
             {TaskKind::Novelty,
              {"novelty", "Novelty",
               "Tell what is like the samples, f > 0, from what is not: the one-class SVM of C = 1/νn, with "
               "a free bias."}}});
        t.real(&ProblemConfig::epsilon,
               {"epsilon", "ε", "",
                "Half the width of the tube within which errors cost nothing, in units of the target."},
               Range::between(0, 1e30));
        t.relevantWhen("task", {"regression"});
        t.choice<ClassesKind>(
            &ProblemConfig::classes, {"classes", "Classes", "", "How classes are told apart."},
            {{ClassesKind::Two, {"two", "Two", "One class against all others."}},
             {ClassesKind::OneVsOne,
              {"one-vs-one", "One against one",
               "A problem for each pair of classes, on their samples alone; a row is of the class that most of them "
               "vote for, as in LIBSVM."}},
             {ClassesKind::OneVsRest,
              {"one-vs-rest", "One against the rest",
               "A problem for each class against all others; a row is of the class whose f is largest."}}});
        t.relevantWhen("task", {"classification"});
        t.text(&ProblemConfig::positive,
               {"positive", "Positive class", "",
                "Name of the class with y = +1; all others have y = −1. \"auto\" takes the last of two classes."});
        t.relevantWhen("classes", {"two"});
        addKernelFields(t, true);
        t.choice<InterceptKind>(
            &ProblemConfig::intercept, {"intercept", "Intercept", "", "What lets f be other than 0 at the origin."},
            {{InterceptKind::None, {"none", "None", "f(x) = wᵀΦ(x)."}},
             {InterceptKind::Feature,
              {"feature", "Constant feature",
               "Of the value of the bias feature, 0 for none; regularized like others."}},
             {InterceptKind::Free,
              {"free", "Free bias", "f(x) = wᵀΦ(x) + b, where b is not regularized, as in LIBSVM."}}});
        t.relevantWhen("task", {"classification", "regression"});
        t.real(
            &ProblemConfig::bias,
            {"bias", "Bias feature", "",
             "Value of a constant feature added to all samples, which stands for a bias; 0 for none. Its coefficient "
             "is regularized like the others."},
            Range::between(0, 1e30));
        t.relevantWhen("intercept", {"feature"});
        t.advanced();
        t.real(&ProblemConfig::positiveWeight,
               {"positive_weight", "Weight, positive class", "", "Factor of C for samples with y = +1."},
               Range::aboveUpTo(0, 1e30));
        t.relevantWhen("classes", {"two", "one-vs-rest"});
        t.advanced();
        t.real(&ProblemConfig::negativeWeight,
               {"negative_weight", "Weight, negative classes", "", "Factor of C for samples with y = −1."},
               Range::aboveUpTo(0, 1e30));
        t.relevantWhen("classes", {"two", "one-vs-rest"});
        t.advanced();
        t.file(&ProblemConfig::weights,
               {"weights", "Sample weights", "",
                "A text file with one number per row of the data, in their order: its factor of C beside that of its "
                "class. 0 leaves a row out. May be compressed; # begins a comment."});
        t.advanced();
        addKernelMemory(t, {"linear", "rbf", "polynomial", "precomputed"},
                        " The linear kernel has rows only with a free bias.");
        t.integer(&ProblemConfig::folds,
                  {"folds", "Cross-validation folds", "",
                   "Solve the path in so many folds too, each leaving a part of the samples out, and measure on those "
                   "parts; 0 for none. Folds share the kernel rows. Their time is not counted in the CPU columns."},
                  Range{0, 100});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<SolverConfig>& solverFields() {
    static const FieldTable<SolverConfig> table = [] {
        FieldTable<SolverConfig> t("solver", "Solver", "How each problem of the path is solved, and how exactly.");
        t.choice<MethodKind>(
            &SolverConfig::method, {"method", "Method", "", "How the problem at one C is solved."},
            {{MethodKind::Descent,
              {"descent", "Coordinate descent",
               "Of the dual, from the solution before, with exact steps on the face of free samples."}},
             {MethodKind::Liblinear,
              {"liblinear", "LIBLINEAR",
               "The library's dual solver for the hinge loss, every C from nothing; linear kernel, no screening."}},
             {MethodKind::Libsvm,
              {"libsvm", "LIBSVM",
               "The library's solver by pairs, every C from nothing, in a process of its own; with a free bias, no "
               "screening. Shrinking is the library's own, and its kernel rows may take kernel_memory besides."}}});
        t.real(&SolverConfig::tolerance,
               {"tolerance", "Tolerance", "",
                "A point is solved when gap ≤ tolerance · primal. LIBLINEAR and LIBSVM take it as their own; "
                "LIBSVM's ε is by how much the worst pair of samples may violate optimality, 0.001 by its default."},
               Range{0, 1, false, false});
        t.integer(&SolverConfig::maxIterations,
                  {"max_iterations", "Iteration limit", "sweeps", "Per path point; the best solution so far is kept."},
                  Range{1, 2000000000});
        t.relevantWhen("method", {"descent"});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<PathConfig>& pathFields() {
    static const FieldTable<PathConfig> table = [] {
        FieldTable<PathConfig> t("path", "Path", "The values of C that are solved, from small to large.");
        t.choice<PathKind>(
            &PathConfig::kind, {"kind", "Values of C", "", "Where the values come from."},
            {{PathKind::Grid, {"grid", "Geometric", "Each C is a fixed factor times the one before."}},
             {PathKind::Approximation,
              {"approximation", "ε-approximation",
               "Each C is as large as the solution before, scaled, stays within a share ε of the optimum."}},
             {PathKind::List, {"list", "List", "The values given."}},
             {PathKind::Reference,
              {"reference", "Fixed C", "One C, screened with references at the given shares of it."}}});
        const double infinity = std::numeric_limits<double>::infinity();
        t.real(&PathConfig::start,
               {"start", "First C", "",
                "\"c-min\" is C_min, up to which the solution is proportional to C (every sample at its bound, where "
                "there are classes and no free bias); or a number."},
               Range{0, infinity, false, false}, "c-min");
        t.relevantWhen("kind", {"grid", "approximation"});
        t.real(&PathConfig::ratio, {"ratio", "Ratio", "", "Each C is this times the one before."},
               Range{1, infinity, false, false});
        t.relevantWhen("kind", {"grid"});
        t.real(&PathConfig::maxC, {"max_c", "Largest C", "", "The path ends at it."}, Range{0, infinity, false, false});
        t.relevantWhen("kind", {"grid", "approximation"});
        t.real(&PathConfig::epsilon, {"epsilon", "ε", "", "Share of the dual optimum lost between two values of C."},
               Range::strictlyBetween(0, 1));
        t.relevantWhen("kind", {"approximation"});
        t.reals(&PathConfig::values,
                {"values", "Values", "", "Rising values of C; for a fixed C: its references as shares of it, up to 1."},
                Range{0, infinity, false, false});
        t.relevantWhen("kind", {"list", "reference"});
        t.choice<CUnit>(
            &PathConfig::unit, {"unit", "Values are", "", "What values of C are counted in."},
            {{CUnit::Absolute, {"absolute", "Absolute", "C as it stands."}},
             {CUnit::CMin, {"c-min", "Times C_min", "Values, first C or the fixed C are multiples of C_min."}},
             {CUnit::Nu,
              {"nu", "ν",
               "Of novelty: falling values or the first value of ν = 1 / C Σω, the share that may lie outside."}}});
        t.advanced();
        t.real(&PathConfig::c, {"c", "C", "", "The one C that is solved."}, Range{0, infinity, false, false});
        t.relevantWhen("kind", {"reference"});
        t.integer(&PathConfig::maxPoints, {"max_points", "Most points", "", "The path ends after so many values of C."},
                  Range{1, 100000});
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<LaneConfig>& laneFields() {
    static const FieldTable<LaneConfig> table = [] {
        FieldTable<LaneConfig> t("lane", "Screening lane",
                                 "Which samples are taken out before and while solving; same solution.");
        t.choices<BoundKind>(
            &LaneConfig::bounds,
            {"bounds", "Tests", "",
             "Regions that hold the optimum; a sample goes when any of them decides it. None: no screening."},
            {{BoundKind::BallOne, {"BT1", "BT1", "Ball test 1, from the solution at the C before."}},
             {BoundKind::BallTwo, {"BT2", "BT2", "Ball test 2, from any solution and a cutting plane."}},
             {BoundKind::Intersection, {"IT", "IT", "Intersection test: both balls at once."}},
             {BoundKind::Delta,
              {"DT", "DT",
               "From the solutions at a smaller and at a larger C. The larger one is solved for it, which costs more "
               "than "
               "it saves: \"auto\" leaves it out."}},
             {BoundKind::Gap, {"GAP", "GAP", "Ball whose radius is the root of the duality gap; while solving too."}}});
        t.boolean(&LaneConfig::shrink,
                  {"shrink", "Shrinking", "",
                   "Leaves out samples that look settled, and looks at them again before the end."});
        t.choice<ScheduleKind>(
            &LaneConfig::schedule,
            {"schedule", "Screen while solving", "",
             "When samples are screened: on arrival, and again before a point is solved (GAP)."},
            {{ScheduleKind::Auto,
              {"auto", "Where it pays",
               "On arrival and when the gap has fallen, where counted work says that a look pays."}},
             {ScheduleKind::Every, {"every", "Every so many sweeps", "On arrival, and at a fixed distance."}}});
        t.relevantWhen("bounds", wordsOf(t.schema(), "bounds"));
        t.advanced();
        t.integer(&LaneConfig::every,
                  {"every", "Screen every", "sweeps", "Distance between two screenings while solving (GAP)."},
                  Range::atLeast(1));
        t.relevantWhen("schedule", {"every"});
        t.advanced();
        t.real(&LaneConfig::beyond, {"beyond", "DT: larger C", "", "DT solves this times C, as a feasible solution."},
               Range{1, 1000, false, true});
        t.relevantWhen("bounds", {"DT"});
        t.advanced();
        t.text(&LaneConfig::oracle,
               {"oracle", "Knows the sets of", "",
                "Name of an earlier lane: what its solution at each C proves is known here from the start, at no cost. "
                "The limit of what screening can save; no rule has such knowledge."});
        t.advanced();
        return t;
    }();
    return table;
}

namespace {

/// The six approaches of [S, table IV], and with GAP.
Json defaultLanes() {
    Json lanes = Json::array();
    for (const bool shrinks : {false, true}) {
        const std::string prefix = shrinks ? "Shrink" : "";
        lanes.push_back({{"name", shrinks ? "Shrink" : "Full"}, {"shrink", shrinks}});
        for (const char* bound : {"BT1", "IT"}) {
            lanes.push_back({{"name", (shrinks ? prefix + "+" : prefix) + bound},
                             {"bounds", {bound}},
                             {"shrink", shrinks},
                             {"schedule", "every"}});
        }
    }
    lanes.push_back({{"name", "Shrink+IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"shrink", true}, {"schedule", "every"}});
    return lanes;
}

} // namespace

void crossCheck(const SvmConfig& config, const DataConfig& data, std::vector<Fault>& faults) {
    checkFields(config, data, faults);
    std::vector<OracleLane> lanes;
    for (const Lane& lane : config.lanes) {
        const bool hasBounds = !lane.settings.bounds.empty();
        lanes.push_back({lane.name, lane.settings.oracle, hasBounds, hasBounds});
    }
    checkOracles(lanes, faults);
}

Family family() {
    return makeFamily<SvmConfig>(
        {"svm", "SVM",
         "Separates two classes by large margins, or fits numbers, screening samples whose side of the margin is "
         "certain.",
         "Ogawa, Suzuki, Suzumura, Takeuchi: Safe Sample Screening for Support Vector Machines. "
         "arXiv 1401.6740, 2014."},
        {problemFields(), solverFields(), pathFields(), laneFields()}, defaultLanes(), crossCheck, prepare);
}

} // namespace lambdascope::svm
