// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment.h"

#include <QList>
#include <QString>

class QAction;

namespace lambdascope {

/// Name, version, licence, libraries and the papers of the families, as HTML.
[[nodiscard]] QString aboutText(const SchemaCatalog& catalog);

/// What can be ticked in a lane, in the words of the families' own field tables, as HTML.
[[nodiscard]] QString boundsText(const SchemaCatalog& catalog);

/// Mouse and keys in charts, as HTML.
[[nodiscard]] QString chartKeysText();
/// Keys that a table answers to while it has the focus: those of its commands.
[[nodiscard]] QString tableKeysText(const QString& title, const QList<QAction*>& commands);

} // namespace lambdascope
