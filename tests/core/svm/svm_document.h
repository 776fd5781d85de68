// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment_runner.h"
#include "core/svm/family.h"

namespace lambdascope::svm {

inline const SchemaCatalog& catalog() {
    static const SchemaCatalog only({family().schema});
    return only;
}

inline Json documentWith(const Json& overlay) {
    Json document = {{"family", "svm"},
                     {"name", "small"},
                     {"data", {{"source", "toy:svm-figure1?n=200"}, {"scale", "none"}, {"subset", 0.8}}},
                     {"problem", {{"kernel", "rbf"}}},
                     {"path", {{"kind", "grid"}, {"ratio", 4}, {"max_c", 100}}}};
    document.mergePatch(overlay);
    return document;
}

} // namespace lambdascope::svm
