// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ordinal/small_sets.h"

#include "core/common/random_stream.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::ordinal {

Points randomPoints(Eigen::Index n, Eigen::Index p, double scale, std::uint64_t seed) {
    RandomStream random(seed, "points");
    Points x(n, p);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = scale * random.normal();
    }
    return x;
}

ComparisonSet randomComparisons(const Points& truth, std::int64_t count, std::uint64_t seed, bool isWeighted,
                                bool hasQuadruplets) {
    RandomStream random(seed, "comparisons");
    const auto n = static_cast<std::size_t>(truth.rows());
    WeightedComparisons drawn;
    while (static_cast<std::int64_t>(drawn.size()) < count) {
        Comparison c;
        c.i = static_cast<ObjectIndex>(random.below(n));
        c.j = static_cast<ObjectIndex>(random.below(n));
        c.l = hasQuadruplets && drawn.size() % 2 == 1 ? static_cast<ObjectIndex>(random.below(n)) : c.i;
        c.k = static_cast<ObjectIndex>(random.below(n));
        const bool isSame = (c.i == c.l && c.j == c.k) || (c.i == c.k && c.j == c.l);
        if (c.i == c.j || c.l == c.k || isSame) {
            continue;
        }
        const double near = (truth.row(c.i) - truth.row(c.j)).squaredNorm();
        const double far = (truth.row(c.l) - truth.row(c.k)).squaredNorm();
        drawn.add(near < far ? c : reversed(c), isWeighted ? 3 * (1 - random.uniform()) : 1);
    }
    return ComparisonSet(std::move(drawn), static_cast<ObjectIndex>(n));
}

double lossByDefinition(const ComparisonSet& set, const ModelSpec& model, const Points& x) {
    long double sum = 0;
    long double weights = 0;
    for (std::size_t q = 0; q < set.items().size(); ++q) {
        const Comparison& c = set.items()[q];
        const long double n = (x.row(c.i) - x.row(c.j)).squaredNorm();
        const long double f = (x.row(c.l) - x.row(c.k)).squaredNorm();
        const auto kernel = [&](long double d) { return std::pow(1 + d / model.alpha, -(model.alpha + 1) / 2); };
        long double loss = 0;
        switch (model.kind) {
        case ModelKind::Gnmds: loss = std::max(0.0L, model.margin + n - f); break;
        case ModelKind::Ckl: loss = -std::log((f + model.mu) / (n + f + 2 * model.mu)); break;
        case ModelKind::Ste: loss = -std::log(std::exp(-n) / (std::exp(-n) + std::exp(-f))); break;
        case ModelKind::Tste: loss = -std::log(kernel(n) / (kernel(n) + kernel(f))); break;
        case ModelKind::Soe: {
            const long double lack = std::max(0.0L, model.margin + std::sqrt(n) - std::sqrt(f));
            loss = lack * lack;
            break;
        }
        }
        sum += set.relativeWeight(q) * loss;
        weights += set.relativeWeight(q);
    }
    return static_cast<double>(sum / weights);
}

} // namespace lambdascope::ordinal
