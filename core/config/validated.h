// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

namespace lambdascope {

/// Proof in the type that a value passed its checks. Only the functions that check it make one; see experiment.h.
template <class T>
class Validated {
  public:
    const T& operator*() const { return m_value; }
    const T* operator->() const { return &m_value; }

  private:
    friend struct ExperimentChecker;
    explicit Validated(T value) : m_value(std::move(value)) {}
    T m_value;
};

} // namespace lambdascope
