// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/pu/engines/face_newton.h"
#include "core/pu/engines/newton_system.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace lambdascope::pu {
namespace {

struct Shape {
    Eigen::Index features;
    SampleIndex kinks;
    bool isSparse;

    friend void PrintTo(const Shape& shape, std::ostream* out) {
        *out << shape.features << " features, " << shape.kinks << " kinks" << (shape.isSparse ? ", sparse" : "");
    }
};

class NewtonSystems : public testing::TestWithParam<Shape> {};

/// The step straight from the definition, with the bias as one more unknown.
Eigen::VectorXd stepFromDefinition(const FeatureRows::Dense& x, const std::vector<SampleIndex>& kinks, double width,
                                   double leastCurvature, const Eigen::VectorXd& gradient) {
    const Eigen::Index d = x.cols();
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Identity(d + 1, d + 1);
    hessian(d, d) = 0;
    Eigen::MatrixXd spread(d + 1, std::ssize(kinks));
    for (std::size_t k = 0; k < kinks.size(); ++k) {
        spread.col(static_cast<Eigen::Index>(k)) << x.row(kinks[k]).transpose(), 1;
    }
    hessian += spread * spread.transpose() / width;
    hessian(d, d) = std::max(hessian(d, d), leastCurvature);
    return hessian.ldlt().solve(-gradient);
}

TEST_P(NewtonSystems, GiveTheStepOfTheDefinition) {
    const Shape shape = GetParam();
    constexpr double kLeast = 1e-3;
    RandomStream random(7);
    FeatureRows::Dense x(2 * shape.kinks + 1, shape.features);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = !shape.isSparse || random.uniform() < 0.05 ? random.normal() : 0.0;
    }
    const FeatureRows::Sparse sparse = x.sparseView();
    std::vector<SampleIndex> kinks;
    for (SampleIndex k = 0; k < shape.kinks; ++k) {
        kinks.push_back(k == 1 ? 0 : 2 * k); // one of them twice
    }
    const Eigen::VectorXd gradient =
        Eigen::VectorXd::NullaryExpr(shape.features + 1, [&random] { return random.normal(); });
    for (const double width : {1.0, 1e-3}) {
        const FeatureRows rows = shape.isSparse ? FeatureRows(sparse) : FeatureRows(x);
        StopCheck never;
        const NewtonSystem::Step step = NewtonSystem(rows, kinks, width, kLeast)
                                            .solve(gradient.head(shape.features), gradient(shape.features), never);
        const Eigen::VectorXd expected = stepFromDefinition(x, kinks, width, kLeast, gradient);
        // Conjugate gradients end after so many iterations, with a step that is good enough.
        const double tolerance = shape.kinks > 1000 ? 1e-3 : 1e-7;
        EXPECT_LE((step.weights - expected.head(shape.features)).norm(), tolerance * expected.norm()) << width;
        EXPECT_NEAR(step.bias, expected(shape.features), tolerance * expected.norm()) << width;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, NewtonSystems,
                         testing::Values(Shape{3, 10, false}, Shape{1, 4, false}, Shape{40, 5, false},
                                         Shape{40, 33, true}, Shape{12, 0, false}, Shape{60, 600, false},
                                         Shape{1040, 20, true}, Shape{1040, 1010, true}));

TEST(FaceSteps, OfRowsAreThoseOfTheirProducts) {
    for (const auto& [features, count] : {std::pair(1, 4), {2, 5}, {2, 120}, {5, 9}, {20, 60}, {3, 300}}) {
        for (const double scale : {1e-4, 1.0, 1e5}) {
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                RandomStream random(seed);
                const auto drawn = [&random] { return random.normal(); };
                Eigen::MatrixXd rows = scale * Eigen::MatrixXd::NullaryExpr(count, features, drawn);
                rows.row(count - 1) = rows.row(0); // a sample twice
                if (seed % 4 == 0) {
                    rows.col(0).setConstant(scale); // what the bias is too
                } else if (seed % 4 == 1) {
                    rows.col(features - 1).setZero();
                }
                const Eigen::VectorXd distances = scale * Eigen::VectorXd::NullaryExpr(count, drawn);
                std::vector<SampleIndex> face;
                Eigen::VectorXd s(2 * count);
                for (Eigen::Index k = 0; k < s.size(); ++k) {
                    s(k) = quantized((k % 3 == 0 ? 1 : 0) + 0.05 + 0.9 * random.uniform());
                    if (k % 2 == 1) {
                        face.push_back(static_cast<SampleIndex>(k));
                    }
                }
                Eigen::VectorXd ofRows = s;
                const double length = stepOnFace(face, rows * rows.transpose(), distances, s);
                const double lengthOfRows = stepOnFaceOfRows(face, rows, distances, ofRows);
                EXPECT_NEAR(lengthOfRows, length, 1e-7 * length) << features << " features, " << count << " samples";
                EXPECT_LE((ofRows - s).cwiseAbs().maxCoeff(), 1e-7) << features << " features, " << count << " samples";
            }
        }
    }
}

} // namespace
} // namespace lambdascope::pu
