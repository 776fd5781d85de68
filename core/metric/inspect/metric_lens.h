// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/certifier.h"
#include "core/inspect/predictor.h"
#include "core/metric/path/prepared_metric.h"
#include "core/triplets/inspect/triplet_lens.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope::metric {

/// What TripletLens answers, and besides: classes of other rows by the learned metric, and certificates.
class MetricLens final : public TripletLens, public Certifier, public Predictor {
  public:
    MetricLens(const PreparedMetric& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    /// By the nearest training rows, as the test on held-out rows.
    Result<Predictions> predict(std::int32_t point, const Dataset& rows, std::stop_token stop) override;

    [[nodiscard]] std::string certificateObstacle() const override;
    [[nodiscard]] Json certificateProblem() const override;
    [[nodiscard]] std::vector<std::filesystem::path> certificateFiles() const override;
    Result<void> certify(Range range, std::int32_t mostPoints, const Take& take, const Progress& progress,
                         std::stop_token stop) override;

  private:
    /// Sums at a solution with the α of a smoothing; sets its gap to what these prove.
    Result<LossTotals> certifiedTotals(SolvedPoint& solved, double smoothing, StopCheck& stopCheck) const;
    /// The point's file of a certificate; sets the gap of the solution to what it proves.
    Result<Json> proofOf(SolvedPoint& solved, StopCheck& stopCheck) const;
    Result<CertifiedPoint> certifiedPoint(const PathPoint& point, const PointReport& report,
                                          const std::stop_token& stop);

    const PreparedMetric& m_prepared;
};

} // namespace lambdascope::metric
