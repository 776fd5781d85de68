// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lambdascope {

/// A mathematical expression, as a tree.
struct Formula {
    enum class Kind {
        Row,      ///< `parts` from left to right
        Symbol,   ///< a letter that stands for something: in italics, but for Greek capitals and ∇
        Word,     ///< "gap", "min": upright
        Number,   ///< upright
        Operator, ///< + − · , and the like
        Relation, ///< = < > ≤ ≥ and the like
        Fraction, ///< `parts`: above and below the bar
        Root,     ///< `parts`: what is below the sign
        Script,   ///< `parts`: a base, what stands above it, what stands below it; rows, which may be empty
        Fence,    ///< `text`: two signs, such as ⟨⟩ or ‖‖; `parts`: what is between them
    };
    Kind kind = Kind::Row;
    QString text = {};
    std::vector<Formula> parts = {};
    bool isSpaced = false; ///< a blank stands before it

    bool operator==(const Formula&) const = default;
    [[nodiscard]] bool isSign() const { return kind == Kind::Operator || kind == Kind::Relation; }
};

/// Reads a formula as explanations write it, in plain Unicode: "⟨H,Q⟩ − r‖H‖ > 1", "r = √(2 gap/λ)", "‖x_i − x_l‖²",
/// "3.1e-06". A slash divides the product before it by the factors that follow it without a blank: "|a|/2λ · b" is
/// |a| over 2λ, times b. Letters are symbols each, but for words (two or more small letters, or capitals: "gap", "GB").
/// Nothing when it is no such formula: signs that are unknown, or fences without an end.
[[nodiscard]] std::optional<Formula> parseFormula(const QString& text);

} // namespace lambdascope
