// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/item_explanation.h"
#include "ui/panels/inspector/formula_layout.h"

#include <QString>

namespace lambdascope {

/// Where an explanation was asked.
struct ExplainedPlace {
    QString axisLabel; ///< "λ"
    double axisValue = 0;
};

/// What became of an item at a point, in one or two sentences: "Triplet (4, 9, 71) was fixed in R at λ = 12.3, …".
/// "λ₀ = 12.5 (point 7)": the reference that fixed an item further up the path.
[[nodiscard]] QString referenceText(const FixingReference& reference, const ExplainedPlace& place);
/// "decides it for λ from 8.2 to 17"
[[nodiscard]] QString intervalText(const FixingReference& reference, const ExplainedPlace& place);

[[nodiscard]] QString explanationHeadline(const ItemExplanation& why, const ExplainedPlace& place);

/// The inequality of a bound in numbers: "⟨H,Q⟩ − r‖H‖ > 1:  3.21 − 0.4 · 2.1 = 2.37 > 1  (room 1.37)".
[[nodiscard]] QString inequalityText(const BoundDecision& decision);

/// The same as formulas: its symbols, and below them its numbers.
[[nodiscard]] FormulaLines inequalityLines(const BoundDecision& decision);

/// "‖H‖ = 3.2, norm of the triplet's matrix".
[[nodiscard]] QString termText(const NamedValue& term);
/// The same as formulas; one in the meaning, "…; r = √(2 gap/λ)", stands below.
[[nodiscard]] FormulaLines termLines(const NamedValue& term);

/// "PGB, sphere rule".
[[nodiscard]] QString ruleText(const BoundDecision& decision);

/// "R", or "undecided".
[[nodiscard]] QString decisionText(const BoundDecision& decision);

/// Everything as plain text, for copying.
[[nodiscard]] QString explanationText(const ItemExplanation& why, const ExplainedPlace& place);

} // namespace lambdascope
