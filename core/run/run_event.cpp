// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_event.h"

#include <algorithm>

namespace lambdascope {

std::size_t placeOfColumn(const std::vector<ColumnDescription>& columns, std::string_view key) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [key](const auto& column) { return column.key == key; });
    return static_cast<std::size_t>(found - columns.begin());
}

std::string_view optimalityKindName(OptimalityKind kind) {
    switch (kind) {
    case OptimalityKind::DualityGap: return "duality gap";
    case OptimalityKind::GradientNorm: return "gradient norm";
    case OptimalityKind::KktViolation: return "KKT violation";
    }
    return "unknown";
}

std::string_view columnRoleName(ColumnRole role) {
    switch (role) {
    case ColumnRole::Index: return "index";
    case ColumnRole::Axis: return "axis";
    case ColumnRole::Iterations: return "iterations";
    case ColumnRole::Objective: return "objective";
    case ColumnRole::Optimality: return "optimality";
    case ColumnRole::ItemsTotal: return "items-total";
    case ColumnRole::PathRate: return "path-rate";
    case ColumnRole::FinalRate: return "final-rate";
    case ColumnRole::AfterRate: return "after-rate";
    case ColumnRole::PathFixed: return "path-fixed";
    case ColumnRole::FinalFixed: return "final-fixed";
    case ColumnRole::AfterFixed: return "after-fixed";
    case ColumnRole::CpuSolve: return "cpu-solve";
    case ColumnRole::CpuScreen: return "cpu-screen";
    case ColumnRole::CpuPart: return "cpu-part";
    case ColumnRole::Wall: return "wall";
    case ColumnRole::HeldOutError: return "held-out-error";
    case ColumnRole::HeldOutMeasure: return "held-out-measure";
    case ColumnRole::CrossError: return "cross-error";
    case ColumnRole::CrossMeasure: return "cross-measure";
    case ColumnRole::OtherMeasure: return "other-measure";
    case ColumnRole::SetSize: return "set-size";
    case ColumnRole::Other: return "other";
    }
    return "other";
}

bool isMeasure(ColumnRole role) {
    return role == ColumnRole::HeldOutError || role == ColumnRole::HeldOutMeasure || role == ColumnRole::CrossError ||
           role == ColumnRole::CrossMeasure;
}

} // namespace lambdascope
