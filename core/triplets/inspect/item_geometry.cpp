// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/item_geometry.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

Eigen::VectorXd difference(const PairTable& table, const RowPair& rows) {
    const Eigen::Index d = table.features();
    return (table.paddedRows().row(rows.a).head(d) - table.paddedRows().row(rows.b).head(d)).transpose();
}

double form(const Eigen::MatrixXd& q, const Eigen::VectorXd& v) {
    return isDiagonal(q) ? q.col(0).dot(v.cwiseAbs2()) : v.dot(q * v);
}

} // namespace

ItemGeometry::ItemGeometry(const ProblemItems& items, TripletIndex number)
    : m_items(items), m_number(number), m_item(items.at(number)), m_structure(items.table().structure()),
      m_a(difference(items.table(), items.rows(m_item.far))), m_b(difference(items.table(), items.rows(m_item.near))) {}

Bounded ItemGeometry::margin(const Eigen::MatrixXd& q, double centreError) const {
    const double lengths = squaredFar() + squaredNear();
    // aᵀQa: 2d + 2 roundings, and a itself is rounded once per entry.
    const double factor = roundingFactor(2 * static_cast<double>(m_a.size()) + 8);
    return {form(q, m_a) - form(q, m_b), (factor * q.norm() + centreError) * lengths * (1 + 16 * kUnitRoundoff)};
}

Eigen::MatrixXd ItemGeometry::matrix() const {
    if (m_structure == Structure::Diagonal) {
        return m_a.cwiseAbs2() - m_b.cwiseAbs2();
    }
    return m_a * m_a.transpose() - m_b * m_b.transpose();
}

Bounded ItemGeometry::norm() const {
    const double a = squaredFar();
    const double b = squaredNear();
    const double factor = roundingFactor(4 * static_cast<double>(m_a.size()) + 16);
    if (m_structure == Structure::Diagonal) {
        return {(m_a.cwiseAbs2() - m_b.cwiseAbs2()).norm(), factor * (a + b)};
    }
    const double product = m_a.dot(m_b);
    const double squared = (a - b) * (a - b) + 2 * std::max(a * b - product * product, 0.0);
    return squareRoot({squared, factor * (a + b) * (a + b)});
}

} // namespace lambdascope::triplets
