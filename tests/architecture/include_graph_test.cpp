// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of libraries take most of the compiler's time, so that what everybody includes must not include them.
#include "tests/architecture/include_graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

/// Sources that read a header of Eigen: they hold matrices. Fewer is better. Benchmarks, which no test builds, are not
/// counted.
constexpr std::ptrdiff_t kMostWithEigen = 317;

TEST(IncludeGraph, FollowsIncludesOverAnyNumberOfHeaders) {
    const fs::path root = fs::temp_directory_path() / ("lambdascope-includes-" + std::to_string(::getpid()));
    const auto write = [&root](const std::string& file, const std::string& text) {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    };
    write("core/a.h", "#pragma once\n#include <Eigen/Core>\n");
    write("core/b.h", "# include \"core/a.h\"\n#include \"core/c.h\"\n");
    write("core/c.h", "#include \"core/b.h\"\n"); // a circle must not be walked for ever
    write("ui/d.cpp", "#include \"core/c.h\"\n");
    write("ui/e.cpp", "// #include \"core/a.h\"\n#include <Eigenvalue>\n");
    const IncludeGraph graph(root);
    fs::remove_all(root);
    EXPECT_EQ(graph.files().size(), 5U);
    EXPECT_EQ(graph.reaching("Eigen/"), (std::set<std::string>{"core/a.h", "core/b.h", "core/c.h", "ui/d.cpp"}));
    EXPECT_TRUE(graph.reaching("nlohmann/").empty());
}

class HouseIncludes : public ::testing::Test {
  protected:
    const IncludeGraph& graph() {
        static const IncludeGraph graph(LAMBDASCOPE_TEST_SOURCE_DIR);
        return graph;
    }
};

TEST_F(HouseIncludes, TheJsonLibraryStaysWithThoseWhoReadAndWriteText) {
    const auto reached = graph().reaching("nlohmann/");
    EXPECT_TRUE(reached.contains("core/config/json_serialization.cpp"));
    for (const std::string& file : reached) {
        EXPECT_TRUE(isSource(file) && (file.starts_with("core/config/") || file.starts_with("tests/core/config/")))
            << file << " reads the JSON library: core/config/json.h has all that others need";
    }
}

TEST_F(HouseIncludes, TheWindowAndTheHeadersOfProgramsKnowNoLinearAlgebra) {
    for (const std::string& file : graph().reaching("Eigen/")) {
        EXPECT_FALSE(file.starts_with("ui/") || (file.starts_with("app/") && !isSource(file)))
            << file << " reads Eigen: see core/common/matrix_values.h and forward declarations";
    }
}

TEST_F(HouseIncludes, FewSourcesReadLinearAlgebra) {
    const auto reached = graph().reaching("Eigen/");
    const auto sources = std::count_if(reached.begin(), reached.end(), [](const std::string& file) {
        return isSource(file) && !file.starts_with("tests/benchmarks/");
    });
    EXPECT_GT(sources, 100); // else they were not found
    EXPECT_LE(sources, kMostWithEigen);
}

TEST_F(HouseIncludes, ProblemsOfFamiliesAreReadWithoutFieldTables) {
    const auto reached = graph().reaching("core/config/");
    EXPECT_TRUE(reached.contains("core/metric/path/metric_schema.cpp"));
    for (const std::string& file : reached) {
        EXPECT_FALSE(file.find("/problem/") != std::string::npos && file.starts_with("core/") && !isSource(file))
            << file << " reaches core/config";
    }
}

TEST_F(HouseIncludes, FiguresArePaintedWithoutWidgets) {
    EXPECT_TRUE(graph().reaching("ui/charts/figure.h").contains("ui/figures/figure_parts.cpp"));
    for (const char* widget : {"QWidget", "QDialog", "QGraphicsView", "QGraphicsItem", "QLabel", "QApplication"}) {
        for (const std::string& file : graph().reaching(widget)) {
            EXPECT_FALSE(file.starts_with("ui/figures/")) << file << " reaches " << widget;
        }
    }
}

} // namespace
} // namespace lambdascope
