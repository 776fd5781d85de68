// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/path_config.h"
#include "core/triplets/problem/problem_items.h"
#include "core/triplets/solver/lambda_max_solution.h"

#include <memory>
#include <vector>

namespace lambdascope::triplets {

/// What lanes over λ solve, whichever family it comes from. It must outlive their tasks and lenses.
class PathProblem {
  public:
    virtual ~PathProblem() = default;

    /// What is compared with what.
    [[nodiscard]] virtual ProblemItems items() const = 0;
    /// γ of the loss; 0 for the hinge.
    [[nodiscard]] virtual double gamma() const = 0;
    [[nodiscard]] virtual const PathConfig& path() const = 0;
    /// The λ of an ε-approximation path; of a grid they are not kept.
    [[nodiscard]] virtual const std::vector<double>* approximationPath() const { return nullptr; }
    /// λ_max and the solution there.
    [[nodiscard]] virtual const LambdaMaxSolution& top() const = 0;
    /// An engine for all items; `kind` chooses among those for triplets of neighbours.
    [[nodiscard]] virtual std::unique_ptr<Engine> makeEngine(EngineKind kind, int threads) const = 0;
};

} // namespace lambdascope::triplets
