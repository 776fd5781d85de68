// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/kernel_function.h"

#include <Eigen/Core>

namespace lambdascope {

/// Makes kernel values in place from inner products: `products` holds xᵢᵀx'ⱼ, the norms ‖xᵢ‖² and ‖x'ⱼ‖². Not for
/// Precomputed. Cost: an exponential or a power each.
void applyKernel(const KernelFunction& kernel, const Eigen::Ref<const Eigen::VectorXd>& rowNorms,
                 const Eigen::Ref<const Eigen::RowVectorXd>& columnNorms,
                 Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> products);

} // namespace lambdascope
