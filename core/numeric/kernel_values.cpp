// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/kernel_values.h"

namespace lambdascope {

void applyKernel(const KernelFunction& kernel, const Eigen::Ref<const Eigen::VectorXd>& rowNorms,
                 const Eigen::Ref<const Eigen::RowVectorXd>& columnNorms,
                 Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> products) {
    for (Eigen::Index i = 0; i < products.rows(); ++i) {
        auto row = products.row(i).array();
        if (kernel.kind == KernelKind::Rbf) {
            row = (-kernel.gamma * (columnNorms.array() + rowNorms(i) - 2 * row).max(0.0)).exp();
        } else if (kernel.kind == KernelKind::Polynomial) {
            row = row.unaryExpr([&](double product) { return polynomialKernel(kernel, product); });
        }
        if (kernel.bias != 0) {
            row += kernel.bias * kernel.bias;
        }
    }
}

} // namespace lambdascope
