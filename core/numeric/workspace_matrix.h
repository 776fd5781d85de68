// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/memory_pages.h"

#include <Eigen/Core>

namespace lambdascope {

/// Memory for matrices whose shape changes from use to use: it only grows, so that large ones do not go back to the
/// system, which clears every page again. What a matrix held is lost when the shape changes.
class WorkspaceMatrix {
  public:
    using Matrix = Eigen::Map<Eigen::MatrixXd>;

    Matrix shape(Eigen::Index rows, Eigen::Index columns) {
        if (rows * columns > m_numbers.size()) {
            m_numbers.resize(rows * columns + rows * columns / 4);
            preferHugePages(m_numbers.data(), static_cast<std::size_t>(m_numbers.size()) * sizeof(double));
        }
        return {m_numbers.data(), rows, columns};
    }

  private:
    Eigen::VectorXd m_numbers;
};

} // namespace lambdascope
