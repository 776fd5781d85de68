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
    double total = 0;      ///< of the path, without screening: operations that grow with the undecided samples
    double lost = 0;       ///< by looks on arrival that cost more than they saved
    double saved = 0;      ///< by others

    void transfer(auto& archive) {
        auto& [any, most, factor, price, part, all, loss, gain] = *this;
        archive(any, most, factor, price, part, all, loss, gain);
    }
};

} // namespace lambdascope::svm
