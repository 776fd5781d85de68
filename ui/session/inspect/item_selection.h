// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"

#include <QObject>

namespace lambdascope {

/// What somebody pointed at in one view and others may want to explain: an item of a run, by its number, or a sample
/// that items begin at. Knows no view and no family.
class ItemSelection : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    void pickItem(RunId run, qint64 item) { Q_EMIT itemPicked(run, item); }
    void pickSample(RunId run, qint64 sample) { Q_EMIT samplePicked(run, sample); }

  Q_SIGNALS:
    void itemPicked(lambdascope::RunId run, qint64 item);
    void samplePicked(lambdascope::RunId run, qint64 sample);
};

} // namespace lambdascope
