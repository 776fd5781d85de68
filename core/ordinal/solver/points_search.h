// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/lbfgs.h"
#include "core/ordinal/problem/points.h"

#include <functional>
#include <utility>

namespace lambdascope::ordinal {

/// The value at x, n × p; `gradient` gets the gradient.
using PointsFunction = std::function<double(Eigen::Ref<const Points> x, Eigen::Ref<Points> gradient)>;

/// L-BFGS over the entries of such points.
inline Lbfgs searchFrom(const Points& start, PointsFunction function) {
    const Eigen::Index n = start.rows();
    const Eigen::Index p = start.cols();
    return {[n, p, function = std::move(function)](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
                gradient.resize(x.size());
                return function(Eigen::Map<const Points>(x.data(), n, p), Eigen::Map<Points>(gradient.data(), n, p));
            },
            Eigen::Map<const Eigen::VectorXd>(start.data(), start.size())};
}

/// Where a search of p columns is.
inline Points pointOf(const Lbfgs& search, Eigen::Index p) {
    return Eigen::Map<const Points>(search.point().data(), search.point().size() / p, p);
}

} // namespace lambdascope::ordinal
