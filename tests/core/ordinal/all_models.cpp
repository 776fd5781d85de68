// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ordinal/all_models.h"

#include <algorithm>

namespace lambdascope::ordinal {

std::vector<ModelSpec> allModels(std::int64_t p) {
    std::vector<ModelSpec> models;
    for (const ModelKind kind : {ModelKind::Gnmds, ModelKind::Ckl, ModelKind::Ste, ModelKind::Tste, ModelKind::Soe}) {
        ModelSpec model;
        model.kind = kind;
        model.alpha = std::max<double>(1, static_cast<double>(p - 1));
        models.push_back(model);
    }
    return models;
}

std::string modelName(ModelKind kind) {
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
