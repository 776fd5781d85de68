// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstdint>

namespace lambdascope {

/// A look at samples in rows, dense or sparse; what it looks at must outlive it.
class FeatureRows {
  public:
    using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

    FeatureRows(const Dense& dense) : m_dense(&dense) {}
    FeatureRows(const Sparse& sparse) : m_sparse(&sparse) {}

    [[nodiscard]] Eigen::Index rows() const { return m_dense != nullptr ? m_dense->rows() : m_sparse->rows(); }
    [[nodiscard]] Eigen::Index features() const { return m_dense != nullptr ? m_dense->cols() : m_sparse->cols(); }
    [[nodiscard]] const Dense* dense() const { return m_dense; }    ///< null for sparse rows
    [[nodiscard]] const Sparse* sparse() const { return m_sparse; } ///< null for dense rows

    /// Numbers that a row keeps, on average: all features of dense rows.
    [[nodiscard]] double meanEntries() const;

    /// ‖xᵢ‖² of all rows.
    [[nodiscard]] Eigen::VectorXd squaredNorms() const;

    /// xᵢᵀx'ⱼ of rows first … first + count − 1 with all rows of `other` from `from` on: count × (other.rows() − from).
    /// One blocked matrix product (sparse rows: count · nonzeros of `other`). Same shape, same bits.
    [[nodiscard]] Dense products(Eigen::Index first, Eigen::Index count, const FeatureRows& other,
                                 Eigen::Index from = 0) const {
        return products(first, count, other, from, other.rows() - from);
    }
    /// The same with `columns` rows of `other` only, from `from` on.
    [[nodiscard]] Dense products(Eigen::Index first, Eigen::Index count, const FeatureRows& other, Eigen::Index from,
                                 Eigen::Index columns) const;

    /// Inner product of row i with `w`.
    [[nodiscard]] double dot(Eigen::Index i, const double* w) const;
    /// w += factor · row i.
    void addTo(Eigen::Index i, double factor, double* w) const;
    /// The same, and to `carry` what rounding took from products and sums: w + carry are sums of DoubleDoubleSum.
    void addTo(Eigen::Index i, double factor, double* w, double* carry) const;

  private:
    const Dense* m_dense = nullptr;
    const Sparse* m_sparse = nullptr;
};

/// The rows of samples that are either dense or sparse and say which, such as a Dataset.
template <class Samples>
[[nodiscard]] FeatureRows featureRowsOf(const Samples& samples) {
    return samples.isSparse() ? FeatureRows(samples.sparse()) : FeatureRows(samples.dense());
}

inline double FeatureRows::dot(Eigen::Index i, const double* w) const {
    if (m_dense != nullptr) {
        return Eigen::Map<const Eigen::VectorXd>(m_dense->data() + i * m_dense->cols(), m_dense->cols())
            .dot(Eigen::Map<const Eigen::VectorXd>(w, m_dense->cols()));
    }
    double sum = 0;
    const auto end = m_sparse->outerIndexPtr()[i + 1];
    for (auto k = m_sparse->outerIndexPtr()[i]; k < end; ++k) {
        sum += m_sparse->valuePtr()[k] * w[m_sparse->innerIndexPtr()[k]];
    }
    return sum;
}

inline void FeatureRows::addTo(Eigen::Index i, double factor, double* w) const {
    if (m_dense != nullptr) {
        Eigen::Map<Eigen::VectorXd>(w, m_dense->cols()) +=
            factor * Eigen::Map<const Eigen::VectorXd>(m_dense->data() + i * m_dense->cols(), m_dense->cols());
        return;
    }
    const auto end = m_sparse->outerIndexPtr()[i + 1];
    for (auto k = m_sparse->outerIndexPtr()[i]; k < end; ++k) {
        w[m_sparse->innerIndexPtr()[k]] += factor * m_sparse->valuePtr()[k];
    }
}

} // namespace lambdascope
