// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/families.h"
#include "ui/session/background_jobs.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace lambdascope {

/// Asks in the background which families take a data set as it is, and what the others lack. GUI thread only.
class DataFits : public QObject {
    Q_OBJECT

  public:
    explicit DataFits(QObject* parent = nullptr);

    /// `document`: the experiment, whose own family is asked with its settings. Null data: nothing is known.
    void request(const Json& document, std::shared_ptr<const Dataset> data, const DataPlaces& places);

    /// In the order of the families; empty while unknown.
    [[nodiscard]] const std::vector<DataFit>& fits() const { return m_fits; }

  Q_SIGNALS:
    void changed();

  private:
    using Jobs = BackgroundJobs<std::vector<DataFit>>;

    void launch();
    Q_INVOKABLE void takeFinished();

    Json m_document;
    std::shared_ptr<const Dataset> m_data;
    DataPlaces m_places;
    std::vector<DataFit> m_fits;
    QTimer m_rest; ///< edits that follow each other ask once
    std::shared_ptr<Jobs::Job> m_current;
    Jobs m_jobs{this, "asking the families"};
};

} // namespace lambdascope
