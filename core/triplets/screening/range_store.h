// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/triplet_states.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace lambdascope::triplets {

/// The λ intervals over which references of a falling path fix triplets [T, §6.1]. Each reference leaves one batch,
/// sorted by the lower ends of its intervals, so that going on to a smaller λ takes only what expires on the way from
/// the batches' ends: nothing is judged again, and nothing that stays is looked at.
///
/// Memory: a quarter byte per triplet and 16 bytes per triplet that is fixed.
class RangeStore {
  public:
    explicit RangeStore(TripletIndex triplets) : m_fixed(triplets) {}

    /// Goes on to `lambda`: triplets whose interval does not reach it are free again. A λ above the last one starts a
    /// new path and forgets everything.
    void moveTo(double lambda);

    /// Adds a triplet of the present reference, fixed down to `low`, below the present λ; it must be free.
    void add(TripletIndex number, Decision decision, double low) {
        m_fixed.set(number, decision);
        m_batch.push_back({low, number});
    }
    /// Ends the present reference's batch.
    void seal();

    /// What is fixed at the present λ.
    [[nodiscard]] const TripletStates& fixed() const { return m_fixed; }
    [[nodiscard]] std::size_t bytes() const;

    /// Most bytes that a store for `triplets` takes.
    [[nodiscard]] static double largestBytes(double triplets) {
        return triplets * (2.0 * sizeof(Entry) + 0.25); // a batch's array may have grown to twice its need
    }

    void transfer(auto& archive) {
        auto& [fixed, lambda, batches, batch] = *this;
        archive(fixed, lambda, batches, batch);
    }

  private:
    struct Entry {
        double low;
        TripletIndex number;

        void transfer(auto& archive) {
            auto& [end, triplet] = *this;
            archive(end, triplet);
        }
    };

    TripletStates m_fixed;
    double m_lambda = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Entry>> m_batches; ///< each in rising order of lower ends
    std::vector<Entry> m_batch;
};

} // namespace lambdascope::triplets
