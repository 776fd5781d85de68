// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lambdascope {

/// A seeded stream of random numbers (xoshiro256**, seeded through splitmix64) that gives the same numbers on every
/// machine and with every standard library; std::normal_distribution and friends do not promise that.
///
/// Streams of different names drawn from one seed are independent, so adding a consumer does not move the numbers
/// of another: RandomStream(seed, "subset"), RandomStream(seed, "split").
class RandomStream {
  public:
    explicit RandomStream(std::uint64_t seed, std::string_view name = {});

    std::uint64_t next();                    ///< uniform over all 64-bit values
    double uniform();                        ///< uniform in [0, 1), 53 bits
    double uniform(double low, double high); ///< uniform in [low, high)
    double normal();                         ///< standard normal, Box–Muller
    std::size_t below(std::size_t bound);    ///< uniform in {0, …, bound − 1}, no modulo bias; bound > 0
    /// What as many calls of below() give, several times faster; 0 < bound < 2³².
    void fillBelow(std::size_t bound, std::span<std::uint32_t> out);

    template <class T>
    void shuffle(std::vector<T>& values) {
        shuffle(values, [] { return true; });
    }

    /// As long as `goesOn()` before each swap; the values are then all there, less mixed.
    template <class T, class GoesOn>
    void shuffle(std::vector<T>& values, GoesOn goesOn) {
        for (std::size_t i = values.size(); i > 1 && goesOn(); --i) {
            std::swap(values[i - 1], values[below(i)]);
        }
    }

    /// {0, …, count − 1} in random order.
    [[nodiscard]] std::vector<std::size_t> permutation(std::size_t count);

    void transfer(auto& archive) {
        auto& [state, spareNormal, hasSpareNormal] = *this;
        archive(state, spareNormal, hasSpareNormal);
    }

  private:
    std::uint64_t m_state[4];
    double m_spareNormal = 0;
    bool m_hasSpareNormal = false;
};

} // namespace lambdascope
