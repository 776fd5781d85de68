// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"

namespace lambdascope {

/// Makes the tables in an empty file, or checks that they are those of a run library this program can read. Throws
/// SqliteFailure; leaves a foreign file as it is.
void prepareLibrarySchema(SqliteDatabase& database);

} // namespace lambdascope
