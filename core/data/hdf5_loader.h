// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/hdf5_file.h"
#include "core/data/loader.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace lambdascope {

/// HDF5 files, and MAT files of version 7.3, which are HDF5 files of another order.
///
/// Features: the data set named X, data, features, fea or samples (in any group and case), else the only
/// two-dimensional one. Labels: the data set that DataConfig::labels names, with auto one named y, labels, label, gnd,
/// target or class; without such a one as in rawDataFromMatrix. When the labels count the columns of the features
/// rather than their rows, the features are transposed.
/// Memory: the matrix and a few megabytes.
class Hdf5Loader final : public Loader {
  public:
    enum class Order {
        RowMajor,    ///< a data set has the shape that h5dump shows: samples × features
        ColumnMajor, ///< as MATLAB stores: h5dump shows features × samples
    };
    /// How files are read; stops soon after the token says so.
    using Reading = std::function<std::unique_ptr<Hdf5File>(const std::stop_token& stop)>;

    explicit Hdf5Loader(Order order, Reading reading = inAnotherProcess)
        : m_order(order), m_reading(std::move(reading)) {}

    /// See Hdf5Process.
    static std::unique_ptr<Hdf5File> inAnotherProcess(const std::stop_token& stop);

    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;

  private:
    Order m_order;
    Reading m_reading;
};

} // namespace lambdascope
