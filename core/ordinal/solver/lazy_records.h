// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/points.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace lambdascope::ordinal {

/// What the lazy loop keeps of an object, together in as few cache lines as p allows: y | x̃ | ∇F(x̃), where the iterate
/// after t steps is x = y − t bη ∇F(x̃). The p numbers of each are cut into Blocks blocks of 8 and a tail of Tail,
/// filled up by zeros, and the three belonging together lie next to each other: for p = 10 a record is 4 lines, and
/// every block is one aligned load. Blocks < 0: as many as p asks for, known at run time.
template <int Blocks, int Tail>
class LazyRecords {
  public:
    static constexpr int kBlock = 8;

    template <int Size>
    using Piece = Eigen::Array<double, Size, 1>;
    template <int Size>
    using PieceMap = Eigen::Map<Piece<Size>, Size * sizeof(double)>;

    /// One record per row of `points` and `gradient`, both n × p, in `memory`.
    LazyRecords(const Points& points, const Points& gradient, std::vector<double>& memory)
        : m_runTimeBlocks((points.cols() - Tail + kBlock - 1) / kBlock), m_rows(points.rows()) {
        constexpr std::size_t kLine = 64;
        const auto numbers = static_cast<std::size_t>(points.rows() * stride());
        memory.resize(numbers + kLine / sizeof(double));
        void* start = memory.data();
        std::size_t room = memory.size() * sizeof(double);
        m_start = static_cast<double*>(std::align(kLine, numbers * sizeof(double), start, room));
        const Eigen::Index p = points.cols();
        for (Eigen::Index row = 0; row < points.rows(); ++row) {
            const double* const x = points.data() + row * p;
            const double* const g = gradient.data() + row * p;
            forEachPiece(
                [&](auto size, double* record, Eigen::Index from) {
                    constexpr Eigen::Index kSize = decltype(size)::value;
                    const Eigen::Index count = std::min<Eigen::Index>(kSize, p - from);
                    std::fill_n(record, 3 * kSize, 0.0);
                    std::copy_n(x + from, count, record);
                    std::copy_n(x + from, count, record + kSize);
                    std::copy_n(g + from, count, record + 2 * kSize);
                },
                of(static_cast<ObjectIndex>(row)));
        }
    }

    /// Writes x = y − owed ∇F(x̃) of every object to the rows of `x`, n × p.
    void unpack(double owed, Points& x) const {
        const Eigen::Index p = x.cols();
        for (Eigen::Index row = 0; row < x.rows(); ++row) {
            forEachPiece(
                [&](auto size, const double* record, Eigen::Index from) {
                    constexpr Eigen::Index kSize = decltype(size)::value;
                    const Eigen::Index count = std::min<Eigen::Index>(kSize, p - from);
                    for (Eigen::Index d = 0; d < count; ++d) {
                        x(row, from + d) = record[d] - owed * record[2 * kSize + d];
                    }
                },
                of(static_cast<ObjectIndex>(row)));
        }
    }

    [[nodiscard]] double* of(ObjectIndex object) const { return m_start + object * stride(); }
    /// Numbers per record.
    [[nodiscard]] Eigen::Index stride() const { return (3 * width() + kBlock - 1) / kBlock * kBlock; }
    [[nodiscard]] double bytes() const { return static_cast<double>(m_rows * stride()) * sizeof(double); }
    /// Numbers per part, with those that fill it up.
    [[nodiscard]] Eigen::Index width() const { return kBlock * blocks() + Tail; }

    // Not inlined by force, the compiler takes it for a function that does nothing.
    [[gnu::always_inline]] void prefetch(ObjectIndex object) const {
        const double* const record = of(object);
        for (Eigen::Index at = 0; at < stride(); at += kBlock) {
            __builtin_prefetch(record + at);
        }
    }

    /// Calls work(size, record + where, from, …) for every piece; `from` counts numbers of the row, and y, x̃ and ∇F of
    /// the piece are at where, where + size and where + 2 size. The same for further records.
    template <class Work, class... Records>
    void forEachPiece(Work&& work, Records*... records) const {
        for (Eigen::Index block = 0; block < blocks(); ++block) {
            work(std::integral_constant<int, kBlock>{}, (records + Eigen::Index{3} * kBlock * block)...,
                 kBlock * block);
        }
        if constexpr (Tail > 0) {
            work(std::integral_constant<int, Tail>{}, (records + Eigen::Index{3} * kBlock * blocks())...,
                 kBlock * blocks());
        }
    }

    /// A piece whose halves are added until two numbers are left: their sum is that of the piece.
    template <int Size>
    static Eigen::Array2d folded(const Piece<Size>& piece) {
        if constexpr (Size > 2) {
            return folded<Size / 2>(piece.template head<Size / 2>() + piece.template tail<Size / 2>());
        } else {
            return piece;
        }
    }

  private:
    [[nodiscard]] Eigen::Index blocks() const { return Blocks < 0 ? m_runTimeBlocks : Blocks; }

    Eigen::Index m_runTimeBlocks;
    Eigen::Index m_rows;
    double* m_start = nullptr;
};

/// Calls `work` with the type of records for p dimensions.
template <class Work>
decltype(auto) withRecords(Eigen::Index p, Work&& work) {
    if (p <= 2) {
        return work(std::type_identity<LazyRecords<0, 2>>{});
    }
    if (p <= 4) {
        return work(std::type_identity<LazyRecords<0, 4>>{});
    }
    if (p <= 8) {
        return work(std::type_identity<LazyRecords<1, 0>>{});
    }
    if (p <= 10) {
        return work(std::type_identity<LazyRecords<1, 2>>{});
    }
    return work(std::type_identity<LazyRecords<-1, 0>>{});
}

} // namespace lambdascope::ordinal
