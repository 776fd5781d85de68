// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/feature_rows.h"

#include "core/numeric/double_double.h"

#include <algorithm>

namespace lambdascope {

double FeatureRows::meanEntries() const {
    return m_dense != nullptr ? static_cast<double>(m_dense->cols())
                              : static_cast<double>(m_sparse->nonZeros()) /
                                    static_cast<double>(std::max<Eigen::Index>(1, m_sparse->rows()));
}

Eigen::VectorXd FeatureRows::squaredNorms() const {
    if (m_dense != nullptr) {
        return m_dense->rowwise().squaredNorm();
    }
    Eigen::VectorXd norms(m_sparse->rows());
    for (Eigen::Index i = 0; i < norms.size(); ++i) {
        norms(i) = m_sparse->row(i).squaredNorm();
    }
    return norms;
}

void FeatureRows::addTo(Eigen::Index i, double factor, double* w, double* carry) const {
    const auto add = [=](Eigen::Index f, double value) {
        const DoubleDouble product = exactProduct(factor, value);
        const DoubleDouble sum = exactSum(w[f], product.high);
        w[f] = sum.high;
        carry[f] += sum.low + product.low;
    };
    if (m_dense != nullptr) {
        for (Eigen::Index f = 0; f < m_dense->cols(); ++f) {
            add(f, (*m_dense)(i, f));
        }
        return;
    }
    for (Sparse::InnerIterator entry(*m_sparse, i); entry; ++entry) {
        add(entry.col(), entry.value());
    }
}

FeatureRows::Dense FeatureRows::products(Eigen::Index first, Eigen::Index count, const FeatureRows& other,
                                         Eigen::Index from, Eigen::Index columns) const {
    const Dense block =
        m_dense != nullptr ? Dense(m_dense->middleRows(first, count)) : Dense(m_sparse->middleRows(first, count));
    if (other.m_dense != nullptr) {
        return block * other.m_dense->middleRows(from, columns).transpose();
    }
    const Eigen::MatrixXd transposed = other.m_sparse->middleRows(from, columns) * block.transpose();
    return transposed.transpose();
}

} // namespace lambdascope
