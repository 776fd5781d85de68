// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/field_table.h"
#include "core/triplets/problem/path_config.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

/// The fields of configurations that are a PathConfig, a LaneConfig or a SolverConfig besides what else they are, and
/// the rules between them.
namespace lambdascope::triplets {

/// A field of the same section and the value of it that makes others relevant; the key is empty where they always are.
struct RelevantWhen {
    std::string key;
    std::string value;

    /// Of the field that was added last.
    template <class Config>
    void operator()(FieldTable<Config>& t) const {
        if (!key.empty()) {
            t.relevantWhen(key, {value});
        }
    }
};

/// start, ratio, stop, min_lambda and max_points; `ofRatio` is what makes the ratio relevant.
template <class Config>
void addPathFields(FieldTable<Config>& t, const RelevantWhen& limit, const RelevantWhen& ofRatio) {
    t.real(&Config::start,
           {"start", "First λ", "",
            "\"lambda-max\" is the smallest λ whose solution is known in closed form; or a number."},
           Range{0, std::numeric_limits<double>::infinity(), false, false}, "lambda-max");
    limit(t);
    t.real(&Config::ratio, {"ratio", "Ratio", "", "Each λ is this times the one before."},
           Range::strictlyBetween(0, 1));
    ofRatio(t);
    t.real(&Config::stop,
           {"stop", "Stop below", "",
            "The path ends when the loss falls by less than this share per share of λ; 0 for never."},
           Range{0, 1, true, false});
    limit(t);
    t.real(&Config::minLambda, {"min_lambda", "Smallest λ", "", "The path ends before it; 0 for no limit."},
           Range::atLeast(0));
    limit(t);
    t.advanced();
    t.template integer<std::int64_t>(&Config::maxPoints,
                                     {"max_points", "Most points", "", "The path ends after so many values of λ."},
                                     Range{1, 100000});
    limit(t);
    t.advanced();
}

/// bounds, rule, schedule, every, range and oracle. `item` is what is screened: "triplet". The rule "analytic" is only
/// there where M may be diagonal.
template <class Config>
void addLaneFields(FieldTable<Config>& t, const std::string& item, bool mayBeDiagonal) {
    t.template choices<BoundKind>(
        &Config::bounds,
        {"bounds", "Bounds", "",
         "Balls that hold the optimum; a " + item +
             " goes when any of them decides it. None: the baseline without screening."},
        {{BoundKind::Gradient, {"GB", "GB", "Gradient bound."}},
         {BoundKind::ProjectedGradient, {"PGB", "PGB", "Projected gradient bound."}},
         {BoundKind::DualityGap, {"DGB", "DGB", "Duality gap bound."}},
         {BoundKind::ConstrainedDualityGap,
          {"CDGB", "CDGB", "Constrained duality gap bound; costs an evaluation per screening."}},
         {BoundKind::MidpointGap, {"MGB", "MGB", "Midpoint gap bound: half-way between M and M(α)."}},
         {BoundKind::RelaxedPath, {"RRPB", "RRPB", "Relaxed regularization path bound."}},
         {BoundKind::Path,
          {"RPB", "RPB (unsafe)",
           "Regularization path bound. Unsafe: takes the last solution for the exact optimum, so a decision may be "
           "wrong; for comparison only."}}});
    std::vector<EnumChoice<RuleKind>> rules = {
        {RuleKind::Sphere, {"sphere", "Sphere", "Over the whole ball, in closed form."}},
        {RuleKind::Linear,
         {"linear", "Linear constraint",
          "Over the part of the ball on one side of a plane through M = 0; in closed form."}},
        {RuleKind::Semidefinite,
         {"semidefinite", "Semidefinite constraint",
          "Over the positive semidefinite matrices of the ball, by dual ascent; strongest and dearest."}}};
    if (mayBeDiagonal) {
        rules.push_back({RuleKind::Analytic,
                         {"analytic", "Nonnegative weights, analytic",
                          "For a diagonal M: over the weights ≥ 0 of the ball, in closed form; decides what "
                          "\"semidefinite\" decides."}});
    }
    t.template choice<RuleKind>(&Config::rule, {"rule", "Rule", "", "How a ball decides " + item + "s."},
                                std::move(rules));
    t.relevantWhen("bounds", wordsOf(t.schema(), "bounds"));
    t.template choice<ScheduleKind>(
        &Config::schedule,
        {"schedule", "Screen", "", "When " + item + "s are screened, at a new λ and while it is solved."},
        {{ScheduleKind::Auto,
          {"auto", "Where it pays", "When counted work says that a screening saves more than it takes."}},
         {ScheduleKind::Every,
          {"every", "Every so many iterations", "At every λ on arrival, and then at a fixed distance."}}});
    t.relevantWhen("bounds", wordsOf(t.schema(), "bounds"));
    t.template integer<std::int64_t>(
        &Config::every, {"every", "Screen every", "iterations", "Distance between two screenings while solving."},
        Range::atLeast(1));
    t.relevantWhen("schedule", {"every"});
    t.boolean(&Config::range, {"range", "Reuse λ ranges", "",
                               "Keeps, for each " + item +
                                   " that MGB or, in lanes without it, RRPB screens, how far down the path that "
                                   "holds, and does not judge it again before. (Screening where it pays, the schedule "
                                   "auto, keeps decisions for several λ by itself, at less cost.)"});
    t.relevantWhen("schedule", {"every"});
    t.text(&Config::oracle,
           {"oracle", "Knows the sets of", "",
            "Name of an earlier lane: what its solution at each λ proves is known here from the start, at no cost. "
            "The limit of what screening can save; no rule has such knowledge."});
    t.advanced();
}

/// tolerance, tolerance_kind and max_iterations.
template <class Config>
void addToleranceFields(FieldTable<Config>& t, const RelevantWhen& limit = {}) {
    t.real(&Config::tolerance, {"tolerance", "Tolerance", "", "Duality gap at which a point is solved."},
           Range{0, 1, false, true});
    limit(t);
    t.template choice<ToleranceKind>(
        &Config::toleranceKind, {"tolerance_kind", "Tolerance is", "", "What the tolerance is compared with."},
        {{ToleranceKind::Relative, {"relative", "Relative", "gap ≤ tolerance · max(1, |primal|)."}},
         {ToleranceKind::Absolute, {"absolute", "Absolute", "gap ≤ tolerance."}}});
    limit(t);
    t.template integer<std::int64_t>(
        &Config::maxIterations,
        {"max_iterations", "Iteration limit", "iterations", "Per path point; the best solution so far is kept."},
        Range::atLeast(1));
    limit(t);
    t.advanced();
}

/// Appends what keeps a path from having points, or an end.
void checkPath(const PathConfig& path, std::vector<Fault>& faults);

/// Appends a fault when a lane keeps λ ranges without a bound that has them; `key` is the lane's.
void checkRange(const LaneConfig& lane, const std::string& key, std::vector<Fault>& faults);

} // namespace lambdascope::triplets
