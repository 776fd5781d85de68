// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/loss_model.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// The model with the parameters of p dimensions.
[[nodiscard]] inline ModelSpec modelOf(ModelKind kind, std::int64_t p) {
    ModelSpec model;
    model.kind = kind;
    model.alpha = std::max<double>(1, static_cast<double>(p - 1));
    return model;
}

[[nodiscard]] inline std::vector<ModelSpec> allModels(std::int64_t p) {
    return {modelOf(ModelKind::Gnmds, p), modelOf(ModelKind::Ckl, p), modelOf(ModelKind::Ste, p),
            modelOf(ModelKind::Tste, p), modelOf(ModelKind::Soe, p)};
}

[[nodiscard]] inline std::string modelName(ModelKind kind) {
    switch (kind) {
    case ModelKind::Gnmds: return "GNMDS";
    case ModelKind::Ckl: return "CKL";
    case ModelKind::Ste: return "STE";
    case ModelKind::Tste: return "TSTE";
    case ModelKind::Soe: return "SOE";
    }
    return {};
}

} // namespace lambdascope::ordinal
