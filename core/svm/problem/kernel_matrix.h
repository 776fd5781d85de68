// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/common/stop_check.h"
#include "core/data/dataset.h"

namespace lambdascope::svm {

/// What a matrix K that was read from a file needs to be a kernel for certain: the least ρ ≥ 0, up to a small factor,
/// for which K + ρ diag(K) ⪰ 0 can be proven, whatever rounding did to the proof. 0 when K itself can be proven to be
/// positive definite; some n² unit roundoffs when it is singular, as products of features are. Nothing about screening
/// would be true with an indefinite K, however little it is so.
///
/// The proof is a Cholesky factorization of K scaled to a unit diagonal, which stops at no n × n matrix whose smallest
/// eigenvalue is above −n γ_{n+1}, and leaves a residual of at most that [Higham 2002, Thms 10.3, 10.7]; scaled, so
/// that one sample of a large norm does not hide what the others do.
///
/// Errors: InvalidData when the data are not square, finite, symmetric, or positive semidefinite up to rounding. When
/// `stopCheck` asks to stop the answer means nothing. O(n³/3), twice that when K is singular.
Result<double> kernelMatrixRidge(const Dataset& data, StopCheck& stopCheck);

} // namespace lambdascope::svm
