// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field.h"

namespace lambdascope {

/// Whether the deciding field, which is `deciding`, has one of the words of `relevance`: is it, where it holds one
/// value, or holds it, where it holds several. Boolean fields have the words true and false.
[[nodiscard]] bool holds(const Relevance& relevance, const Json& deciding);

/// Whether a field of `section` matters where its fields have these values; what `values` lacks is as by default. A
/// field that is decided by one which does not matter does not either.
[[nodiscard]] bool isRelevant(const SectionSchema& section, const FieldDescription& field, const Json& values);

/// All words of a field of `section`: what matters as soon as several values may be there, and one is.
[[nodiscard]] std::vector<std::string> wordsOf(const SectionSchema& section, std::string_view key);

} // namespace lambdascope
