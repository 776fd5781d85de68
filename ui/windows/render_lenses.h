// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_catalogue.h"
#include "ui/session/inspect/inspection_cache.h"

#include <QString>

#include <iosfwd>
#include <memory>
#include <string>

namespace lambdascope {

/// The lenses of the lanes of a run folder, for figures drawn without a window. Says on a stream which lane is being
/// computed again and how far it is: a line that is drawn over on a terminal, else one line per lane.
class RenderLenses {
  public:
    /// `errors` must outlive it, and so must the records of the lanes it is asked for. Data are looked for in `folders`
    /// and the working folder.
    RenderLenses(const QStringList& folders, std::ostream& errors, bool isTerminal);

    [[nodiscard]] LensSource source();
    /// Why the figures of a lane are not drawn unless they are asked for by name; empty when they are.
    [[nodiscard]] static QString obstacle(const ShownRun& run);

  private:
    Result<RunLens*> open(const ShownRun& run);
    void show(const std::string& what, double share);
    void clear();

    DataPlaces m_places;
    std::ostream& m_errors;
    bool m_isTerminal;
    std::string m_lane; ///< computed again last
    std::string m_line; ///< shown last
    std::unique_ptr<InspectionCache> m_bench = std::make_unique<InspectionCache>();
};

} // namespace lambdascope
