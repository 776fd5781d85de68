// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/npy_loader.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/data/fault_list.h"
#include "core/data/label_column.h"
#include "core/data/matrix_loader.h"
#include "core/data/memory_limit.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace lambdascope {

namespace {

struct NpyHeader {
    std::string type; ///< such as "<f8"
    bool isFortranOrder = false;
    std::vector<std::uint64_t> shape;
};

/// Text after `'key':` in the header's dictionary, or nothing.
std::optional<std::string_view> valueOf(std::string_view header, std::string_view key) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = quote + std::string(key) + quote;
        const std::size_t at = header.find(quoted);
        const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at + quoted.size());
        if (colon != std::string_view::npos) {
            return trimmed(header.substr(colon + 1));
        }
    }
    return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> parseShape(std::string_view text) {
    const std::size_t close = text.find(')');
    if (!text.starts_with('(') || close == std::string_view::npos) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> shape;
    std::string_view rest = text.substr(1, close - 1);
    while (!trimmed(rest).empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view number = trimmed(rest.substr(0, comma));
        std::uint64_t size = 0;
        const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), size);
        if (status != std::errc{} || (end != number.data() + number.size() && *end != 'L')) {
            return std::nullopt;
        }
        shape.push_back(size);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return shape;
}

std::optional<NpyHeader> parseHeader(std::string_view text) {
    const auto type = valueOf(text, "descr");
    const auto order = valueOf(text, "fortran_order");
    const auto shapeText = valueOf(text, "shape");
    if (!type || !order || !shapeText || type->size() < 2) {
        return std::nullopt;
    }
    const std::size_t close = type->find(type->front(), 1);
    auto shape = parseShape(*shapeText);
    if (close == std::string_view::npos || !shape) {
        return std::nullopt;
    }
    return NpyHeader{std::string(type->substr(1, close - 1)), order->starts_with("True"), std::move(*shape)};
}

using Convert = void (*)(const char* from, std::size_t count, double* to, std::size_t stride);

template <class T>
void convert(const char* from, std::size_t count, double* to, std::size_t stride) {
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, from + i * sizeof(T), sizeof(T));
        to[i * stride] = static_cast<double>(value);
    }
}

struct ElementType {
    std::string_view name;
    std::size_t size;
    Convert toDoubles;
};
constexpr std::array kTypes = {
    ElementType{"<f8", 8, convert<double>},        ElementType{"<f4", 4, convert<float>},
    ElementType{"<i8", 8, convert<std::int64_t>},  ElementType{"<i4", 4, convert<std::int32_t>},
    ElementType{"<i2", 2, convert<std::int16_t>},  ElementType{"|i1", 1, convert<std::int8_t>},
    ElementType{"<u8", 8, convert<std::uint64_t>}, ElementType{"<u4", 4, convert<std::uint32_t>},
    ElementType{"<u2", 2, convert<std::uint16_t>}, ElementType{"|u1", 1, convert<std::uint8_t>},
    ElementType{"|b1", 1, convert<std::uint8_t>}};

class NpyReader {
  public:
    explicit NpyReader(InputReader& input) : m_input(input), m_faults(input.file()) {}

    Result<RawData> read(const LoadOptions& options) {
        auto header = readHeader();
        if (!header) {
            return Failure(std::move(header).error());
        }
        auto values = readValues(*header);
        if (!values) {
            return Failure(std::move(values).error());
        }
        return rawDataFromMatrix(std::move(*values), options, m_faults);
    }

  private:
    Failure fail(std::string message, std::string remedy, ErrorCode code = ErrorCode::InvalidData) {
        m_faults.add(0, 0, std::move(message), std::move(remedy));
        return m_faults.failure(code);
    }
    Failure cutOff(const std::string& what) {
        return fail("the NPY file is cut off: it ends in " + what, "Copy or save the file again.");
    }

    Result<NpyHeader> readHeader() {
        std::array<char, 12> start{};
        const auto got = m_input.readBytes(start.data(), 8);
        if (!got) {
            return Failure(got.error());
        }
        if (*got < 8 || std::string_view(start.data(), 6) != "\x93NUMPY") {
            return fail("does not begin as an NPY file does", "Save the array with numpy.save, or set \"format\".");
        }
        const int version = static_cast<unsigned char>(start[6]);
        if (version < 1 || version > 3) {
            return fail("has NPY version " + std::to_string(version) + ", which is not known here",
                        "Save the array again with numpy.save.", ErrorCode::UnsupportedFormat);
        }
        const std::size_t lengthBytes = version == 1 ? 2 : 4;
        const auto gotLength = m_input.readBytes(start.data(), lengthBytes);
        if (!gotLength) {
            return Failure(gotLength.error());
        }
        std::size_t length = 0;
        for (std::size_t i = 0; i < lengthBytes; ++i) {
            length |= static_cast<std::size_t>(static_cast<unsigned char>(start[i])) << (8 * i);
        }
        constexpr std::size_t kLongestHeader = std::size_t{1} << 20;
        if (length > kLongestHeader) {
            return fail("has an impossible NPY header of " + byteText(static_cast<double>(length)),
                        "Save the array again with numpy.save.");
        }
        std::string text(length, '\0');
        const auto gotText = m_input.readBytes(text.data(), length);
        if (!gotText) {
            return Failure(gotText.error());
        }
        if (*gotLength < lengthBytes || *gotText < length) {
            return cutOff("its header");
        }
        auto header = parseHeader(text);
        if (!header) {
            return fail("has an NPY header that cannot be read: " + excerpt(text),
                        "Save the array again with numpy.save.");
        }
        return *header;
    }

    Result<DenseRows> readValues(const NpyHeader& header) {
        const auto type =
            std::find_if(kTypes.begin(), kTypes.end(), [&](const ElementType& t) { return t.name == header.type; });
        if (type == kTypes.end()) {
            return fail("holds elements of type " + excerpt(header.type) + ", which are not read here",
                        "Save the array as float64, little-endian: numpy.save(…, x.astype('<f8')).",
                        ErrorCode::UnsupportedFormat);
        }
        if (header.shape.empty() || header.shape.size() > 2) {
            return fail("holds an array of " + std::to_string(header.shape.size()) + " dimensions",
                        "Give an array of one or two dimensions: samples × features.");
        }
        const std::uint64_t rows = header.shape[0];
        const std::uint64_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
        if (!fitsInMemory(rows, columns)) {
            return fail("claims a shape of " + std::to_string(rows) + " × " + std::to_string(columns) +
                            ", more than this machine's memory",
                        "Take a part of the rows or columns.", ErrorCode::OutOfMemory);
        }
        if (rows > 0x7fffffff || columns > 0x7fffffff) {
            return fail("claims a shape of " + std::to_string(rows) + " × " + std::to_string(columns),
                        "Take a part of the rows or columns.");
        }
        const bool isCompressed = m_input.source().compression() != Compression::None;
        if (!isCompressed && rows * columns * type->size > m_input.source().sizeOnDisk()) {
            return cutOff("the middle of its " + std::to_string(rows) + " × " + std::to_string(columns) + " values");
        }
        DenseRows values(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
        const bool byColumns =
            header.isFortranOrder && columns > 1 && rows > 0; // of no values there is no address to count from
        const std::size_t runs = byColumns ? columns : 1;
        for (std::size_t run = 0; run < runs; ++run) {
            if (auto done = readRun(values.data() + run, byColumns ? rows : rows * columns, byColumns ? columns : 1,
                                    type->size, type->toDoubles);
                !done) {
                return Failure(std::move(done).error());
            }
        }
        return values;
    }

    /// `count` elements in a row of the file, to every `stride`-th double.
    Result<void> readRun(double* to, std::size_t count, std::size_t stride, std::size_t size, Convert toDoubles) {
        m_chunk.resize(std::size_t{1} << 18);
        while (count > 0) {
            const std::size_t elements = std::min(count, m_chunk.size() / size);
            const auto got = m_input.readBytes(m_chunk.data(), elements * size);
            if (!got) {
                return Failure(got.error());
            }
            if (*got < elements * size) {
                return cutOff("the middle of its values");
            }
            toDoubles(m_chunk.data(), elements, to, stride);
            to += elements * stride;
            count -= elements;
        }
        return {};
    }

    InputReader& m_input;
    FaultList m_faults;
    std::vector<char> m_chunk;
};

} // namespace

Result<RawData> NpyLoader::load(InputReader& input, const LoadOptions& options) const {
    return NpyReader(input).read(options);
}

namespace {

bool looksLikeClasses(const DenseRows& values, Eigen::Index column) {
    ValueCounter counter;
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
        counter.add(values(i, column));
    }
    return counter.looksLikeClasses();
}

/// Removes a column by moving values forward in the same memory, then gives the rest of the memory back.
std::vector<double> takeColumn(DenseRows& values, Eigen::Index column) {
    const Eigen::Index rows = values.rows();
    const Eigen::Index width = values.cols();
    std::vector<double> taken;
    taken.reserve(static_cast<std::size_t>(rows));
    double* to = values.data();
    for (Eigen::Index i = 0; i < rows; ++i) {
        const double* from = values.data() + i * width;
        taken.push_back(from[column]);
        to = std::copy(from, from + column, to);
        to = std::copy(from + column + 1, from + width, to);
    }
    values.resize(rows * width, 1); // same size: the memory stays as it is
    values.conservativeResize(rows * (width - 1), 1);
    values.resize(rows, width - 1);
    return taken;
}

} // namespace

void checkFinite(DenseRows& values, MissingPolicy missing, FaultList& faults) {
    for (Eigen::Index i = 0; i < values.rows() && !faults.isFull(); ++i) {
        for (Eigen::Index c = 0; c < values.cols(); ++c) {
            double& value = values(i, c);
            if (std::isfinite(value)) {
                continue;
            }
            if (missing == MissingPolicy::Fail) {
                faults.add(0, 0,
                           exactText(value) + " in row " + std::to_string(i + 1) + ", column " + std::to_string(c + 1) +
                               " is missing or not finite",
                           "Fill it in, or set data.missing to \"drop-rows\" or \"mean\".");
            }
            value = std::numeric_limits<double>::quiet_NaN();
        }
    }
}

Result<RawData> rawDataFromMatrix(DenseRows values, const LoadOptions& options, FaultList& faults) {
    if (values.rows() == 0 || values.cols() == 0) {
        faults.add(0, 0, "the file holds no samples", "Give a matrix of samples × features.");
        return faults.failure();
    }
    checkFinite(values, options.missing, faults);
    const LabelWish wish = LabelWish::from(options.labels, options.isTarget);
    std::optional<std::size_t> column = findLabelColumn(wish, {}, static_cast<std::size_t>(values.cols()), faults);
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    RawData data;
    if (wish.kind == LabelWish::Kind::Auto && values.cols() > 1) {
        const Eigen::Index last = values.cols() - 1;
        for (const Eigen::Index candidate : {last, Eigen::Index{0}}) {
            if (looksLikeClasses(values, candidate)) {
                column = static_cast<std::size_t>(candidate);
                data.notes.push_back("labels from column " + std::to_string(candidate + 1));
                break;
            }
        }
    }
    if (column && values.cols() == 1) {
        faults.add(0, 0, "no columns are left for the features", "Set \"labels\" to \"none\".");
        return faults.failure();
    }
    if (column) {
        data.labels = labelsFromNumbers(takeColumn(values, static_cast<Eigen::Index>(*column)));
    }
    data.dense = std::move(values);
    return data;
}

} // namespace lambdascope
