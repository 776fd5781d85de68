// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/triplets/small_comparisons.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/engines/linear_term.h"
#include "core/triplets/solver/lambda_max_solution.h"

#include <stdexcept>

namespace lambdascope::triplets {

std::vector<FormMix> formMixes() {
    return {
        {.name = "triplets", .hasTriplets = true},
        {.name = "quadruplets", .hasQuadruplets = true},
        {.name = "bounds", .hasBounds = true},
        {.name = "weighted_triplets", .hasTriplets = true, .hasWeights = true},
        {.name = "linear_term", .hasTriplets = true, .linear = 0.3},
        {.name = "all_forms",
         .hasTriplets = true,
         .hasQuadruplets = true,
         .hasBounds = true,
         .hasWeights = true,
         .linear = 0.1},
    };
}

namespace {

constexpr int kOfEachForm = 40;

/// Draws pairs of rows that the labels say are close or far.
class Drawer {
  public:
    Drawer(const Dataset& data, RandomStream& random) : m_data(data), m_random(random) {}

    RowIndex row() { return static_cast<RowIndex>(m_random.below(static_cast<std::size_t>(m_data.rows()))); }

    /// A pair of one class or of two.
    RowPair pair(bool isSame) {
        while (true) {
            const RowPair drawn{row(), row()};
            if (drawn.a != drawn.b && (label(drawn.a) == label(drawn.b)) == isSame) {
                return drawn;
            }
        }
    }
    /// One time in ten the labels lie.
    bool truth() { return m_random.uniform() < 0.9; }

    Comparison triplet() {
        const bool isTrue = truth();
        while (true) {
            const RowPair near = pair(isTrue);
            const RowPair far = pair(!isTrue);
            if (far.b != near.a && label(near.a) == label(far.a)) {
                return {RowPair{near.a, far.b}, near};
            }
        }
    }
    Comparison quadruplet() {
        const bool isTrue = truth();
        return {pair(!isTrue), pair(isTrue)};
    }
    Comparison bound() {
        const bool isTrue = truth();
        if (m_random.uniform() < 0.5) {
            return {std::nullopt, pair(isTrue), -m_random.uniform(0, 0.8)};
        }
        return {pair(!isTrue), std::nullopt, m_random.uniform(0.6, 3)};
    }

  private:
    [[nodiscard]] std::int32_t label(RowIndex row) const { return m_data.labels()[static_cast<std::size_t>(row)]; }

    const Dataset& m_data;
    RandomStream& m_random;
};

bool isProper(const Comparison& c) {
    return !(c.far && c.near &&
             ((c.far->a == c.near->a && c.far->b == c.near->b) || (c.far->a == c.near->b && c.far->b == c.near->a)));
}

} // namespace

ComparisonList randomList(const Dataset& data, const FormMix& mix, std::uint64_t seed) {
    RandomStream random(seed, "comparisons " + mix.name);
    Drawer draw(data, random);
    ComparisonList list;
    const auto add = [&](Comparison comparison) {
        if (!isProper(comparison)) {
            return;
        }
        if (mix.hasWeights) {
            comparison.weight = std::pow(10.0, random.uniform(-1, 1));
        }
        list.comparisons.push_back(comparison);
        if (mix.hasWeights && random.uniform() < 0.1) {
            list.comparisons.push_back(comparison);
        }
        if (mix.hasWeights && comparison.far && comparison.near && random.uniform() < 0.05) {
            std::swap(comparison.far, comparison.near);
            list.comparisons.push_back(comparison);
        }
    };
    for (int i = 0; i < kOfEachForm; ++i) {
        if (mix.hasTriplets) {
            add(draw.triplet());
        }
        if (mix.hasQuadruplets) {
            add(draw.quadruplet());
        }
        if (mix.hasBounds) {
            add(draw.bound());
        }
        if (mix.linear > 0) {
            list.targets.push_back({draw.pair(true), mix.hasWeights ? random.uniform(0.5, 2) : 1.0});
        }
    }
    return list;
}

std::string fileText(const ComparisonList& list) {
    const auto words = [](const RowPair& pair) { return " " + std::to_string(pair.a) + " " + std::to_string(pair.b); };
    std::string text = "base 0\n";
    for (const Comparison& c : list.comparisons) {
        if (c.far && c.near) {
            text += "quadruplet" + words(*c.near) + words(*c.far);
        } else if (c.far) {
            text += "dissimilar" + words(*c.far) + " " + exactText(c.threshold);
        } else {
            text += "similar" + words(*c.near) + " " + exactText(-c.threshold);
        }
        text += " " + exactText(c.weight) + "\n";
    }
    for (const TargetPair& target : list.targets) {
        text += "target" + words(target.rows) + " " + exactText(target.weight) + "\n";
    }
    return text;
}

namespace {

ComparisonSet randomSet(const SmallShape& shape, const FormMix& mix, std::uint64_t seed) {
    const auto data = smallData(shape, seed);
    auto set = ComparisonSet::build(data->dense(), randomList(*data, mix, seed), {}, shape.structure);
    if (!set) {
        throw std::logic_error(set.error().describe());
    }
    return std::move(set).value();
}

} // namespace

GeneralProblem::GeneralProblem(const SmallShape& shape, const FormMix& mix, std::uint64_t seed)
    : set(randomSet(shape, mix, seed)) {
    if (mix.linear > 0) {
        StopCheck never;
        linear = linearTerm(set, set.targetWeights(), mix.linear, never);
    }
}

std::unique_ptr<Engine> GeneralProblem::engine() const {
    auto plain = std::make_unique<ComparisonEngine>(set);
    if (linear.size() == 0) {
        return plain;
    }
    return std::make_unique<LinearTermEngine>(std::move(plain), linear);
}

LambdaMaxSolution GeneralProblem::top(double gamma) const {
    StopCheck never;
    return comparisonLambdaMax(set, linear, gamma, never);
}

SolvedPoint GeneralProblem::start(double gamma) const {
    StopCheck never;
    const LambdaMaxSolution lambdaMaxSolution = top(gamma);
    const auto plain = engine();
    return topPoint(lambdaMaxSolution, lambdaMaxSolution.lambdaMax, gamma, *plain, never);
}

PointOutcome GeneralProblem::solveTightly(double lambda, double gamma, double tolerance) const {
    const auto whole = engine();
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    PointSettings settings;
    settings.gamma = gamma;
    settings.tolerance = tolerance;
    settings.maxIterations = gamma > 0 ? 100000 : 20000;
    PointSolver solver(*whole, {}, settings);
    return solver.solve(lambda, start(gamma), 0, context);
}

namespace {

using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

LongVector difference(const ComparisonSet& set, PairIndex pair) {
    const Eigen::Index d = set.features();
    if (pair == set.noPair()) {
        return LongVector::Zero(d);
    }
    return (set.paddedRows().row(set.first(pair)).head(d).cast<long double>() -
            set.paddedRows().row(set.second(pair)).head(d).cast<long double>())
        .transpose();
}

} // namespace

double GeneralProblem::margin(TripletIndex item, const Eigen::MatrixXd& q) const {
    const auto at = static_cast<std::size_t>(item);
    const LongVector a = difference(set, set.items().far[at]);
    const LongVector b = difference(set, set.items().near[at]);
    const Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> form = q.cast<long double>();
    if (isDiagonal(q)) {
        return static_cast<double>((form.array() * (a.array().square() - b.array().square())).sum());
    }
    return static_cast<double>(a.dot(form * a) - b.dot(form * b));
}

Eigen::MatrixXd GeneralProblem::matrixOf(TripletIndex item) const {
    const auto at = static_cast<std::size_t>(item);
    const LongVector a = difference(set, set.items().far[at]);
    const LongVector b = difference(set, set.items().near[at]);
    if (set.structure() == Structure::Diagonal) {
        return (a.array().square() - b.array().square()).matrix().cast<double>();
    }
    return (a * a.transpose() - b * b.transpose()).cast<double>();
}

GeneralProblem solvableProblem(const SmallShape& shape, const FormMix& mix, std::uint64_t seed) {
    while (true) {
        GeneralProblem problem(shape, mix, seed);
        if (problem.top(0.05).lambdaMax > 0) {
            return problem;
        }
        seed += 1000;
    }
}

MetricPoint pointFor(const PairTable& table, std::uint64_t seed) {
    const Eigen::Index d = table.features();
    RandomStream random(seed, "point");
    Eigen::MatrixXd drawn(d, d);
    for (double& entry : drawn.reshaped()) {
        entry = random.normal();
    }
    const Eigen::MatrixXd square = table.structure() == Structure::Diagonal
                                       ? Eigen::MatrixXd(drawn.col(0).array().square())
                                       : Eigen::MatrixXd(drawn * drawn.transpose());
    return MetricPoint::fromSplit(
        splitByCone(square * (6 / (square.norm() * table.largestNorm() * table.largestNorm()))));
}

ComparisonList randomAnswers(RowIndex objects, int count, std::uint64_t seed) {
    RandomStream random(seed, "answers");
    const auto object = [&] { return static_cast<RowIndex>(random.below(static_cast<std::size_t>(objects))); };
    ComparisonList list;
    while (static_cast<int>(list.comparisons.size()) < count) {
        const RowPair near{object(), object()};
        const RowPair far{random.uniform() < 0.6 ? near.a : object(), object()};
        const bool isSame = (near.a == far.a && near.b == far.b) || (near.a == far.b && near.b == far.a);
        if (near.a == near.b || far.a == far.b || isSame) {
            continue;
        }
        Comparison c;
        c.far = far;
        c.near = near;
        c.threshold = 0.8;
        c.weight = random.uniform() < 0.5 ? 1 : 3 * (1 - random.uniform());
        list.comparisons.push_back(c);
        if (random.uniform() < 0.1) {
            std::swap(c.far, c.near);
            list.comparisons.push_back(c);
        }
    }
    return list;
}

GeneralProblem problemOfObjects(RowIndex objects, std::uint64_t seed) {
    while (true) {
        GeneralProblem found(*ComparisonSet::ofObjects(objects, randomAnswers(objects, 12 * objects, seed)));
        if (found.top(0.05).lambdaMax > 0) {
            return found;
        }
        seed += 1000;
    }
}

ComparisonList listOf(const TripletSet& triplets) {
    ComparisonList list;
    for (TripletIndex t = 0; t < triplets.triplets(); ++t) {
        const Triplet at = triplets.triplet(t);
        list.comparisons.push_back({RowPair{at.anchor, at.other}, RowPair{at.anchor, at.same}});
    }
    return list;
}

} // namespace lambdascope::triplets
