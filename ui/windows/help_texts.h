// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment.h"

#include <QString>

namespace lambdascope {

/// Name, version, licence, libraries and the papers of the families, as HTML.
[[nodiscard]] QString aboutText(const SchemaCatalog& catalog);

/// What can be ticked in a lane, in the words of the families' own field tables, as HTML.
[[nodiscard]] QString boundsText(const SchemaCatalog& catalog);

/// Mouse and keys in charts, as HTML.
[[nodiscard]] QString chartKeysText();

} // namespace lambdascope
