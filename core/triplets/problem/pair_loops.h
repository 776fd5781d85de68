// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/pair_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

/// Inner loops over pairs that are sorted by (first, second), for rows of 4 · W numbers: as pairs of one first row come
/// one after the other, what belongs to that row stays in registers.
namespace lambdascope::triplets::pair_loops {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

/// Widest row, in groups of four numbers, whose parts fit the registers.
inline constexpr Eigen::Index kMostGroups = 8;

template <Eigen::Index W>
using Row = std::array<Four, W>;

template <Eigen::Index W>
inline Row<W> rowAt(const double* rows, Eigen::Index row) {
    Row<W> parts;
    for (Eigen::Index c = 0; c < W; ++c) {
        parts[c] = FourMap(rows + 4 * (W * row + c));
    }
    return parts;
}

/// Pairs by their rows.
struct Ends {
    const RowIndex* first = nullptr;
    const RowIndex* second = nullptr;
    std::size_t count = 0;
};

/// Calls visit(first row, begin, end) for the runs of pairs with one first row.
template <class Visit>
inline void forEachRun(const Ends& pairs, Visit&& visit) {
    for (std::size_t begin = 0; begin < pairs.count;) {
        const RowIndex first = pairs.first[begin];
        std::size_t end = begin + 1;
        while (end < pairs.count && pairs.first[end] == first) {
            ++end;
        }
        visit(first, begin, end);
        begin = end;
    }
}

/// values[p] = ‖y_first − y_second‖².
template <Eigen::Index W>
void distances(const Ends& pairs, const double* y, double* values) {
    forEachRun(pairs, [&](RowIndex first, std::size_t begin, std::size_t end) {
        const Row<W> a = rowAt<W>(y, first);
        for (std::size_t p = begin; p < end; ++p) {
            const double* b = y + 4 * W * pairs.second[p];
            Four sum = (a[0] - FourMap(b)).square();
            for (Eigen::Index c = 1; c < W; ++c) {
                sum += (a[c] - FourMap(b + 4 * c)).square();
            }
            values[p] = sum.sum();
        }
    });
}

/// values[p] = Σ ± (y_first − y_second)², plus for the first `positive` groups of four numbers, minus for the others.
template <Eigen::Index W>
void signedDistances(const Ends& pairs, const double* y, Eigen::Index positive, double* values) {
    if (positive == W) {
        distances<W>(pairs, y, values);
        return;
    }
    Row<W> sign;
    for (Eigen::Index c = 0; c < W; ++c) {
        sign[c].setConstant(c < positive ? 1 : -1);
    }
    forEachRun(pairs, [&](RowIndex first, std::size_t begin, std::size_t end) {
        const Row<W> a = rowAt<W>(y, first);
        for (std::size_t p = begin; p < end; ++p) {
            const double* b = y + 4 * W * pairs.second[p];
            Four sum = sign[0] * (a[0] - FourMap(b)).square();
            for (Eigen::Index c = 1; c < W; ++c) {
                sum += sign[c] * (a[c] - FourMap(b + 4 * c)).square();
            }
            values[p] = sum.sum();
        }
    });
}

/// values[p] = (x_first − x_second)ᵀ (y_first − y_second).
template <Eigen::Index W>
void products(const Ends& pairs, const double* x, const double* y, double* values) {
    forEachRun(pairs, [&](RowIndex first, std::size_t begin, std::size_t end) {
        const Row<W> a = rowAt<W>(x, first);
        const Row<W> b = rowAt<W>(y, first);
        for (std::size_t p = begin; p < end; ++p) {
            const Eigen::Index second = 4 * W * pairs.second[p];
            Four sum = (a[0] - FourMap(x + second)) * (b[0] - FourMap(y + second));
            for (Eigen::Index c = 1; c < W; ++c) {
                sum += (a[c] - FourMap(x + second + 4 * c)) * (b[c] - FourMap(y + second + 4 * c));
            }
            values[p] = sum.sum();
        }
    });
}

/// spread_first += w_p δ_p and spread_second −= w_p δ_p.
template <Eigen::Index W>
void spread(const Ends& pairs, const double* weights, const double* x, double* spread) {
    forEachRun(pairs, [&](RowIndex first, std::size_t begin, std::size_t end) {
        const Row<W> a = rowAt<W>(x, first);
        Row<W> total = rowAt<W>(spread, first);
        for (std::size_t p = begin; p < end; ++p) {
            const double weight = weights[p];
            const Eigen::Index second = 4 * W * pairs.second[p];
            for (Eigen::Index c = 0; c < W; ++c) {
                const Four term = weight * (a[c] - FourMap(x + second + 4 * c));
                total[c] += term;
                Eigen::Map<Four>(spread + second + 4 * c) -= term;
            }
        }
        for (Eigen::Index c = 0; c < W; ++c) {
            Eigen::Map<Four>(spread + 4 * (W * first + c)) = total[c];
        }
    });
}

/// How many rows of so many parts are worked on at a time.
template <Eigen::Index W>
inline constexpr Eigen::Index kRowsAtOnce = W <= 6 ? 2 : 1;

/// y_i = x_i · factor for rows i = rowOf(0), …, rowOf(count − 1): `factor` has `features` rows of 4 · W numbers, x rows
/// of `stride`.
template <Eigen::Index W, class RowOf>
void multiply(const double* x, Eigen::Index stride, Eigen::Index features, const double* factor, Eigen::Index count,
              const RowOf& rowOf, double* y) {
    constexpr Eigen::Index kRows = kRowsAtOnce<W>;
    for (Eigen::Index at = 0; at < count; at += kRows) {
        std::array<const double*, kRows> from;
        std::array<Row<W>, kRows> total;
        for (Eigen::Index r = 0; r < kRows; ++r) {
            from[r] = x + stride * rowOf(std::min(at + r, count - 1));
            total[r].fill(Four::Zero());
        }
        for (Eigen::Index k = 0; k < features; ++k) {
            for (Eigen::Index c = 0; c < W; ++c) {
                const FourMap part(factor + 4 * (W * k + c));
                for (Eigen::Index r = 0; r < kRows; ++r) {
                    total[r][c] += from[r][k] * part;
                }
            }
        }
        for (Eigen::Index r = 0; r < kRows; ++r) {
            for (Eigen::Index c = 0; c < W; ++c) {
                Eigen::Map<Four>(y + 4 * (W * rowOf(std::min(at + r, count - 1)) + c)) = total[r][c];
            }
        }
    }
}

/// Four rows of addUpperProducts, from 4 · G on.
template <Eigen::Index W, Eigen::Index G, class RowOf>
void addUpperRows(const double* x, const double* y, Eigen::Index count, const RowOf& rowOf, double* product) {
    constexpr Eigen::Index kColumns = W - G;
    constexpr Eigen::Index kRows = kColumns <= 3 ? 4 : kRowsAtOnce<kColumns>;
    for (Eigen::Index k = 4 * G; k < 4 * (G + 1); k += kRows) {
        std::array<Row<kColumns>, kRows> total;
        for (Row<kColumns>& row : total) {
            row.fill(Four::Zero());
        }
        for (Eigen::Index at = 0; at < count; ++at) {
            const Eigen::Index i = 4 * W * rowOf(at);
            for (Eigen::Index c = 0; c < kColumns; ++c) {
                const FourMap part(y + i + 4 * (G + c));
                for (Eigen::Index r = 0; r < kRows; ++r) {
                    total[r][c] += x[i + k + r] * part;
                }
            }
        }
        for (Eigen::Index r = 0; r < kRows; ++r) {
            for (Eigen::Index c = 0; c < kColumns; ++c) {
                Eigen::Map<Four>(product + 4 * (W * (k + r) + G + c)) += total[r][c];
            }
        }
    }
}

/// The upper triangle of product += Σ_i x_i y_iᵀ over rows i = rowOf(0), …: both of 4 · W numbers, like the rows of
/// `product`. What comes below is not to be read.
template <Eigen::Index W, class RowOf>
void addUpperProducts(const double* x, const double* y, Eigen::Index count, const RowOf& rowOf, double* product) {
    [&]<Eigen::Index... G>(std::integer_sequence<Eigen::Index, G...>) {
        (addUpperRows<W, G>(x, y, count, rowOf, product), ...);
    }
    (std::make_integer_sequence<Eigen::Index, W>());
}

/// Calls f(std::integral_constant<Eigen::Index, W>) for rows of `stride` = 4 · W numbers; false, without a call, where
/// W is not from 1 to kMostGroups.
template <class F>
bool forWidth(Eigen::Index stride, F&& f) {
    return [&]<Eigen::Index... W>(std::integer_sequence<Eigen::Index, W...>) {
        return ((stride == 4 * (W + 1) && (f(std::integral_constant<Eigen::Index, W + 1>()), true)) || ...);
    }
    (std::make_integer_sequence<Eigen::Index, kMostGroups>());
}

} // namespace lambdascope::triplets::pair_loops
