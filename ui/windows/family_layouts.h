// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace lambdascope {

class RunCollection;
class Settings;
class ViewStage;

/// Each family has an arrangement of views of its own, which comes back with its runs, after a restart too. An
/// experiment that names a view in its document opens on that, once: what is chosen then stays when it runs again.
class FamilyLayouts : public QObject {
    Q_OBJECT

  public:
    /// All must outlive it.
    FamilyLayouts(RunCollection& runs, ViewStage& stage, Settings& settings, QObject* parent = nullptr);

    /// Keeps the arrangement that is shown for the family that is shown.
    void keep();
    /// Forgets the arrangement of the family that is shown.
    void reset();

  private:
    void follow();
    void openView();

    RunCollection& m_runs;
    ViewStage& m_stage;
    Settings& m_settings;
    QString m_family;     ///< of the newest run shown; empty before there is one
    QString m_experiment; ///< whose view was opened last
};

} // namespace lambdascope
