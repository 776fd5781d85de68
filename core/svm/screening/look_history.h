// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope::svm {

/// What looks have cost and saved along a path up to some solution, in counted operations: by that the next point tells
/// which looks will pay.
struct LookHistory {
    bool isKnown = false;  ///< a point has been solved
    double growing = 0;    ///< of a point, without screening: operations that grow with the undecided samples
    double correction = 1; ///< share of them that a look on arrival saved, over the share that was expected
    double cost = 0;       ///< of such a look, per sample; 0 before the first
    double share = 1;      ///< of the undecided samples: what a later look decided over what was likely

    void transfer(auto& archive) {
        auto& [any, most, factor, price, part] = *this;
        archive(any, most, factor, price, part);
    }
};

} // namespace lambdascope::svm
