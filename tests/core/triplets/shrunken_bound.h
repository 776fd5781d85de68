// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/sphere_bounds.h"

#include <memory>
#include <string_view>

namespace lambdascope::triplets {

/// A bound that lies: its ball is smaller than the theorem's. Audits have to find it out.
class ShrunkenBound final : public Bound {
  public:
    ShrunkenBound(BoundKind kind, double factor) : m_honest(makeBound(kind)), m_factor(factor) {}
    [[nodiscard]] bool needsDualPoint() const override { return m_honest->needsDualPoint(); }
    [[nodiscard]] std::string_view name() const override { return "shrunken"; }
    [[nodiscard]] Sphere sphere(const BoundReference& reference) const override {
        Sphere sphere = m_honest->sphere(reference);
        sphere.radius *= m_factor;
        return sphere;
    }

  private:
    std::unique_ptr<Bound> m_honest;
    double m_factor;
};

} // namespace lambdascope::triplets
