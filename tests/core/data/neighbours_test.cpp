// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/config/json.h"
#include "core/data/neighbours.h"
#include "tests/core/data/data_files.h"

#include <algorithm>
#include <atomic>
#include <fstream>

namespace lambdascope::test {

namespace {

Dataset::Parts points(Eigen::Index rows, Eigen::Index features, int classes, std::uint64_t seed) {
    RandomStream random(seed);
    Dataset::Parts parts;
    parts.dense.resize(rows, features);
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index c = 0; c < features; ++c) {
            parts.dense(i, c) = static_cast<double>(random.below(4)); // many ties and duplicates
        }
        parts.labels.push_back(static_cast<std::int32_t>(random.below(static_cast<std::size_t>(classes))));
    }
    for (int c = 0; c < classes; ++c) {
        parts.classNames.push_back(std::to_string(c));
    }
    return parts;
}

std::vector<std::int32_t> nearest(const DenseRows& x, const Codes& labels, std::int32_t i, bool same, std::size_t k) {
    std::vector<std::int32_t> rows;
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(x.rows()); ++j) {
        if (j != i && (labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)]) == same) {
            rows.push_back(j);
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) {
        return (x.row(a) - x.row(i)).squaredNorm() < (x.row(b) - x.row(i)).squaredNorm();
    });
    rows.resize(std::min(k, rows.size()));
    return rows;
}

std::vector<std::int32_t> part(const std::vector<std::int32_t>& list, const std::vector<std::int64_t>& offset,
                               std::size_t i) {
    return {list.begin() + offset[i], list.begin() + offset[i + 1]};
}

} // namespace

TEST(ClassNeighbours, AreTheNearestOfEachKindWithTiesByRow) {
    const std::optional<std::int64_t> all;
    for (const auto& [rows, features] : {std::pair(70, 3), std::pair(150, 1), std::pair(150, 9)}) {
        for (const std::optional<std::int64_t> k :
             {std::optional<std::int64_t>(1), std::optional<std::int64_t>(4), std::optional<std::int64_t>(1000), all}) {
            Dataset::Parts parts = points(rows, features, 4, 11);
            Dataset::Parts thin = parts;
            thin.sparse = thin.dense.sparseView(0, 0);
            thin.sparse.makeCompressed();
            thin.isSparse = true;
            const Dataset data(parts);
            const auto found = classNeighbours(data, k);
            ASSERT_TRUE(found.has_value());
            for (std::int32_t i = 0; i < rows; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const auto most = static_cast<std::size_t>(k.value_or(rows));
                EXPECT_EQ(part(found->same, found->sameOffset, at),
                          nearest(data.dense(), data.labels(), i, true, most));
                EXPECT_EQ(part(found->other, found->otherOffset, at),
                          nearest(data.dense(), data.labels(), i, false, most));
            }
            EXPECT_EQ(*classNeighbours(Dataset(thin), k), *found);
        }
    }
}

TEST(ClassNeighbours, LeadToTheTripletsOfTheReference) {
    std::ifstream stream(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures/metric_small.json");
    ASSERT_TRUE(stream) << "the fixture is missing";
    const Json reference = Json::parse(std::string(std::istreambuf_iterator<char>(stream), {}));
    Dataset::Parts parts;
    const auto rows = reference["X"].get<std::vector<std::vector<double>>>();
    parts.dense.resize(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < rows[i].size(); ++c) {
            parts.dense(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) = rows[i][c];
        }
    }
    parts.labels = reference["y"].get<Codes>();
    parts.classNames = {"0", "1", "2"};
    const auto found = classNeighbours(Dataset(parts), reference["k"].get<std::int64_t>());
    ASSERT_TRUE(found.has_value());
    std::vector<std::vector<std::int32_t>> triplets;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::int32_t same : part(found->same, found->sameOffset, i)) {
            for (const std::int32_t other : part(found->other, found->otherOffset, i)) {
                triplets.push_back({static_cast<std::int32_t>(i), same, other});
            }
        }
    }
    EXPECT_EQ(triplets, reference["triplets"].get<std::vector<std::vector<std::int32_t>>>());
}

TEST(ClassNeighbours, NeedLabelsAndAtLeastOneNeighbour) {
    Dataset::Parts parts = points(5, 2, 2, 1);
    EXPECT_EQ(classNeighbours(Dataset(parts), 0).error().code, ErrorCode::InvalidConfiguration);
    parts.labels.clear();
    EXPECT_EQ(classNeighbours(Dataset(parts), 1).error().code, ErrorCode::InvalidData);
}

TEST(ClassNeighbours, ReportProgressAndStop) {
    const Dataset data(points(200, 2, 2, 3));
    double last = 0;
    ASSERT_TRUE(classNeighbours(data, 2, [&](double share, std::string_view) { last = share; }).has_value());
    EXPECT_EQ(last, 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(classNeighbours(data, 2, {}, stop.get_token()).error().code, ErrorCode::Stopped);
}

} // namespace lambdascope::test
