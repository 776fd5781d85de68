// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

namespace lambdascope {

/// A family's screening observer that calls a function with every check.
template <class Observer, class Check>
class FunctionObserver final : public Observer {
  public:
    explicit FunctionObserver(std::function<void(const Check&)> function) : m_function(std::move(function)) {}
    void checked(const Check& check) override { m_function(check); }

  private:
    std::function<void(const Check&)> m_function;
};

} // namespace lambdascope
