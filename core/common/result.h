// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

#include <cassert>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace lambdascope {

/// Wraps an Error on its way into a Result, as std::unexpected does: `return Failure{error};`
struct Failure {
    Error error;
    explicit Failure(Error e) : error(std::move(e)) {}
};

/// Either a value or an Error. The names follow std::expected, so that an alias can replace it with C++23.
template <class T>
class [[nodiscard]] Result {
  public:
    using value_type = T;

    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Failure failure) : m_state(std::in_place_index<1>, std::move(failure.error)) {}

    [[nodiscard]] bool has_value() const noexcept { return m_state.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    T& value() & {
        assert(has_value());
        return std::get<0>(m_state);
    }
    const T& value() const& {
        assert(has_value());
        return std::get<0>(m_state);
    }
    T&& value() && {
        assert(has_value());
        return std::get<0>(std::move(m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const& {
        assert(!has_value());
        return std::get<1>(m_state);
    }
    Error&& error() && {
        assert(!has_value());
        return std::get<1>(std::move(m_state));
    }

    template <class U>
    T value_or(U&& other) const& {
        return has_value() ? value() : static_cast<T>(std::forward<U>(other));
    }

    /// f(value) -> Result<U>, or this error.
    template <class F>
    auto and_then(F&& f) && -> std::invoke_result_t<F, T&&> {
        if (!has_value()) {
            return Failure{std::move(*this).error()};
        }
        return std::invoke(std::forward<F>(f), std::move(*this).value());
    }

    /// f(value) -> U, or this error.
    template <class F>
    auto transform(F&& f) && -> Result<std::invoke_result_t<F, T&&>> {
        if (!has_value()) {
            return Failure{std::move(*this).error()};
        }
        return std::invoke(std::forward<F>(f), std::move(*this).value());
    }

  private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    using value_type = void;

    Result() = default;
    Result(Failure failure) : m_error(std::move(failure.error)), m_failed(true) {}

    [[nodiscard]] bool has_value() const noexcept { return !m_failed; }
    explicit operator bool() const noexcept { return has_value(); }

    const Error& error() const& {
        assert(m_failed);
        return m_error;
    }
    Error&& error() && {
        assert(m_failed);
        return std::move(m_error);
    }

  private:
    Error m_error;
    bool m_failed = false;
};

} // namespace lambdascope
