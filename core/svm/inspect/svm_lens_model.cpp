// SPDX-License-Identifier: GPL-3.0-or-later
// The solution at a point as a file for LIBSVM.
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/inspect/svm_lens.h"

namespace lambdascope::svm {

Result<std::string> SvmLens::exportModel(std::int32_t point, std::stop_token stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = reference(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    const auto model = libsvmModel(m_prepared, (*solution)->solution());
    return model ? Result<std::string>(writeLibsvmModel(*model)) : Failure{model.error()};
}

} // namespace lambdascope::svm
