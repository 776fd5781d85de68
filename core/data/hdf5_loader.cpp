// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_loader.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"
#include "core/data/hdf5_process.h"
#include "core/data/label_column.h"
#include "core/data/matrix_loader.h"
#include "core/data/memory_limit.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lambdascope {

namespace {

constexpr std::array<std::string_view, 5> kFeatureNames = {"x", "data", "features", "fea", "samples"};
constexpr std::array<std::string_view, 7> kLabelNames = {"y", "labels", "label", "gnd", "target", "class", "classes"};

template <class Names>
const Hdf5DataSet* findNamed(const std::vector<Hdf5DataSet>& sets, const Names& names) {
    for (const std::string_view name : names) {
        const auto found =
            std::find_if(sets.begin(), sets.end(), [&](const Hdf5DataSet& s) { return lowerCase(s.name()) == name; });
        if (found != sets.end()) {
            return &*found;
        }
    }
    return nullptr;
}

std::string listing(const std::vector<Hdf5DataSet>& sets) {
    constexpr std::size_t kMostShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(sets.size(), kMostShown); ++i) {
        text += (i == 0 ? "" : ", ") + utf8Text(sets[i].path) + " (" + std::to_string(sets[i].rows) + " × " +
                std::to_string(sets[i].columns) + ")";
    }
    return text + (sets.size() > kMostShown ? ", …" : "");
}

class Hdf5Reader {
  public:
    Hdf5Reader(InputReader& input, const LoadOptions& options, Hdf5Loader::Order order, std::unique_ptr<Hdf5File> file)
        : m_input(input), m_options(options), m_order(order), m_faults(input.file()), m_file(std::move(file)),
          m_sets(m_file->dataSets()) {}

    Result<RawData> read() {
        if (m_input.source().compression() != Compression::None) {
            return fail("is a compressed HDF5 file, which cannot be read in place", "Unpack it first.");
        }
        if (auto trouble = m_file->open(m_input.file())) {
            return fail(std::move(*trouble));
        }
        const Hdf5DataSet* features = chooseFeatures();
        if (features == nullptr) {
            return m_faults.failure();
        }
        const Hdf5DataSet* labels = chooseLabels(*features);
        if (!m_faults.isEmpty()) {
            return m_faults.failure();
        }
        return labels != nullptr ? readBoth(*features, *labels) : readFeaturesOnly(*features);
    }

  private:
    Failure fail(std::string message, std::string remedy, ErrorCode code = ErrorCode::InvalidData) {
        m_faults.add(0, 0, std::move(message), std::move(remedy));
        return m_faults.failure(code);
    }

    Failure fail(Hdf5Trouble trouble) {
        return trouble.code == ErrorCode::Stopped
                   ? Failure(plainError(ErrorCode::Stopped, "Reading " + m_input.file() + " was stopped."))
                   : fail(utf8Text(trouble.message), std::move(trouble.remedy), trouble.code);
    }

    const Hdf5DataSet* chooseFeatures() {
        if (const Hdf5DataSet* named = findNamed(m_sets, kFeatureNames)) {
            return named;
        }
        const auto isMatrix = [](const Hdf5DataSet& s) { return s.columns > 1 && s.rows > 1; };
        const auto found = std::find_if(m_sets.begin(), m_sets.end(), isMatrix);
        if (found != m_sets.end() && std::none_of(found + 1, m_sets.end(), isMatrix)) {
            return &*found;
        }
        m_faults.add(0, 0,
                     m_sets.empty() ? std::string("holds no data set of numbers with one or two dimensions")
                                    : "holds no data set named X and not exactly one matrix, but " + listing(m_sets),
                     "Name the samples × features matrix X, and the labels y.");
        return nullptr;
    }

    const Hdf5DataSet* chooseLabels(const Hdf5DataSet& features) {
        const LabelWish wish = LabelWish::from(m_options.labels, m_options.isTarget);
        const Hdf5DataSet* labels = nullptr;
        if (wish.kind == LabelWish::Kind::Auto) {
            labels = findNamed(m_sets, kLabelNames);
        } else if (wish.kind == LabelWish::Kind::Named) {
            const auto found = std::find_if(m_sets.begin(), m_sets.end(), [&](const Hdf5DataSet& s) {
                return s.name() == wish.name || s.path == wish.name;
            });
            labels = found != m_sets.end() ? &*found : nullptr;
            if (labels == nullptr && !parseInteger(wish.name)) {
                m_faults.addForKey(wish.key(), "there is no data set " + excerpt(wish.name) + " for the " + wish.noun(),
                                   "The file holds " + listing(m_sets) + ".");
            }
        }
        if (labels == nullptr || labels == &features) {
            return nullptr;
        }
        if (!labels->isWhole) {
            m_faults.add(0, 0, "is damaged: it does not store all of " + listing({*labels}),
                         "Copy or save the file again.");
            return nullptr;
        }
        const std::uint64_t count = labels->rows * labels->columns; // cannot wrap: the file stores them all
        if ((labels->rows > 1 && labels->columns > 1) || (count != features.rows && count != features.columns)) {
            m_faults.add(0, 0,
                         "the labels " + utf8Text(labels->path) +
                             " do not fit the features: " + listing({features, *labels}),
                         "Give one label for each sample.");
        }
        return labels;
    }

    Result<RawData> readFeaturesOnly(const Hdf5DataSet& features) {
        auto values = readMatrix(features, m_order);
        return values ? rawDataFromMatrix(std::move(*values), m_options, m_faults)
                      : Result<RawData>(Failure(std::move(values).error()));
    }

    Result<RawData> readBoth(const Hdf5DataSet& features, const Hdf5DataSet& labels) {
        const std::uint64_t count = labels.rows * labels.columns;
        const bool byRows = m_order == Hdf5Loader::Order::RowMajor;
        const bool isTransposed = count != (byRows ? features.rows : features.columns);
        auto values =
            readMatrix(features, byRows != isTransposed ? Hdf5Loader::Order::RowMajor : Hdf5Loader::Order::ColumnMajor);
        if (!values) {
            return Failure(std::move(values).error());
        }
        std::vector<double> labelValues(count);
        if (auto trouble = m_file->readRows(labels, 0, labels.rows, labelValues.data())) {
            return fail(std::move(*trouble));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!std::isfinite(labelValues[i])) {
                labelValues[i] = std::nan("");
                if (m_options.missing == MissingPolicy::Fail) {
                    m_faults.add(0, 0, "label " + std::to_string(i + 1) + " is missing or not finite",
                                 "Fill it in, or set data.missing to \"drop-rows\".");
                }
            }
        }
        checkFinite(*values, m_options.missing, m_faults);
        if (!m_faults.isEmpty()) {
            return m_faults.failure();
        }
        RawData data;
        data.labels = labelsFromNumbers(labelValues);
        data.dense = std::move(*values);
        data.notes.push_back("features from " + utf8Text(features.path) + (isTransposed ? " (transposed)" : "") +
                             ", labels from " + utf8Text(labels.path));
        return data;
    }

    Result<DenseRows> readMatrix(const Hdf5DataSet& set, Hdf5Loader::Order order) {
        if (set.rows == 0 || set.columns == 0) {
            return fail(utf8Text(set.path) + " is empty", "Give a matrix of samples × features.");
        }
        if (!set.isWhole) {
            return fail("is damaged: it does not store all of " + listing({set}), "Copy or save the file again.");
        }
        if (!fitsInMemory(set.rows, set.columns)) {
            return fail("claims " + listing({set}) + ", more than this machine's memory",
                        "Take a part of the rows or columns.", ErrorCode::OutOfMemory);
        }
        const bool byRows = order == Hdf5Loader::Order::RowMajor;
        DenseRows values(static_cast<Eigen::Index>(byRows ? set.rows : set.columns),
                         static_cast<Eigen::Index>(byRows ? set.columns : set.rows));
        constexpr std::uint64_t kPieceValues = std::uint64_t{1} << 19; // 4 MB, between two looks at the stop token
        const std::uint64_t step = std::max<std::uint64_t>(1, kPieceValues / set.columns);
        DenseRows piece;
        for (std::uint64_t first = 0; first < set.rows; first += step) {
            const std::uint64_t count = std::min(step, set.rows - first);
            if (m_input.source().stopToken().stop_requested()) {
                return fail({ErrorCode::Stopped, {}, {}});
            }
            if (!byRows) {
                piece.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(set.columns));
            }
            double* to = byRows ? values.data() + first * set.columns : piece.data();
            if (auto trouble = m_file->readRows(set, first, count, to)) {
                return fail(std::move(*trouble));
            }
            if (!byRows) {
                values.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count)) =
                    piece.transpose();
            }
            m_input.source().reportShare(static_cast<double>(first + count) / static_cast<double>(set.rows));
        }
        return values;
    }

    InputReader& m_input;
    const LoadOptions& m_options;
    Hdf5Loader::Order m_order;
    FaultList m_faults;
    std::unique_ptr<Hdf5File> m_file;
    const std::vector<Hdf5DataSet>& m_sets; ///< of m_file
};

} // namespace

Result<RawData> Hdf5Loader::load(InputReader& input, const LoadOptions& options) const {
    return Hdf5Reader(input, options, m_order, m_reading(input.source().stopToken())).read();
}

std::unique_ptr<Hdf5File> Hdf5Loader::inAnotherProcess(const std::stop_token& stop) {
    return std::make_unique<Hdf5Process>(stop);
}

} // namespace lambdascope
