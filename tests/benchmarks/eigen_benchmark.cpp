// SPDX-License-Identifier: GPL-3.0-or-later
// Which eigen-solver is faster for which size: the grounds of psd_projection.cpp's choice.
#include "core/common/random_stream.h"
#include "core/numeric/psd_projection.h"
#include "tests/benchmarks/ratio_table.h"

namespace lambdascope::benchmarks {
namespace {

Eigen::MatrixXd symmetric(Eigen::Index d) {
    RandomStream random(1, "eigen benchmark");
    Eigen::MatrixXd a(d, d);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a(i) = random.normal();
    }
    return a + a.transpose().eval();
}

const bool kRegistered = [] {
    for (const int d : {4, 8, 13, 19, 24, 32, 64, 100, 200}) {
        const std::string size = std::to_string(d);
        for (const bool withVectors : {true, false}) {
            const std::string what = withVectors ? "eigen/vectors/" : "eigen/values/";
            benchmark::RegisterBenchmark((what + size + "/Eigen").c_str(), [d, withVectors](benchmark::State& state) {
                const Eigen::MatrixXd a = symmetric(d);
                for (auto unused : state) {
                    benchmark::DoNotOptimize(symmetricEigenSystem(a, withVectors, EigenMethod::Eigen).values.data());
                }
            });
            benchmark::RegisterBenchmark((what + size + "/Lapack").c_str(), [d, withVectors](benchmark::State& state) {
                const Eigen::MatrixXd a = symmetric(d);
                for (auto unused : state) {
                    benchmark::DoNotOptimize(symmetricEigenSystem(a, withVectors, EigenMethod::Lapack).values.data());
                }
            });
            ratioLines().push_back({what + size + "/Eigen", what + size + "/Lapack"});
        }
    }
    return true;
}();

} // namespace
} // namespace lambdascope::benchmarks
