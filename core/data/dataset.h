// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// Rows are samples, contiguous in memory.
using DenseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Eigen 3.4 copies a sparse matrix where it could move it, which would double the memory of large data; this one
/// moves.
class SparseRows : public Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t> {
  public:
    using Base = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
    using Base::Base;
    using Base::operator=;

    SparseRows() = default;
    SparseRows(const SparseRows&) = default;
    SparseRows(SparseRows&& other) noexcept { swap(other); }
    SparseRows& operator=(const SparseRows& other) {
        Base::operator=(other);
        return *this;
    }
    SparseRows& operator=(SparseRows&& other) noexcept {
        swap(other);
        return *this;
    }
    ~SparseRows() = default;
};

/// Samples with class labels or numbers to fit, either dense or sparse. Immutable once built; shared as
/// shared_ptr<const Dataset>.
class Dataset {
  public:
    /// Everything a Dataset is made of. `labels` is empty (unlabelled) or one class index per row.
    struct Parts {
        std::string name;
        DenseRows dense;   ///< used when `isSparse` is false
        SparseRows sparse; ///< used when `isSparse` is true
        bool isSparse = false;
        std::vector<std::int32_t> labels;
        std::vector<std::string>
            classNames;          ///< as in the file, in order of first appearance sorted numerically if numbers
        Eigen::VectorXd targets; ///< the number that belongs to each row, in place of a label; empty for none
        std::string targetName;
        std::vector<std::string> featureNames;  ///< one per feature, or empty
        std::vector<std::string> rowNames;      ///< one per sample (cities of eurodist), or empty
        std::string sourceSha256;               ///< of the bytes that were read, uncompressed file as it stands on disk
        std::string contentSha256;              ///< of shape, values and labels after preparation
        std::shared_ptr<const Dataset> heldOut; ///< null when the subset left no rows out
        std::string description;                ///< what was done: "min–max to [−1, 1], 135 of 150 rows"
    };

    explicit Dataset(Parts parts);

    [[nodiscard]] const std::string& name() const { return m_parts.name; }
    [[nodiscard]] Eigen::Index rows() const;
    [[nodiscard]] Eigen::Index features() const;
    [[nodiscard]] bool isSparse() const { return m_parts.isSparse; }
    [[nodiscard]] const DenseRows& dense() const;   ///< asserts !isSparse()
    [[nodiscard]] const SparseRows& sparse() const; ///< asserts isSparse()
    /// A dense copy, or the dense rows themselves copied; cost O(rows · features).
    [[nodiscard]] DenseRows toDense() const;

    [[nodiscard]] bool isLabelled() const { return !m_parts.labels.empty(); }
    [[nodiscard]] const std::vector<std::int32_t>& labels() const { return m_parts.labels; }
    [[nodiscard]] const std::vector<std::string>& classNames() const { return m_parts.classNames; }
    [[nodiscard]] bool hasTargets() const { return m_parts.targets.size() > 0; }
    [[nodiscard]] const Eigen::VectorXd& targets() const { return m_parts.targets; }
    [[nodiscard]] const std::string& targetName() const { return m_parts.targetName; }
    [[nodiscard]] const std::vector<std::string>& featureNames() const { return m_parts.featureNames; }
    [[nodiscard]] const std::vector<std::string>& rowNames() const { return m_parts.rowNames; }
    [[nodiscard]] const std::string& sourceSha256() const { return m_parts.sourceSha256; }
    [[nodiscard]] const std::string& contentSha256() const { return m_parts.contentSha256; }
    [[nodiscard]] const std::string& description() const { return m_parts.description; }
    /// Rows that the subset left out (a spread of them when there are very many), prepared by the same affine changes:
    /// same features, same class codes. Null when there are none.
    [[nodiscard]] const Dataset* heldOut() const { return m_parts.heldOut.get(); }

  private:
    Parts m_parts;
};

} // namespace lambdascope
