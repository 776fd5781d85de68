// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/family.h"

#include "core/svm/prepared_svm.h"
#include "core/svm/svm_config.h"

namespace lambdascope::svm {

Family family() {
    return {schema(), prepare};
}

} // namespace lambdascope::svm
