// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/loader.h"

#include "core/data/arff_loader.h"
#include "core/data/delimited_loader.h"
#include "core/data/hdf5_loader.h"
#include "core/data/libsvm_loader.h"
#include "core/data/npy_loader.h"

namespace lambdascope {

std::unique_ptr<Loader> makeLoader(DataFormat format) {
    switch (format) {
    case DataFormat::Guess: break;
    case DataFormat::Libsvm: return std::make_unique<LibsvmLoader>();
    case DataFormat::Csv: return std::make_unique<CsvLoader>();
    case DataFormat::Tsv: return std::make_unique<CsvLoader>('\t');
    case DataFormat::Arff: return std::make_unique<ArffLoader>();
    case DataFormat::Npy: return std::make_unique<NpyLoader>();
    case DataFormat::Hdf5: return std::make_unique<Hdf5Loader>(Hdf5Loader::Order::RowMajor);
    case DataFormat::Mat73: return std::make_unique<Hdf5Loader>(Hdf5Loader::Order::ColumnMajor);
    case DataFormat::DenseText: return std::make_unique<DenseTextLoader>();
    }
    return nullptr;
}

std::string_view formatTitle(DataFormat format) {
    switch (format) {
    case DataFormat::Guess: break;
    case DataFormat::Libsvm: return "LIBSVM";
    case DataFormat::Csv: return "CSV";
    case DataFormat::Tsv: return "TSV";
    case DataFormat::Arff: return "ARFF";
    case DataFormat::Npy: return "NPY";
    case DataFormat::Hdf5: return "HDF5";
    case DataFormat::Mat73: return "MAT v7.3";
    case DataFormat::DenseText: return "dense text";
    }
    return "unknown format";
}

} // namespace lambdascope
