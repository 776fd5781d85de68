// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope {

/// Where the recipe stands in each format; writer and reader must agree.
inline constexpr char kRecipeFileName[] = "recipe.json";
inline constexpr char kRecipePngKey[] = "LambdascopeRecipe";

} // namespace lambdascope
