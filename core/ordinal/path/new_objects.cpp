// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/new_objects.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/numeric/blas_library.h"
#include "core/ordinal/path/comparison_file.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/solver/placement.h"
#include "core/ordinal/solver/trial.h"

#include <map>

namespace lambdascope::ordinal {

namespace {

/// The embedding with the least loss among the lane's trials, as the run itself shows it.
Result<Points> embeddingOf(const Objective& objective, const SolverConfig& solver, const std::optional<Points>& start,
                           Eigen::Index dimensions, std::uint64_t seed, std::int32_t epoch,
                           const ProgressFunction& progress, StopCheck& stopCheck) {
    const double steps = static_cast<double>(solver.trials) * (epoch + 1);
    double done = 0;
    std::optional<EmbeddingState> best;
    for (std::int64_t number = 0; number < solver.trials; ++number) {
        Trial trial(solver, objective, dimensions, seed, number);
        if (start) {
            trial.startAt(*start, 0);
        }
        for (std::int32_t passed = 0; passed <= epoch; ++passed) {
            trial.advance(stopCheck);
            if (stopCheck.isStopped()) {
                return Failure{plainError(ErrorCode::Stopped, "stopped while computing the embedding again")};
            }
            done += 1;
            if (progress) {
                progress(done / steps, "computing the embedding again");
            }
        }
        if (!best || trial.state().value.loss < best->value.loss) {
            best = trial.state();
        }
    }
    return best->x;
}

/// The answers of every new object, with n for its own id.
using AnswersByObject = std::map<ObjectIndex, WeightedComparisons>;

std::string idsOf(const Comparison& c, int base) {
    const auto id = [base](ObjectIndex object) { return std::to_string(object + base); };
    return c.isTriplet() ? "(" + id(c.i) + "; " + id(c.j) + ", " + id(c.k) + ")"
                         : "(" + id(c.i) + ", " + id(c.j) + "; " + id(c.l) + ", " + id(c.k) + ")";
}

Result<AnswersByObject> byObject(const ReadComparisons& read, ObjectIndex n, const std::string& file) {
    AnswersByObject answers;
    std::int64_t misplaced = 0;
    std::string example;
    for (std::size_t q = 0; q < read.comparisons.size(); ++q) {
        Comparison c = read.comparisons.items[q];
        ObjectIndex fresh = -1;
        bool isOne = true;
        for (const ObjectIndex object : {c.i, c.j, c.l, c.k}) {
            if (object >= n) {
                isOne = isOne && (fresh < 0 || fresh == object);
                fresh = object;
            }
        }
        if (fresh < 0 || !isOne) {
            example = misplaced++ == 0
                          ? idsOf(c, read.base) + (fresh < 0 ? " speaks of none" : " speaks of more than one")
                          : example;
            continue;
        }
        for (ObjectIndex* object : {&c.i, &c.j, &c.l, &c.k}) {
            *object = std::min(*object, n);
        }
        answers[fresh].add(c, read.comparisons.weight(q));
    }
    if (answers.empty() && misplaced == 0) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {{}, file + " holds no answer about a new object", "Give some.", {}})};
    }
    if (misplaced > 0) {
        const std::string last = std::to_string(n - 1 + read.base);
        return Failure{singleFault(
            ErrorCode::InvalidData,
            {{},
             file + ": every answer must speak of exactly one new object, but " + example +
                 (misplaced > 1 ? ", and " + groupedText(misplaced - 1) + " more are wrong in this way" : ""),
             "The objects of the run have the ids " + std::to_string(read.base) + " to " + last +
                 "; give new ones higher ids, and keep only answers about them.",
             {}})};
    }
    return answers;
}

} // namespace

Result<PlacedObjects> placeNewObjects(const PreparedOrdinal& prepared, const Lane& lane, std::int32_t epoch,
                                      const std::filesystem::path& answers, const ProgressFunction& progress,
                                      std::stop_token stop) {
    if (prepared.path().kind != PathKind::Epochs) {
        const std::string kind = prepared.path().kind == PathKind::Dimensions ? "of dimensions" : "over λ";
        return Failure{
            singleFault(ErrorCode::BadUsage, {{},
                                              "a path " + kind + " keeps no embedding that objects could be placed in",
                                              "Run the experiment with path.kind \"epochs\".",
                                              {}})};
    }
    pinBlasToOneThread();
    const Json& facts = prepared.facts();
    const bool isQuadruplets = facts.contains("layout") ? facts["layout"] == "i j l k"
                                                        : prepared.config().form == ComparisonLayout::Quadruplets;
    const IdBase base = facts.value("ids_from", 1) == 0 ? IdBase::Zero : IdBase::One;
    const auto read =
        readComparisons(answers, isQuadruplets ? ComparisonLayout::Quadruplets : ComparisonLayout::Triplets, base, 0,
                        prepared.config().dropSelf, progress, stop);
    if (!read) {
        return Failure{read.error()};
    }
    const auto grouped = byObject(*read, prepared.train().objects(), answers.filename().string());
    if (!grouped) {
        return Failure{grouped.error()};
    }
    const ModelSpec model = prepared.config().modelFor(prepared.config().dimensions, lane.settings.kind());
    const Objective objective(prepared.train(), model);
    StopCheck stopCheck([stop] { return stop.stop_requested(); });
    const Eigen::Index dimensions = prepared.config().dimensions;
    std::optional<Points> start;
    if (lane.solver.start == StartKind::Convex) {
        start = prepared.convexStart(lane.solver, 1, stop);
        if (!start) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while computing the embedding again")};
        }
    }
    const auto x = embeddingOf(objective, lane.solver, start, dimensions, prepared.seed(), epoch, progress, stopCheck);
    if (!x) {
        return Failure{x.error()};
    }
    PlacedObjects placed;
    placed.where = "lane " + lane.name + " after epoch " + std::to_string(epoch);
    for (const auto& [object, own] : *grouped) {
        const Placement at = placeObject(*x, own, model, stopCheck);
        if (stopCheck.ask()) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while placing objects")};
        }
        placed.objects.push_back({std::to_string(object + read->base),
                                  {at.point.data(), at.point.data() + at.point.size()},
                                  static_cast<std::int64_t>(own.size()),
                                  at.loss,
                                  at.error});
    }
    return placed;
}

} // namespace lambdascope::ordinal
