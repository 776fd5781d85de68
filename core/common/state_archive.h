// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lambdascope {

/// Exact bytes of a state: writes the parts that it is called with, or takes over what was written. One function
/// `transfer` of a type serves both, and names all members, so that a new one which it forgets does not compile:
///
///     void transfer(auto& archive) {
///         auto& [alpha, bias] = *this;
///         archive(alpha, bias);
///     }
///
/// The bytes are those of this build on this machine: who keeps them has to see to it that no other one reads them.
/// Where bytes are missing, parts that are read become zero or empty, and isSound() is false from then on.
class StateArchive {
  public:
    StateArchive() = default; ///< for writing
    /// For reading `bytes`, which must outlive the archive.
    explicit StateArchive(std::string_view bytes) : m_isReading(true), m_left(bytes) {}

    [[nodiscard]] bool isReading() const { return m_isReading; }
    /// What was written.
    [[nodiscard]] std::string take() { return std::move(m_written); }
    /// Nothing that was read was missing or refused.
    [[nodiscard]] bool isSound() const { return m_isSound; }
    /// All was read, and nothing was missing.
    [[nodiscard]] bool isWhole() const { return m_isSound && m_left.empty(); }
    /// For types that find that what they read cannot be theirs.
    void refuse() { m_isSound = false; }

    /// The parts in their order. Writing changes nothing in them.
    template <class... Parts>
    void operator()(Parts&... parts) {
        (part(parts), ...);
    }

    void raw(void* data, std::size_t size) {
        if (size == 0) {
            return; // where there may be no data
        }
        if (!m_isReading) {
            m_written.append(static_cast<const char*>(data), size);
        } else if (has(size)) {
            std::memcpy(data, m_left.data(), size);
            m_left.remove_prefix(size);
        } else {
            std::memset(data, 0, size);
        }
    }

  private:
    template <class T>
    static constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
    template <class T>
    static constexpr bool kTransfers = requires(T& value, StateArchive& archive) {
        value.transfer(archive);
    };
    /// A matrix or vector of the linear algebra library, which this file need not know.
    template <class T>
    static constexpr bool kIsMatrix = requires(T& value) {
        value.rows();
        value.cols();
        value.data();
        value.resize(value.rows(), value.cols());
        T::ColsAtCompileTime;
    };

    /// Whether so many bytes are left to read; the archive is unsound if not.
    bool has(std::size_t bytes) {
        m_isSound = m_isSound && bytes <= m_left.size();
        return m_isSound;
    }
    /// A number of things of so many bytes each, at least; 0 when there cannot be so many.
    std::size_t count(std::size_t number, std::size_t bytesEach) {
        std::uint64_t value = number;
        raw(&value, sizeof value);
        if (m_isReading && (value > m_left.size() || !has(static_cast<std::size_t>(value) * bytesEach))) {
            m_isSound = false;
            return 0;
        }
        return static_cast<std::size_t>(value);
    }

    template <class T>
    void part(T& value) {
        if constexpr (kIsNumber<T>) {
            raw(&value, sizeof value);
        } else if constexpr (kIsMatrix<T>) {
            matrix(value);
        } else {
            static_assert(kTransfers<T>, "give the type a function transfer");
            value.transfer(*this);
        }
    }
    template <class Matrix>
    void matrix(Matrix& value) {
        using Scalar = std::remove_cvref_t<decltype(*value.data())>;
        std::int64_t rows = value.rows();
        std::int64_t columns = value.cols();
        raw(&rows, sizeof rows);
        raw(&columns, sizeof columns);
        if (m_isReading) {
            const auto most = static_cast<std::int64_t>(m_left.size() / sizeof(Scalar));
            const auto fits = [](std::int64_t size, int fixed) { return size >= 0 && (fixed < 0 || size == fixed); };
            m_isSound = m_isSound && fits(rows, Matrix::RowsAtCompileTime) &&
                        fits(columns, Matrix::ColsAtCompileTime) && (rows == 0 || columns <= most / rows);
            value.resize(m_isSound ? rows : std::max<int>(Matrix::RowsAtCompileTime, 0),
                         m_isSound ? columns : std::max<int>(Matrix::ColsAtCompileTime, 0));
        }
        raw(value.data(), static_cast<std::size_t>(value.size()) * sizeof(Scalar));
    }
    template <class T, std::size_t Size>
    void part(T (&values)[Size]) {
        row(values, Size);
    }
    template <class T, std::size_t Size>
    void part(std::array<T, Size>& values) {
        row(values.data(), Size);
    }
    template <class T>
    void row(T* values, std::size_t size) {
        if constexpr (kIsNumber<T>) {
            raw(values, size * sizeof(T));
        } else {
            for (std::size_t i = 0; i < size; ++i) {
                part(values[i]);
            }
        }
    }
    template <class List>
    void list(List& values) {
        const std::size_t size = count(values.size(), 0);
        if (m_isReading) {
            values.clear();
            values.resize(size);
        }
        for (auto& value : values) {
            part(value);
        }
    }
    template <class T>
    void part(std::vector<T>& values) {
        if constexpr (kIsNumber<T>) {
            const std::size_t size = count(values.size(), sizeof(T));
            values.resize(size);
            raw(values.data(), size * sizeof(T));
        } else {
            list(values);
        }
    }
    template <class T>
    void part(std::deque<T>& values) {
        list(values);
    }
    void part(std::string& text) {
        text.resize(count(text.size(), 1));
        raw(text.data(), text.size());
    }
    template <class First, class Second>
    void part(std::pair<First, Second>& value) {
        part(value.first);
        part(value.second);
    }
    template <class T>
    void part(std::optional<T>& value) {
        bool isThere = value.has_value();
        raw(&isThere, sizeof isThere);
        if (m_isReading) {
            value = isThere ? std::optional<T>(T{}) : std::nullopt;
        }
        if (value) {
            part(*value);
        }
    }
    template <class T>
    void part(std::shared_ptr<const T>& value) {
        bool isThere = value != nullptr;
        raw(&isThere, sizeof isThere);
        if (m_isReading) {
            auto own = isThere ? std::make_shared<T>() : nullptr;
            if (own) {
                part(*own);
            }
            value = std::move(own);
        } else if (value) {
            part(const_cast<T&>(*value)); // which writing does not change
        }
    }

    bool m_isReading = false;
    bool m_isSound = true;
    std::string m_written;
    std::string_view m_left;
};

} // namespace lambdascope
