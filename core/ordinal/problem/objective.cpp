// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/objective.h"

#include <limits>

namespace lambdascope::ordinal {

namespace {

/// Comparisons between two questions to the stop check.
constexpr std::int64_t kComparisonsPerBlock = 4096;

template <int P>
double squaredDistance(const double* a, const double* b, Eigen::Index p) {
    double sum = 0;
    const Eigen::Index count = P > 0 ? P : p;
    for (Eigen::Index d = 0; d < count; ++d) {
        const double difference = a[d] - b[d];
        sum += difference * difference;
    }
    return sum;
}

/// row += factor · (a − b), otherRow −= the same.
template <int P>
void addDifference(double factor, const double* a, const double* b, double* row, double* otherRow, Eigen::Index p) {
    const Eigen::Index count = P > 0 ? P : p;
    for (Eigen::Index d = 0; d < count; ++d) {
        const double step = factor * (a[d] - b[d]);
        row[d] += step;
        otherRow[d] -= step;
    }
}

template <class Loss, int P>
ObjectiveValue evaluateWith(const ComparisonSet& set, const Loss& loss, const Points& x, Points* gradient,
                            std::vector<Slopes>* slopes, StopCheck& stopCheck) {
    const Eigen::Index p = x.cols();
    const std::int64_t count = set.size();
    // Scaled before they are summed: sums of losses of far-flung points may overflow where their mean does not.
    const double share = 1 / static_cast<double>(count);
    ObjectiveValue result;
    if (gradient != nullptr) {
        gradient->setZero(x.rows(), p);
    }
    if (slopes != nullptr) {
        slopes->resize(static_cast<std::size_t>(count));
    }
    for (std::int64_t q = 0; q < count; ++q) {
        if (q % kComparisonsPerBlock == 0 && stopCheck.spend(kComparisonsPerBlock * (8 * p + 40))) {
            return result;
        }
        const auto at = static_cast<std::size_t>(q);
        const Comparison& c = set.items()[at];
        const double* xi = x.data() + c.i * p;
        const double* xj = x.data() + c.j * p;
        const double* xl = x.data() + c.l * p;
        const double* xk = x.data() + c.k * p;
        const double near = squaredDistance<P>(xi, xj, p);
        const double far = squaredDistance<P>(xl, xk, p);
        const double weight = share * set.relativeWeight(at);
        result.error += near < far ? 0 : weight;
        if (gradient == nullptr) {
            result.loss += weight * loss.value(near, far);
            continue;
        }
        const auto [value, slope] = loss.at(near, far);
        result.loss += weight * value;
        if (slopes != nullptr) {
            (*slopes)[at] = slope;
        }
        // ∂d²(a,b)/∂x_a = 2 (x_a − x_b).
        double* g = gradient->data();
        addDifference<P>(2 * weight * slope.near, xi, xj, g + c.i * p, g + c.j * p, p);
        addDifference<P>(2 * weight * slope.far, xl, xk, g + c.l * p, g + c.k * p, p);
    }
    return result;
}

} // namespace

ObjectiveValue Objective::evaluate(const Points& x, Points* gradient, std::vector<Slopes>* slopes,
                                   StopCheck& stopCheck) const {
    return withLoss(m_model, [&](const auto& loss) {
        return withDimension(x.cols(), [&](auto dimension) {
            return evaluateWith<std::decay_t<decltype(loss)>, decltype(dimension)::value>(*m_set, loss, x, gradient,
                                                                                          slopes, stopCheck);
        });
    });
}

double violatedShare(const ComparisonSet& set, const Points& x, StopCheck& stopCheck) {
    if (set.size() == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const Eigen::Index p = x.cols();
    double violated = 0;
    for (std::int64_t q = 0; q < set.size() && !stopCheck.isStopped(); ++q) {
        const auto at = static_cast<std::size_t>(q);
        const Comparison& c = set.items()[at];
        const double near = squaredDistance<0>(x.data() + c.i * p, x.data() + c.j * p, p);
        const double far = squaredDistance<0>(x.data() + c.l * p, x.data() + c.k * p, p);
        violated += near < far ? 0 : set.relativeWeight(at);
        stopCheck.spend(4 * p + 10);
    }
    return violated / static_cast<double>(set.size());
}

} // namespace lambdascope::ordinal
