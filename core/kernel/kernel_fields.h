// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field_table.h"
#include "core/kernel/kernel_function.h"

#include <string>
#include <utility>
#include <vector>

namespace lambdascope {

/// The fields kernel, gamma, gamma_unit, degree and offset of a configuration with members of these types and names
/// (gammaUnit: GammaUnit). `takesMatrix`: the data may be the kernel matrix itself.
template <class Config>
void addKernelFields(FieldTable<Config>& t, bool takesMatrix) {
    std::vector<EnumChoice<KernelKind>> kinds = {
        {KernelKind::Linear, {"linear", "Linear", "xᵀx'; never makes a kernel matrix."}},
        {KernelKind::Rbf, {"rbf", "RBF", "exp(−γ‖x − x'‖²)."}},
        {KernelKind::Polynomial, {"polynomial", "Polynomial", "(γ xᵀx' + offset)^degree."}}};
    if (takesMatrix) {
        kinds.push_back(
            {KernelKind::Precomputed,
             {"precomputed", "Precomputed", "The data are the kernel matrix: one row and one column per sample."}});
    }
    t.template choice<KernelKind>(&Config::kernel, {"kernel", "Kernel", "", "What compares two samples."},
                                  std::move(kinds));
    t.real(&Config::gamma, {"gamma", "Kernel γ", "", "Of the kernels rbf and polynomial."}, Range::above(0));
    t.relevantWhen("kernel", {"rbf", "polynomial"});
    t.template choice<GammaUnit>(&Config::gammaUnit, {"gamma_unit", "γ is", "", "What γ is counted in."},
                                 {{GammaUnit::PerFeature, {"per-feature", "Per feature", "γ / number of features."}},
                                  {GammaUnit::Absolute, {"absolute", "Absolute", "γ as it stands."}}});
    t.relevantWhen("kernel", {"rbf", "polynomial"});
    t.integer(&Config::degree, {"degree", "Degree", "", "Of the polynomial kernel."}, Range{1, 20});
    t.relevantWhen("kernel", {"polynomial"});
    t.real(&Config::offset, {"offset", "Offset", "", "Of the polynomial kernel."}, Range::atLeast(0));
    t.relevantWhen("kernel", {"polynomial"});
}

/// The field kernel_memory (MB) for kernels with rows; `more` is added to its help.
template <class Config>
void addKernelMemory(FieldTable<Config>& t, std::vector<std::string> kernelsWithRows, const std::string& more = {}) {
    t.integer(&Config::kernelMemory,
              {"kernel_memory", "Kernel memory", "MB",
               "What kernel rows may take, for all lanes together; when all rows fit they are computed once and kept." +
                   more},
              Range{1, 1000000});
    t.relevantWhen("kernel", std::move(kernelsWithRows));
    t.advanced();
}

} // namespace lambdascope
