// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QPushButton;
class QString;
class QWidget;

namespace lambdascope {

/// Runs the event loop until `condition` holds; false when `milliseconds` pass first. The limit only bounds a failing
/// test: a passing one ends as soon as the condition does.
[[nodiscard]] bool waitUntil(const std::function<bool()>& condition, int milliseconds = 20000);

/// Handles all events that are pending now, deferred deletions too.
void settleEvents();

/// The button inside of `parent` that says `text`; null if there is none.
[[nodiscard]] QPushButton* buttonOf(const QWidget& parent, const QString& text);

} // namespace lambdascope
