// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/triplet_probe.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

Eigen::VectorXd difference(const TripletSet& triplets, RowIndex from, RowIndex to) {
    const Eigen::Index d = triplets.features();
    return (triplets.paddedRows().row(from).head(d) - triplets.paddedRows().row(to).head(d)).transpose();
}

double form(const Eigen::MatrixXd& q, const Eigen::VectorXd& v) {
    return isDiagonal(q) ? q.col(0).dot(v.cwiseAbs2()) : v.dot(q * v);
}

Failure badTriplet(std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::BadUsage, {{}, std::move(message), std::move(remedy), {}})};
}

} // namespace

TripletProbe::TripletProbe(const TripletSet& triplets, TripletIndex number)
    : m_triplet(triplets.triplet(number)), m_structure(triplets.structure()),
      m_a(difference(triplets, m_triplet.anchor, m_triplet.other)),
      m_b(difference(triplets, m_triplet.anchor, m_triplet.same)) {}

std::string TripletProbe::title() const {
    return "triplet (" + std::to_string(m_triplet.anchor) + ", " + std::to_string(m_triplet.same) + ", " +
           std::to_string(m_triplet.other) + ")";
}

Bounded TripletProbe::margin(const Eigen::MatrixXd& q, double centreError) const {
    const double lengths = squaredOther() + squaredSame();
    // aᵀQa: 2d + 2 roundings, and a itself is rounded once per entry.
    const double factor = roundingFactor(2 * static_cast<double>(m_a.size()) + 8);
    return {form(q, m_a) - form(q, m_b), (factor * q.norm() + centreError) * lengths * (1 + 16 * kUnitRoundoff)};
}

Eigen::MatrixXd TripletProbe::matrix() const {
    if (m_structure == Structure::Diagonal) {
        return m_a.cwiseAbs2() - m_b.cwiseAbs2();
    }
    return m_a * m_a.transpose() - m_b * m_b.transpose();
}

Bounded TripletProbe::norm() const {
    const double a = squaredOther();
    const double b = squaredSame();
    const double factor = roundingFactor(4 * static_cast<double>(m_a.size()) + 16);
    if (m_structure == Structure::Diagonal) {
        return {(m_a.cwiseAbs2() - m_b.cwiseAbs2()).norm(), factor * (a + b)};
    }
    const double product = m_a.dot(m_b);
    const double squared = (a - b) * (a - b) + 2 * std::max(a * b - product * product, 0.0);
    return squareRoot({squared, factor * (a + b) * (a + b)});
}

Result<TripletIndex> findTriplet(const TripletSet& triplets, const Triplet& wanted) {
    for (const RowIndex row : {wanted.anchor, wanted.same, wanted.other}) {
        if (row < 0 || row >= triplets.rows()) {
            return badTriplet("there is no row " + std::to_string(row),
                              "Rows go from 0 to " + std::to_string(triplets.rows() - 1) + ".");
        }
    }
    const RowIndex i = wanted.anchor;
    std::int64_t same = -1;
    std::int64_t other = -1;
    for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
        same = triplets.partner(triplets.samePair(s), i) == wanted.same ? s - triplets.sameOffset(i) : same;
    }
    for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o) {
        other = triplets.partner(triplets.otherPair(o), i) == wanted.other ? o - triplets.otherOffset(i) : other;
    }
    const auto missing = [i](RowIndex row, const char* kind) {
        return badTriplet("row " + std::to_string(row) + " is none of the " + kind + " neighbours of row " +
                              std::to_string(i),
                          "A triplet is anchor, same-class neighbour, other-class neighbour; pick one of the list.");
    };
    if (same < 0) {
        return missing(wanted.same, "same-class");
    }
    if (other < 0) {
        return missing(wanted.other, "other-class");
    }
    return triplets.tripletOffset(i) + same * triplets.otherCount(i) + other;
}

Result<Triplet> readTriplet(const std::string& text) {
    std::vector<std::int64_t> rows;
    std::string digits;
    bool isGood = true;
    const auto finishNumber = [&] {
        if (!digits.empty()) {
            const auto number = parseInteger(digits);
            isGood = isGood && number && *number <= std::numeric_limits<RowIndex>::max();
            rows.push_back(number.value_or(0));
            digits.clear();
        }
    };
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            digits += c;
        } else {
            finishNumber();
            isGood = isGood && std::string(" \t,;/()").find(c) != std::string::npos;
        }
    }
    finishNumber();
    if (!isGood || rows.size() != 3) {
        return badTriplet("\"" + text + "\" is no triplet", "Write three row numbers, as in 4, 9, 71.");
    }
    return Triplet{static_cast<RowIndex>(rows[0]), static_cast<RowIndex>(rows[1]), static_cast<RowIndex>(rows[2])};
}

} // namespace lambdascope::metric
