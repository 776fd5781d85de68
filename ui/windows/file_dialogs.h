// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;
class QString;
class QWidget;

namespace lambdascope {

class Workbench;

// Each shows a dialog over `window` and returns at once; the workbench does what is chosen.

/// Data, experiments and exported figures, several at once.
void askToOpen(Workbench& workbench, QWidget* window, const QString& title);
void askForRunFolder(Workbench& workbench, QWidget* window);
/// A folder that is there, for `receiver`, unless that is gone by then.
void askForFolder(QWidget* window, const QString& title, QObject* receiver,
                  std::function<void(const QString& folder)> chosen);
/// Saves to the experiment's own file; asks for one when there is none, or with `askName`.
void saveExperiment(Workbench& workbench, QWidget* window, bool askName);

} // namespace lambdascope
