// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/ordinal_schema.h"

#include "core/ordinal/family.h"
#include "core/run/make_family.h"
#include "core/triplets/path/path_fields.h"

#include <algorithm>

namespace lambdascope::ordinal {

namespace {

constexpr const char* kGnmdsHelp = "Generalized non-metric scaling: hinge of the difference of squared distances.";
constexpr const char* kCklHelp = "Crowd kernel learning: share of squared distances, smoothed by μ.";
constexpr const char* kSteHelp = "Stochastic triplet embedding: logistic loss of the difference of squared distances.";
constexpr const char* kTsteHelp = "Stochastic triplet embedding with Student's t of α degrees of freedom.";
constexpr const char* kSoeHelp = "Soft ordinal embedding: squared hinge of the difference of distances.";

void addFileFields(FieldTable<ProblemConfig>& t) {
    t.choice<ComparisonSource>(
        &ProblemConfig::comparisons, {"comparisons", "Comparisons", "", "Where comparisons of objects come from."},
        {{ComparisonSource::File,
          {"file", "A file", "Answers in a file; the data section may be \"none\", or describe the objects."}},
         {ComparisonSource::Distances,
          {"distances", "A distance matrix", "The data are distances, one row and one column per object."}},
         {ComparisonSource::Rows,
          {"points", "Distances of rows", "Rows of the data, compared by their Euclidean distances."}},
         {ComparisonSource::Classes,
          {"classes", "Classes", "A row is closer to one of its own class than to one of another."}}});
    t.file(&ProblemConfig::file,
           {"file", "File of comparisons", "",
            "Columns i j k (i is closer to j than to k) or i j l k (i and j are closer than l and k), then maybe a "
            "weight or the votes for j and for k; CSV, TSV, blanks or NPY."});
    t.relevantWhen("comparisons", {"file"});
    t.file(&ProblemConfig::names, {"names", "File of object names", "",
                                   "One name per line in the order of ids, or columns id and name; may be empty."});
    t.relevantWhen("comparisons", {"file"});
    t.choice<ComparisonLayout>(
        &ProblemConfig::layout, {"layout", "Columns", "", "What the columns of the file mean."},
        {{ComparisonLayout::Auto, {"auto", "From the file", "By the header and the number of columns."}},
         {ComparisonLayout::Triplets, {"triplets", "i j k", "Triplets, then maybe a weight or two votes."}},
         {ComparisonLayout::Quadruplets,
          {"quadruplets", "i j l k", "Quadruplets, then maybe a weight or two votes."}}});
    t.relevantWhen("comparisons", {"file"});
    t.advanced();
    t.choice<IdBase>(&ProblemConfig::base, {"base", "Ids count from", "", "Id of the first object."},
                     {{IdBase::Auto, {"auto", "From the file", "0 if any id is 0, else 1; the run says which."}},
                      {IdBase::Zero, {"0", "0", "The first object has id 0."}},
                      {IdBase::One, {"1", "1", "The first object has id 1."}}});
    t.relevantWhen("comparisons", {"file"});
    t.advanced();
    t.choice<RepeatPolicy>(&ProblemConfig::repeats,
                           {"repeats", "Repeated answers", "", "What becomes of answers to the same question."},
                           {{RepeatPolicy::Keep, {"keep", "Keep", "Each counts as it stands."}},
                            {RepeatPolicy::Merge, {"merge", "Merge", "Equal ones become one whose weight is the sum."}},
                            {RepeatPolicy::Majority,
                             {"majority", "Majority",
                              "Merged, and contradicting ones cancel: the heavier side keeps what it has more."}}});
    t.relevantWhen("comparisons", {"file"});
}

void addDropField(FieldTable<ProblemConfig>& t) {
    t.boolean(&ProblemConfig::dropSelf,
              {"drop_self", "Drop self-comparisons", "",
               "Leave out lines that compare an object or a pair with itself, which otherwise are faults."});
    t.relevantWhen("comparisons", {"file"});
    t.advanced();
}

void addSamplingFields(FieldTable<ProblemConfig>& t) {
    t.choice<ComparisonLayout>(
        &ProblemConfig::form, {"form", "Sampled as", "", "What comparisons are drawn from distances or points."},
        {{ComparisonLayout::Triplets, {"triplets", "Triplets", "Is i closer to j or to k?"}},
         {ComparisonLayout::Quadruplets, {"quadruplets", "Quadruplets", "Are i and j closer, or l and k?"}}});
    t.relevantWhen("comparisons", {"distances", "points"});
    t.advanced();
    t.integer(&ProblemConfig::train,
              {"train", "Training comparisons", "",
               "How many are learned from; \"auto\": 80 % of a file, 10,000 drawn ones (80 % of what there is)."},
              Range{1, 20000000}, "auto");
    t.integer(&ProblemConfig::test,
              {"test", "Test comparisons", "",
               "How many are held out; \"auto\": the rest of a file, as many drawn ones as training has."},
              Range{0, 20000000}, "auto");
    t.real(&ProblemConfig::noise, {"noise", "Noise", "", "Share of the training comparisons that is turned round."},
           Range::between(0, 1));
}

void addModelFields(FieldTable<ProblemConfig>& t) {
    t.integer(&ProblemConfig::dimensions, {"dimensions", "Dimensions p", "", "Of the space that objects are put in."},
              Range{1, 1000});
    t.choice<ModelKind>(&ProblemConfig::model, {"model", "Model", "", "Loss of a comparison at two distances."},
                        {{ModelKind::Gnmds, {"GNMDS", "GNMDS", kGnmdsHelp}},
                         {ModelKind::Ckl, {"CKL", "CKL", kCklHelp}},
                         {ModelKind::Ste, {"STE", "STE", kSteHelp}},
                         {ModelKind::Tste, {"TSTE", "t-STE", kTsteHelp}},
                         {ModelKind::Soe, {"SOE", "SOE", kSoeHelp}}});
    t.real(&ProblemConfig::mu, {"mu", "μ of CKL", "", "Squared distance below which CKL tells little apart."},
           Range{1e-12, 1e12});
    t.advanced();
    t.real(&ProblemConfig::alpha, {"alpha", "α of TSTE", "", "Degrees of freedom; \"auto\": p − 1, at least 1."},
           Range{1e-3, 1e6}, "auto");
    t.advanced();
    t.real(&ProblemConfig::margin, {"margin", "Margin", "", "By which GNMDS and SOE want distances to differ."},
           Range{1e-6, 1e6});
    t.advanced();
    t.real(&ProblemConfig::gamma,
           {"gamma", "Smoothing γ", "",
            "Of paths over λ: width of the quadratic piece of the hinge, below the margin; 0 for the hinge itself."},
           Range{0, 1e6});
    t.advanced();
    t.integer(&ProblemConfig::top,
              {"top", "Top K", "", "K of Precision@K and Recall@K, for labelled data with held-out rows."},
              Range{1, 1000000});
    t.relevantWhen("comparisons", {"classes", "points"});
    t.advanced();
    t.real(&ProblemConfig::kernel,
           {"kernel", "Out-of-sample γ", "",
            "Of the RBF kernel ridge regression that maps held-out rows; \"auto\": 1/(features · mean variance)."},
           Range::above(0), "auto");
    t.relevantWhen("comparisons", {"classes", "points"});
    t.advanced();
    t.real(&ProblemConfig::ridge, {"ridge", "Out-of-sample ridge", "", "λ of that regression, (K + λI)⁻¹X."},
           Range::above(0));
    t.relevantWhen("comparisons", {"classes", "points"});
    t.advanced();
}

/// Methods that draw comparisons.
const std::vector<std::string>& stochasticMethods() {
    static const std::vector<std::string> methods = {"svrg-sbb", "svrg-sbb0", "svrg", "modular", "sgd"};
    return methods;
}

void addMethods(FieldTable<SolverConfig>& t) {
    t.choice<MethodKind>(
        &SolverConfig::method, {"method", "Method", "", "How the embedding is found."},
        {{MethodKind::SvrgSbb,
          {"svrg-sbb", "SVRG-SBB_ε", "Variance-reduced gradients with the stabilized Barzilai–Borwein step."}},
         {MethodKind::SvrgSbb0,
          {"svrg-sbb0", "SVRG-SBB₀", "The same with ε = 0, the plain Barzilai–Borwein step: may explode."}},
         {MethodKind::Svrg, {"svrg", "SVRG", "Variance-reduced gradients with a fixed step."}},
         {MethodKind::Modular,
          {"modular", "SVRG-SBB_ε, modular", "Algorithm 2: SVRG-SBB_ε begun anew after every few epochs."}},
         {MethodKind::Sgd, {"sgd", "SGD", "Stochastic gradients with a falling step."}},
         {MethodKind::Batch, {"batch", "Gradient descent", "Whole gradients, steps by backtracking."}},
         {MethodKind::Lbfgs, {"lbfgs", "L-BFGS", "Whole gradients, quasi-Newton steps."}},
         {MethodKind::Convex,
          {"convex", "Convex",
           "On the Gram matrix, of which X has the p longest axes: projected gradients by epochs, or along λ solved to "
           "a duality gap and screened, or for many objects at a fixed rank."}}});
}

} // namespace

ModelSpec ProblemConfig::modelFor(std::int64_t dimensionCount, std::optional<ModelKind> kind) const {
    ModelSpec spec;
    spec.kind = kind.value_or(model);
    spec.mu = mu;
    spec.alpha = alpha.value_or(std::max<double>(1, static_cast<double>(dimensionCount) - 1));
    spec.margin = margin;
    return spec;
}

std::optional<ModelKind> LaneConfig::kind() const {
    switch (model) {
    case LaneModel::Gnmds: return ModelKind::Gnmds;
    case LaneModel::Ckl: return ModelKind::Ckl;
    case LaneModel::Ste: return ModelKind::Ste;
    case LaneModel::Tste: return ModelKind::Tste;
    case LaneModel::Soe: return ModelKind::Soe;
    case LaneModel::Problem: break;
    }
    return std::nullopt;
}

const FieldTable<ProblemConfig>& problemFields() {
    static const FieldTable<ProblemConfig> table = [] {
        FieldTable<ProblemConfig> t("problem", "Problem",
                                    "Put objects in a space so that their distances agree with comparisons.");
        addFileFields(t);
        addDropField(t);
        addSamplingFields(t);
        addModelFields(t);
        return t;
    }();
    return table;
}

const FieldTable<SolverConfig>& solverFields() {
    static const FieldTable<SolverConfig> table = [] {
        FieldTable<SolverConfig> t("solver", "Solver", "How the embedding is found; lanes may differ in all of it.");
        addMethods(t);
        t.real(&SolverConfig::step,
               {"step", "Step η₀", "", "Fixed step of SVRG, first step of SVRG-SBB and SGD, per comparison."},
               Range{0, 1e6, false, true});
        t.real(&SolverConfig::epsilon,
               {"epsilon", "ε", "", "Of SVRG-SBB_ε, whose step is at most 1/(mε); \"auto\": 20/m."},
               Range{0, 1e6, false}, "auto");
        t.relevantWhen("method", {"svrg-sbb", "modular"});
        t.integer(&SolverConfig::batch, {"batch", "Mini-batch b", "", "Comparisons drawn per inner step."},
                  Range{1, 1000000});
        t.relevantWhen("method", stochasticMethods());
        t.real(&SolverConfig::inner,
               {"inner", "Inner loop m/|Q|", "", "Comparisons drawn per epoch, over their number."}, Range{1e-3, 100});
        t.relevantWhen("method", stochasticMethods());
        t.advanced();
        t.real(&SolverConfig::decay, {"decay", "Decay", "", "SGD's step in epoch s is η₀/(1 + decay · s)."},
               Range::atLeast(0));
        t.relevantWhen("method", {"sgd"});
        t.integer(&SolverConfig::module, {"module", "Epochs per module", "", "Of the modular method, Algorithm 2."},
                  Range{1, 100000});
        t.relevantWhen("method", {"modular"});
        t.boolean(&SolverConfig::lazy,
                  {"lazy", "Lazy dense term", "",
                   "Rows take the whole gradient's share when they are next read: same iterates, steps of O(p)."});
        t.relevantWhen("method", stochasticMethods());
        t.advanced();
        t.boolean(
            &SolverConfig::rollback,
            {"rollback", "Roll back", "", "Undo an epoch that raised the objective, and halve the step from then on."});
        t.relevantWhen("method", {"svrg-sbb", "svrg-sbb0", "svrg", "modular"});
        t.integer(&SolverConfig::polish,
                  {"polish", "Polish after", "epochs", "From then on L-BFGS goes for the last digits."},
                  Range::atLeast(0), "never");
        t.integer(&SolverConfig::trials,
                  {"trials", "Trials", "", "Starts computed side by side; curves show medians and quartiles."},
                  Range{1, 1000});
        t.choice<StartKind>(
            &SolverConfig::start, {"start", "Start", "", "Where the first epoch begins."},
            {{StartKind::Random, {"random", "Random", "Normal coordinates, the same for all lanes of a seed."}},
             {StartKind::Convex,
              {"convex", "Convex solution",
               "The longest axes of the solution of the convex problem (see path.kind \"lambda\") at one λ."}}});
        t.real(&SolverConfig::startLambda,
               {"start_lambda", "λ of the start", "", "Where the convex problem is solved, over λ_max."},
               Range{0, 1, false, true});
        t.relevantWhen("start", {"convex"});
        t.integer(
            &SolverConfig::rank,
            {"rank", "Rank of G", "",
             "Of paths over λ and convex starts: keeps only a factor of the Gram matrix, with so many columns; its "
             "gap is a bound, mostly not within the tolerance (\"not proven\"), and nothing is screened. "
             "\"auto\": the whole matrix up to 2,000 objects, 32 (at least p) beyond."},
            Range{1, 20000}, "auto");
        t.advanced();
        t.real(&SolverConfig::spread,
               {"spread", "Spread of starts", "", "Standard deviation of the first coordinates."},
               Range{0, 1e6, false, true});
        t.relevantWhen("start", {"random"});
        t.advanced();
        triplets::addToleranceFields(t, {"method", "convex"});
        return t;
    }();
    return table;
}

const FieldTable<PathConfig>& pathFields() {
    static const FieldTable<PathConfig> table = [] {
        FieldTable<PathConfig> t("path", "Path", "How far the solver goes, or which dimensions are tried.");
        t.choice<PathKind>(
            &PathConfig::kind, {"kind", "Points of the path", "", "What is shown one after the other."},
            {{PathKind::Epochs, {"epochs", "Epochs", "The embedding after each epoch of the solver."}},
             {PathKind::Dimensions, {"dimensions", "Dimensions", "Cross-validated error for 1, 2, 3, … dimensions."}},
             {PathKind::Lambda,
              {"lambda", "λ", "The convex problem with a ridge, from large to small λ; lanes screen comparisons."}}});
        t.integer(&PathConfig::epochs,
                  {"epochs", "Epochs", "", "Of some three gradients per comparison each, whatever the method."},
                  Range{1, 1000000});
        t.real(&PathConfig::stopError,
               {"stop_error", "Stop at error", "",
                "The path ends once the median error on held-out comparisons (else on training ones) is this low."},
               Range::between(0, 1), "none");
        t.relevantWhen("kind", {"epochs"});
        t.integer(&PathConfig::maxDimensions, {"max_dimensions", "Most dimensions", "", "The last p that is tried."},
                  Range{1, 1000});
        t.relevantWhen("kind", {"dimensions"});
        t.integer(&PathConfig::folds, {"folds", "Folds", "", "Parts of the training comparisons, each left out once."},
                  Range{2, 100});
        t.relevantWhen("kind", {"dimensions"});
        triplets::addPathFields(t, {"kind", "lambda"}, {"kind", "lambda"});
        return t;
    }();
    return table;
}

const FieldTable<LaneConfig>& laneFields() {
    static const FieldTable<LaneConfig> table = [] {
        FieldTable<LaneConfig> t("lane", "Lane", "A model or a solver that is compared.");
        t.choice<LaneModel>(&LaneConfig::model, {"model", "Model", "", "The problem's model, or one of its own."},
                            {{LaneModel::Problem, {"problem", "As the problem", "The model of the problem section."}},
                             {LaneModel::Gnmds, {"GNMDS", "GNMDS", kGnmdsHelp}},
                             {LaneModel::Ckl, {"CKL", "CKL", kCklHelp}},
                             {LaneModel::Ste, {"STE", "STE", kSteHelp}},
                             {LaneModel::Tste, {"TSTE", "t-STE", kTsteHelp}},
                             {LaneModel::Soe, {"SOE", "SOE", kSoeHelp}}});
        triplets::addLaneFields(t, "comparison", false);
        return t;
    }();
    return table;
}

namespace {

Json defaultLanes() {
    return Json::array({{{"name", "SVRG"}, {"solver", {{"method", "svrg"}}}},
                        {{"name", "SVRG-SBB"}, {"solver", {{"method", "svrg-sbb"}}}},
                        {{"name", "batch"}, {"solver", {{"method", "batch"}}}}});
}

} // namespace

Family family() {
    return makeFamily<OrdinalConfig>(
        {"ordinal", "Ordinal embedding", "Puts objects in a space so that their distances agree with comparisons.",
         "Ma, Zeng, Xiong, Xu, Cao, Liu, Yao: Fast Stochastic Ordinal Embedding with Variance Reduction "
         "and Adaptive Step Size. IEEE TKDE 33(6), 2021."},
        {problemFields(), solverFields(), pathFields(), laneFields()}, defaultLanes(), crossCheck, prepare);
}

} // namespace lambdascope::ordinal
