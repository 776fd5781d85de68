// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/common/thread_team.h"
#include "core/kernel/kernel_function.h"
#include "core/numeric/feature_rows.h"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace lambdascope {

/// Makes kernel values in place from inner products: `products` holds xᵢᵀx'ⱼ, the norms ‖xᵢ‖² and ‖x'ⱼ‖². Not for
/// Precomputed. Cost: an exponential or a power each.
void applyKernel(const KernelFunction& kernel, const Eigen::Ref<const Eigen::VectorXd>& rowNorms,
                 const Eigen::Ref<const Eigen::RowVectorXd>& columnNorms,
                 Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> products);

/// Row of a kernel matrix. Stays valid as long as the handle lives, whatever the store forgets.
struct KernelRow {
    const double* values = nullptr;
    std::shared_ptr<const double[]> owner; ///< null when the store keeps all rows anyhow
};

/// Rows of the kernel matrix of a set of samples. They depend on no regularization parameter and no label, so one store
/// serves a whole path and all lanes. When all n² values fit the budget they are made at once by blocked matrix
/// products; beyond it rows are made when they are asked for, and the one not used for longest gives way.
///
/// A row has the same bits whenever it is made. Thread-safe after fill().
class KernelRows {
  public:
    /// `features` must outlive the store, and for precomputed kernels are the rows themselves. `budget` in bytes, at
    /// least bytesPerRow().
    KernelRows(const KernelFunction& kernel, const FeatureRows& features, double budget);
    /// Rows and columns of `whole` that are numbered by `picked`, whose features these are: values are picked out of
    /// its rows, none is made here. Not for precomputed kernels.
    KernelRows(std::shared_ptr<const KernelRows> whole, std::vector<Eigen::Index> picked, const FeatureRows& features,
               double budget);

    [[nodiscard]] static double bytesPerRow(Eigen::Index rows) {
        return static_cast<double>(rows) * static_cast<double>(sizeof(double));
    }

    /// Makes all rows if they fit the budget: O(n² d / 2) by blocks, which are spread over the threads of `team`; the
    /// bits do not depend on how many. False when `stopCheck` asked to stop.
    bool fill(StopCheck& stopCheck, ThreadTeam& team);
    bool fill(StopCheck& stopCheck); ///< in the calling thread

    [[nodiscard]] KernelRow row(Eigen::Index i) const;
    [[nodiscard]] const KernelFunction& kernel() const { return m_kernel; }
    [[nodiscard]] const Eigen::VectorXd& diagonal() const { return m_diagonal; }
    /// Rounding of a value: at most error() · (Kᵢᵢ Kⱼⱼ)^½.
    [[nodiscard]] double error() const { return m_error; }
    [[nodiscard]] Eigen::Index rows() const { return m_features.rows(); }
    [[nodiscard]] bool keepsAll() const { return m_keepsAll; }
    /// No value is made any more when a row is asked for: all are kept, here or where they are picked from.
    [[nodiscard]] bool hasAllValues() const { return m_keepsAll || (m_whole != nullptr && m_whole->hasAllValues()); }
    [[nodiscard]] double bytes() const;          ///< held now
    [[nodiscard]] std::int64_t rowsMade() const; ///< so far, all rows of fill() counted once

  private:
    struct Slot {
        std::shared_ptr<const double[]> values;
        std::list<Eigen::Index>::iterator use;
    };

    [[nodiscard]] std::shared_ptr<const double[]> make(Eigen::Index i) const;
    /// Memory for all rows, each page of it written to once: the system clears pages when they are first written to,
    /// and the first block of rows and columns would have to wait for all of them. False when `stopCheck` asked to
    /// stop.
    bool clearMemory(StopCheck& stopCheck, ThreadTeam& team);
    /// Fills rows first … first + count − 1 from the diagonal on, and their mirror image below it.
    void fillBlock(Eigen::Index first, Eigen::Index count);

    /// The picked ones of one row.
    void pickInto(Eigen::Index i, double* values) const;

    KernelFunction m_kernel;
    FeatureRows m_features;
    std::shared_ptr<const KernelRows> m_whole; ///< null: values are made from features, or all are kept
    std::vector<Eigen::Index> m_picked;
    double m_budget;
    Eigen::VectorXd m_norms; ///< ‖xᵢ‖²
    Eigen::VectorXd m_diagonal;
    double m_error;
    bool m_keepsAll;
    FeatureRows::Dense m_all;
    mutable std::mutex m_mutex; ///< guards what follows
    mutable std::vector<Slot> m_slots;
    mutable std::list<Eigen::Index> m_byUse; ///< most recent first
    mutable std::int64_t m_made = 0;
};

} // namespace lambdascope
