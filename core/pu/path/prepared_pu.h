// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/prior_estimators.h"
#include "core/pu/problem/pu_config.h"
#include "core/pu/problem/pu_preparation.h"
#include "core/pu/solver/accurate_points.h"
#include "core/run/family.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace lambdascope::pu {

/// Everything that a preparation works out.
struct PreparedParts {
    std::shared_ptr<const Dataset> data;
    PreparedSamples drawn;
    std::shared_ptr<const PuSpace> space; ///< null for paths over the number of unlabeled samples
    double prior = 0;
    std::optional<PriorEstimate> estimate; ///< when the prior was estimated
};

/// Samples, kernel rows and prior of an experiment, shared by its lanes.
class PreparedPu final : public PreparedProblem {
  public:
    PreparedPu(const std::shared_ptr<const PuConfig>& config, std::uint64_t seed, PreparedParts parts);

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override;
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t lane) const override;
    [[nodiscard]] std::string lensObstacle() const override;

    [[nodiscard]] const Dataset& data() const { return *m_parts.data; }
    [[nodiscard]] const PuSamples& samples() const { return *m_parts.drawn.samples; }
    [[nodiscard]] const std::shared_ptr<const PuSpace>& space() const { return m_parts.space; }
    [[nodiscard]] double prior() const { return m_parts.prior; }
    [[nodiscard]] const ProblemConfig& config() const { return m_config->problem; }
    [[nodiscard]] const PathConfig& path() const { return m_config->path; }
    [[nodiscard]] const Lane& lane(std::size_t number) const { return m_config->lanes[number]; }
    [[nodiscard]] const KernelFunction& kernel() const { return m_kernel; }
    /// Rows that training has not seen, with their truth; nothing when there are none or no classes are known.
    [[nodiscard]] const Dataset* heldOut() const { return m_truth.empty() ? nullptr : m_parts.data->heldOut(); }
    [[nodiscard]] const std::vector<std::int8_t>& heldOutTruth() const { return m_truth; }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    [[nodiscard]] Json facts() const;

    /// What a point of the path solves: λ, prior and samples.
    struct PointProblem {
        double lambda = 0;
        std::shared_ptr<const PuProblem> problem; ///< on paths over λ the same for all points
    };
    /// For paths over counts kernel rows are made for the point alone, each when it is asked for, and live as long as
    /// the problem; what the samples of the point take is taken from the memory for them.
    [[nodiscard]] PointProblem problemAt(double value, StopCheck& stopCheck) const;
    /// Bytes without which a point with so many unlabeled samples cannot be solved: its samples, if they are copied,
    /// and a few kernel rows.
    [[nodiscard]] double leastBytes(SampleIndex unlabeled) const;

  private:
    /// The first samples; lanes at the same point share them.
    [[nodiscard]] std::shared_ptr<const PuSamples> samplesAt(SampleIndex unlabeled) const;

    PreparedParts m_parts;
    std::shared_ptr<const PuConfig> m_config;
    KernelFunction m_kernel;
    std::uint64_t m_seed;
    std::vector<std::int8_t> m_truth;           ///< of the held-out rows
    std::shared_ptr<const PuProblem> m_problem; ///< of all points; null when they differ in more than λ
    std::shared_ptr<AccuratePoints> m_accurate;
    mutable std::mutex m_mutex; ///< guards what follows
    mutable std::weak_ptr<const PuSamples> m_lastSamples;
};

} // namespace lambdascope::pu
