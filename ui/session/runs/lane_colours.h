// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <map>

namespace lambdascope {

class RunRecord;

/// Which colour each lane has, by its name: the same in every chart and table, beside other runs, in exports and after
/// a restart, since it is kept in the settings. Colours are places in the cycle of colours, dashes and markers of
/// charts: those that differ by kCount have the same colour, with another dash and tint. Two names that came with
/// different experiments may have one colour; where they meet in one experiment, one of them gets a free colour there.
/// GUI thread only.
class LaneColours {
  public:
    static constexpr int kCount = 8; ///< colours before the cycle takes other dashes and tints

    /// Reads what is kept; the lanes of the first example are known from the start.
    LaneColours();

    /// The place of every lane of an experiment. Known names keep theirs, but of several with one colour only the first
    /// place does; the others and new names get the first colours that no other lane of the experiment has. Up to
    /// kCount lanes have different colours.
    [[nodiscard]] std::map<QString, int> placesOf(const QStringList& lanes) const;
    /// The same, and keeps them.
    void learn(const QStringList& lanes);

  private:
    std::map<QString, int> m_places;
};

/// The names of all lanes of the experiment that a run belongs to.
[[nodiscard]] QStringList laneNamesOf(const RunRecord& record);

} // namespace lambdascope
