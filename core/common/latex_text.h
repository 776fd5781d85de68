// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lambdascope {

/// What a text mode of LaTeX shows as `text`: special characters escaped, symbols of this field that not every engine
/// and font knows (λ, ≤, √ …) as formulas, line ends as blanks.
[[nodiscard]] std::string latexText(const std::string& text);

/// A decimal number as a formula where it needs one: "3.1e-06" gives "$3.1 \cdot 10^{-6}$", "-2" gives "$-2$".
[[nodiscard]] std::string latexNumber(const std::string& text);

} // namespace lambdascope
