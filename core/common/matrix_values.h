// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lambdascope {

/// The numbers of a matrix, for those who keep, send or show them and compute nothing: they need no linear algebra.
class MatrixValues {
  public:
    MatrixValues() = default;
    MatrixValues(std::int64_t rows, std::int64_t columns, double value = 0)
        : m_rows(rows), m_columns(columns), m_values(static_cast<std::size_t>(rows * columns), value) {}
    /// A copy of a matrix of the linear algebra library, or of anything else with rows(), cols() and entries.
    template <class Matrix>
    requires requires(const Matrix& matrix) {
        matrix.rows();
        matrix.cols();
        static_cast<double>(matrix(0, 0));
    }
    MatrixValues(const Matrix& matrix) : MatrixValues(matrix.rows(), matrix.cols()) {
        for (std::int64_t column = 0; column < m_columns; ++column) {
            for (std::int64_t row = 0; row < m_rows; ++row) {
                (*this)(row, column) = matrix(row, column);
            }
        }
    }

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t cols() const { return m_columns; }
    [[nodiscard]] std::int64_t size() const { return m_rows * m_columns; }
    [[nodiscard]] double operator()(std::int64_t row, std::int64_t column) const {
        return m_values[place(row, column)];
    }
    [[nodiscard]] double& operator()(std::int64_t row, std::int64_t column) { return m_values[place(row, column)]; }
    [[nodiscard]] const double* data() const { return m_values.data(); } ///< column by column
    [[nodiscard]] double* data() { return m_values.data(); }
    bool operator==(const MatrixValues&) const = default;

  private:
    [[nodiscard]] std::size_t place(std::int64_t row, std::int64_t column) const {
        return static_cast<std::size_t>(column * m_rows + row);
    }

    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::vector<double> m_values;
};

} // namespace lambdascope
