// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workbench that shows what the cells of a study hold.
#include "core/store/run_folder.h"
#include "ui/windows/workbench.h"

#include <algorithm>

namespace lambdascope {

void Workbench::showStudyCell(const QString& folder, bool shown) {
    const std::string place = folder.toStdString();
    std::vector<RunId> runs;
    std::copy_if(m_runs.ids().begin(), m_runs.ids().end(), std::back_inserter(runs),
                 [&](RunId id) { return m_runs.display(id).folder == place; });
    if (!runs.empty()) {
        m_runs.setShown(runs, shown);
    } else if (shown) {
        const auto read = [place]() -> Result<RunLoader::Runs> {
            auto records = readRunFolder(place);
            return records ? Result<RunLoader::Runs>(RunLoader::Runs{std::move(*records), {}})
                           : Failure{records.error()};
        };
        RunLoader::Wish wish;
        wish.isBeside = true;
        m_loader.load(read, RunOrigin::Folder, folder, wish);
    }
}

} // namespace lambdascope
