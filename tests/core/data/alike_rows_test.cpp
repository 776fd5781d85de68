// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/alike_rows.h"
#include "core/data/dataset.h"
#include "tests/core/store/scratch_folder.h"

#include <cmath>

namespace lambdascope {
namespace {

class AlikeRowsOf : public testing_support::ScratchFolder {
  protected:
    AlikeRowsOf() { m_places = {{scratch("")}, LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets"}; }
    static DataConfig config(const std::string& source, Scaling scale, std::optional<std::int64_t> pca = {}) {
        DataConfig config;
        config.source = source;
        config.scale = scale;
        config.pca = pca;
        return config;
    }
    Result<AlikeRows> alike(const DataConfig& data, const std::string& text) {
        write(scratch("new.csv"), text);
        DataConfig fresh;
        fresh.source = "new.csv";
        return loadAlike(data, &fresh, m_places);
    }

    DataPlaces m_places;
};

TEST_F(AlikeRowsOf, TheSameRowsComeOutAsTheRunsOwnToTheBit) {
    for (const char* source : {"iris", "wine", "toy:two-moons?n=60"}) {
        for (const Scaling scale : {Scaling::None, Scaling::MinMax, Scaling::Standardize, Scaling::UnitNorm}) {
            for (const std::optional<std::int64_t> pca :
                 {std::optional<std::int64_t>(), std::optional<std::int64_t>(2)}) {
                SCOPED_TRACE(std::string(source) + " " + std::to_string(static_cast<int>(scale)));
                const DataConfig data = config(source, scale, pca);
                const auto own = loadDataset(data, m_places);
                const auto other = loadAlike(data, &data, m_places);
                ASSERT_TRUE(own && other);
                EXPECT_TRUE((*own)->toDense() == other->rows->toDense());
                EXPECT_EQ((*own)->labels(), other->rows->labels());
            }
        }
    }
}

TEST_F(AlikeRowsOf, TheSubsetOfTheRunIsWhatScales) {
    DataConfig data = config("iris", Scaling::MinMax);
    data.subset = 0.5;
    data.seed = 4;
    const auto own = loadDataset(data, m_places);
    ASSERT_TRUE(own);
    const DataConfig all = config("iris", Scaling::None);
    const auto other = loadAlike(data, &all, m_places);
    ASSERT_TRUE(other) << other.error().describe();
    ASSERT_EQ(other->rows->rows(), 150);
    // Every row of the run and every one it left out is among them, to the bit.
    for (const Dataset* part : {own->get(), (*own)->heldOut()}) {
        const DenseRows rows = part->toDense();
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const DenseRows all150 = other->rows->toDense();
            EXPECT_EQ((all150.rowwise() - rows.row(i)).cwiseAbs().rowwise().sum().minCoeff(), 0) << i;
        }
    }
}

TEST_F(AlikeRowsOf, TheScalingIsTheFormulaThatTheRowsFollow) {
    write(scratch("run.csv"), "a,b,c,class\n1,1e6,5,x\n3,1000001,5,y\n2,1000004,5,x\n");
    for (const Scaling scale : {Scaling::MinMax, Scaling::Standardize}) {
        const DataConfig data = config("run.csv", scale);
        const auto other = alike(data, "a,b,c,class\n7,1000002,5,x\n-1,0,6,y\n");
        ASSERT_TRUE(other) << other.error().describe();
        const DenseRows rows = other->rows->toDense();
        const double given[2][3] = {{7, 1000002, 5}, {-1, 0, 6}};
        for (int i = 0; i < 2; ++i) {
            for (int c = 0; c < 3; ++c) {
                const double spread = other->scaling.spread[static_cast<std::size_t>(c)];
                const double formula =
                    spread > 0 ? (given[i][c] - other->scaling.centre[static_cast<std::size_t>(c)]) / spread : 0;
                EXPECT_NEAR(rows(i, c), formula, 1e-9 * (1 + std::abs(formula)));
            }
        }
        EXPECT_EQ(other->scaling.spread[2], 0) << "a constant feature";
    }
    const auto minmax = loadAlike(config("run.csv", Scaling::MinMax), nullptr, m_places);
    ASSERT_TRUE(minmax);
    EXPECT_EQ(minmax->rows, nullptr);
    EXPECT_EQ(minmax->scaling.centre[0], 2);
    EXPECT_EQ(minmax->scaling.spread[0], 1);
    EXPECT_TRUE(loadAlike(config("run.csv", Scaling::None), nullptr, m_places)->scaling.centre.empty());
}

TEST_F(AlikeRowsOf, RowsThatDoNotFitAreRefused) {
    write(scratch("run.csv"), "a,b,class\n1,2,x\n3,5,y\n2,1,x\n");
    const DataConfig data = config("run.csv", Scaling::MinMax);
    EXPECT_TRUE(alike(data, "a,b,class\n1,1,y\n"));
    const auto fewer = alike(data, "a,class\n1,y\n2,x\n");
    ASSERT_FALSE(fewer);
    EXPECT_NE(fewer.error().describe().find("has 1 features, the data of the run 2"), std::string::npos)
        << fewer.error().describe();
    const auto swapped = alike(data, "b,a,class\n1,2,y\n2,2,x\n");
    ASSERT_FALSE(swapped);
    EXPECT_NE(swapped.error().describe().find("feature 1 is called \"b\""), std::string::npos)
        << swapped.error().describe();
    const auto missing = alike(data, "a,b,class\n1,,y\n2,2,x\n");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::InvalidData);
    EXPECT_FALSE(loadAlike(config("nothing.csv", Scaling::None), nullptr, m_places));
}

TEST_F(AlikeRowsOf, SparseRowsMayEndEarly) {
    write(scratch("run.libsvm"), "1 1:1 3:2\n-1 2:1 4:5\n1 1:2\n");
    write(scratch("new.libsvm"), "1 1:3\n-1 2:4\n");
    DataConfig fresh;
    fresh.source = "new.libsvm";
    const auto other = loadAlike(config("run.libsvm", Scaling::None), &fresh, m_places);
    ASSERT_TRUE(other) << other.error().describe();
    EXPECT_EQ(other->rows->features(), 4);
    EXPECT_EQ(other->rows->toDense()(1, 1), 4);
}

} // namespace
} // namespace lambdascope
