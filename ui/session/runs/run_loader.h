// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/record/run_record.h"
#include "ui/session/background_jobs.h"
#include "ui/session/runs/run_collection.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace lambdascope {

/// Reads finished runs (a run folder, the library) in a thread of its own, so that the window stays alive. Several
/// readings may be under way; each is told once, in the GUI thread, unless the loader is gone by then: it waits for
/// readings under way and drops their results. GUI thread only.
class RunLoader : public QObject {
    Q_OBJECT

  public:
    /// Runs with the names they are shown under; without any, those of their lanes.
    struct Runs {
        std::vector<RunRecord> records;
        std::vector<QString> names;
        QString folder = {};  ///< run folder that they were found in, when the place was not known before
        bool isOther = false; ///< not the runs that were looked for, but others of an equal experiment
    };
    /// How the runs are to be shown.
    struct Wish {
        QString lane;            ///< alone; empty: all
        bool isBeside = false;   ///< what is shown stays
        bool isOfFigure = false; ///< they are looked for because an exported figure shows them
    };
    /// What came of one reading.
    struct Loaded {
        Result<Runs> runs;
        RunOrigin origin;
        QString place; ///< path of the folder; empty for the library
        Wish wish;
    };

    explicit RunLoader(QObject* parent = nullptr) : QObject(parent) {}

    /// Starts `read` in the background; the receiver gets the result.
    void load(std::function<Result<Runs>()> read, RunOrigin origin, const QString& place, const Wish& wish);
    /// Who receives results.
    void setReceiver(std::function<void(Loaded)> receiver) { m_receiver = std::move(receiver); }

  private:
    Q_INVOKABLE void takeFinished();

    std::function<void(Loaded)> m_receiver;
    using Jobs = BackgroundJobs<Runs>;
    struct Source {
        RunOrigin origin = RunOrigin::Folder;
        QString place;
        Wish wish;
    };
    std::map<std::shared_ptr<Jobs::Job>, Source> m_sources; ///< of what is under way
    Jobs m_jobs{this, "this run"};
};

} // namespace lambdascope
