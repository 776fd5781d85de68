// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"
#include "core/study/study_folder.h"

#include <string>

namespace lambdascope {

class ExperimentRunner;
struct RunFolderFacts;

/// What run.json says besides what the events tell, of an experiment that is prepared.
[[nodiscard]] RunFolderFacts runFolderFacts(const ExperimentRunner& runner, const std::string& version, int threads,
                                            bool solutions);

/// What of a cell's run is kept.
struct CellWishes {
    bool embeddings = false; ///< for figures; most of what a run folder takes
    bool solutions = false;
};

/// Where the data of a study's cells are looked for.
[[nodiscard]] DataPlaces dataPlacesOf(const Study& study, const std::filesystem::path& bundled);

/// Computes a cell in the calling thread, into the run folder `work`, and moves that among the finished cells. Errors:
/// those of preparing; when a lane fails or all lanes end in trouble, Internal that names them, and what is there stays
/// in `work`; FileUnwritable.
Result<void> runCell(const std::filesystem::path& folder, const std::filesystem::path& work, const Study& study,
                     std::size_t number, const SchemaCatalog& catalog, const std::vector<Family>& families,
                     const CellWishes& wishes, const std::filesystem::path& bundled, const std::string& version);

} // namespace lambdascope
