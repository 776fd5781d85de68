// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/latex_text.h"

#include "core/common/number_text.h"

#include <array>
#include <string_view>
#include <utility>

namespace lambdascope {

namespace {

constexpr auto kSymbols = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"α", "$\\alpha$"},  {"β", "$\\beta$"},   {"γ", "$\\gamma$"}, {"δ", "$\\delta$"},  {"ε", "$\\varepsilon$"},
    {"η", "$\\eta$"},    {"λ", "$\\lambda$"}, {"μ", "$\\mu$"},    {"ν", "$\\nu$"},     {"ξ", "$\\xi$"},
    {"π", "$\\pi$"},     {"ρ", "$\\rho$"},    {"σ", "$\\sigma$"}, {"τ", "$\\tau$"},    {"Δ", "$\\Delta$"},
    {"Σ", "$\\Sigma$"},  {"×", "$\\times$"},  {"·", "$\\cdot$"},  {"±", "$\\pm$"},     {"−", "$-$"},
    {"≤", "$\\leq$"},    {"≥", "$\\geq$"},    {"≠", "$\\neq$"},   {"≈", "$\\approx$"}, {"→", "$\\to$"},
    {"∞", "$\\infty$"},  {"√", "$\\surd$"},   {"‖", "$\\|$"},     {"⟨", "$\\langle$"}, {"⟩", "$\\rangle$"},
    {"⪰", "$\\succeq$"}, {"∈", "$\\in$"},     {"₀", "$_0$"},      {"₁", "$_1$"},       {"₂", "$_2$"},
    {"ᵢ", "$_i$"},       {"½", "$\\frac12$"}, {"²", "$^2$"},      {"—", "---"},        {"–", "--"},
    {"…", "\\ldots{}"},  {"“", "``"},         {"”", "''"},        {"✓", "yes"},        {"⁰", "$^{0}$"},
    {"¹", "$^{1}$"},     {"³", "$^{3}$"},     {"⁴", "$^{4}$"},    {"⁵", "$^{5}$"},     {"⁶", "$^{6}$"},
    {"⁷", "$^{7}$"},     {"⁸", "$^{8}$"},     {"⁹", "$^{9}$"},    {"⁻", "$^{-}$"},     {"₃", "$_3$"},
    {"₄", "$_4$"},       {"₅", "$_5$"},       {"₆", "$_6$"},      {"₇", "$_7$"},       {"₈", "$_8$"},
    {"₉", "$_9$"},       {"ⱼ", "$_j$"},       {"ᵀ", "$^T$"},      {"\u00a0", "~"},
});

std::string asciiEscaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&':
        case '%':
        case '$':
        case '#':
        case '_':
        case '{':
        case '}': escaped += std::string("\\") + c; break;
        case '\\': escaped += "\\textbackslash{}"; break;
        case '~': escaped += "\\textasciitilde{}"; break;
        case '^': escaped += "\\textasciicircum{}"; break;
        case '<': escaped += "\\textless{}"; break;
        case '>': escaped += "\\textgreater{}"; break;
        case '|': escaped += "\\textbar{}"; break;
        case '\n':
        case '\r': escaped += ' '; break;
        default: escaped += c;
        }
    }
    return escaped;
}

} // namespace

std::string latexText(const std::string& text) {
    std::string escaped = asciiEscaped(text);
    for (const auto& [symbol, command] : kSymbols) {
        for (std::size_t at = escaped.find(symbol); at != std::string::npos;
             at = escaped.find(symbol, at + command.size())) {
            escaped.replace(at, symbol.size(), command);
        }
    }
    return escaped;
}

std::string latexNumber(const std::string& text) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) {
        return text.starts_with('-') ? "$" + text + "$" : text;
    }
    const auto exponent = parseInteger(text.substr(text.find_first_not_of('+', e + 1)));
    return exponent ? "$" + text.substr(0, e) + " \\cdot 10^{" + std::to_string(*exponent) + "}$" : text;
}

} // namespace lambdascope
