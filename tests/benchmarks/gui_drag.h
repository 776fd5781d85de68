// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <string>

namespace lambdascope {

class MainWindow;
class Workbench;

/// Runs the event loop until `condition` holds; false when it does not in so many seconds.
bool waitFor(const std::function<bool()>& condition, double seconds);
/// A line of what was measured.
void print(const std::string& name, double value, const std::string& unit);

/// A row of 500 (SVM, PU) and of 200 (metric) dragged in circles on the page that edits rows, with paths of 20 points:
/// pictures per second, and the time from an edit to the first path that has it. Pictures of the window go into
/// `folder`, unless it is empty. False when nothing moved.
bool measureDrags(Workbench& workbench, MainWindow& window, const QString& folder);

} // namespace lambdascope
