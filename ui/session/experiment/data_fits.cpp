// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/data_fits.h"

#include <utility>

namespace lambdascope {

DataFits::DataFits(QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(100);
    connect(&m_rest, &QTimer::timeout, this, &DataFits::launch);
}

void DataFits::request(const Json& document, std::shared_ptr<const Dataset> data, const DataPlaces& places) {
    const bool isOther = data != std::exchange(m_data, std::move(data));
    m_document = document;
    m_places = places;
    m_current.reset();
    if (m_data == nullptr) {
        m_rest.stop();
        m_jobs.stopAll();
        m_fits.clear();
        Q_EMIT changed();
    } else if (isOther) {
        launch();
    } else {
        m_rest.start();
    }
}

void DataFits::launch() {
    m_jobs.stopAll();
    m_current = m_jobs.start([document = m_document, data = m_data,
                              places = m_places](const std::stop_token&) -> Result<std::vector<DataFit>> {
        return dataFits(document, data, places);
    });
}

void DataFits::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr || job != m_current) {
        return;
    }
    m_current.reset();
    m_fits = job->result() ? std::move(*job->result()) : std::vector<DataFit>();
    Q_EMIT changed();
}

} // namespace lambdascope
