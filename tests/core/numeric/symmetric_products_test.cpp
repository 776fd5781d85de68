// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/symmetric_products.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace lambdascope {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMatrix sample(Eigen::Index rows, Eigen::Index columns) {
    RowMatrix a(rows, columns);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a.data()[i] = static_cast<double>((37 * i) % 101) / 50 - 1;
    }
    return a;
}

/// 7 on and above the diagonal of what `sum` started from, so that changes above show.
void expectLower(const Eigen::MatrixXd& sum, const Eigen::MatrixXd& expected) {
    for (Eigen::Index i = 0; i < sum.rows(); ++i) {
        for (Eigen::Index j = 0; j < sum.cols(); ++j) {
            EXPECT_NEAR(sum(i, j), j > i ? 7 : 7 + expected(i, j), 1e-11) << i << ' ' << j;
        }
    }
}

TEST(MatrixProduct, IsThatOfTheDefinitionHoweverItsFactorsStand) {
    for (const Eigen::Index rows : {1, 7, 130}) {
        for (const Eigen::Index depth : {0, 1, 33, 260}) {
            const Eigen::MatrixXd a = sample(rows + 2, depth).middleRows(1, rows);
            const Eigen::MatrixXd wide = sample(depth + 3, 12);
            const auto b = wide.middleRows(2, depth); // a block with a stride
            const Eigen::MatrixXd expected = a * b;
            Eigen::MatrixXd product = Eigen::MatrixXd::Constant(rows, 12, 7);
            setProduct(a, Transposed::No, b, Transposed::No, product);
            EXPECT_LE((product - expected).norm(), 1e-11 * (1 + expected.norm()));
            product.setConstant(7);
            setProduct(a.transpose().eval(), Transposed::Yes, b, Transposed::No, product);
            EXPECT_LE((product - expected).norm(), 1e-11 * (1 + expected.norm()));
            product.setConstant(7);
            setProduct(a, Transposed::No, b.transpose().eval(), Transposed::Yes, product);
            EXPECT_LE((product - expected).norm(), 1e-11 * (1 + expected.norm()));
        }
    }
}

TEST(SymmetricProducts, AddToTheLowerTriangle) {
    for (const Eigen::Index rows : {1, 3, 40, 128, 300}) { // less and more than a panel
        for (const Eigen::Index columns : {1, 5, 33, 260}) {
            const RowMatrix a = sample(rows, columns);
            const Eigen::MatrixXd byColumns = a;
            const Eigen::Index skip = columns / 3; // a block with a stride
            const Eigen::MatrixXd part = a.rightCols(columns - skip);
            Eigen::MatrixXd sum = Eigen::MatrixXd::Constant(rows, rows, 7);
            addRowProducts(RowBlock(a.rightCols(columns - skip)), 2, sum);
            expectLower(sum, 2 * part * part.transpose());
            sum.setConstant(7);
            addRowProducts(ColumnBlock(byColumns.rightCols(columns - skip)), -1, sum);
            expectLower(sum, -1 * part * part.transpose());
            sum = Eigen::MatrixXd::Constant(columns, columns, 7);
            addColumnProducts(a, -1, sum);
            expectLower(sum, -1 * byColumns.transpose() * byColumns);
        }
    }
}

TEST(SymmetricProducts, OfAVectorReadTheLowerTriangleOnly) {
    for (const Eigen::Index size : {0, 1, 2, 3, 7, 16, 50, 129, 400}) {
        const Eigen::MatrixXd a = sample(size, size + 3); // the triangle is part of a wider matrix
        Eigen::MatrixXd whole = a.leftCols(size).triangularView<Eigen::Lower>();
        whole.triangularView<Eigen::StrictlyUpper>() = whole.transpose();
        Eigen::MatrixXd storage = a;
        storage.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
        const Eigen::VectorXd x = sample(size, 1);
        Eigen::VectorXd y = Eigen::VectorXd::Constant(size, std::nan(""));
        multiplySymmetric(storage.leftCols(size), x, y);
        const double scale = whole.norm() * x.norm();
        EXPECT_LE((y - whole * x).norm(), 1e-15 * static_cast<double>(size) * scale);
        // The same bits wherever the numbers lie.
        Eigen::VectorXd memory(size * size + 1);
        Eigen::Map<Eigen::MatrixXd> moved(memory.data() + 1, size, size);
        moved = whole;
        Eigen::VectorXd again(size);
        multiplySymmetric(moved, x, again);
        EXPECT_EQ(again, y);
    }
}

/// Numbers behind which lies a page that nobody may read.
class FencedNumbers {
  public:
    explicit FencedNumbers(Eigen::Index count)
        : m_page(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
          m_length((static_cast<std::size_t>(count) * sizeof(double) / m_page + 1) * m_page),
          m_memory(static_cast<char*>(
              ::mmap(nullptr, m_length + m_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, /*file=*/-1, 0))),
          m_count(count) {
        EXPECT_EQ(::mprotect(m_memory + m_length, m_page, PROT_NONE), 0);
    }
    ~FencedNumbers() { ::munmap(m_memory, m_length + m_page); }
    FencedNumbers(const FencedNumbers&) = delete;
    FencedNumbers& operator=(const FencedNumbers&) = delete;
    FencedNumbers(FencedNumbers&&) = delete;
    FencedNumbers& operator=(FencedNumbers&&) = delete;

    [[nodiscard]] double* data() const { return reinterpret_cast<double*>(m_memory + m_length) - m_count; }

  private:
    std::size_t m_page;
    std::size_t m_length;
    char* m_memory;
    Eigen::Index m_count;
};

TEST(SymmetricProducts, OfAVectorReadNothingBehindTheirArguments) {
    for (Eigen::Index size = 1; size < 140; size += size < 40 ? 1 : 9) {
        const FencedNumbers numbers[] = {FencedNumbers(size * size), FencedNumbers(size), FencedNumbers(size)};
        const Eigen::Map<Eigen::MatrixXd> a(numbers[0].data(), size, size);
        Eigen::Map<Eigen::VectorXd> x(numbers[1].data(), size);
        Eigen::Map<Eigen::VectorXd> y(numbers[2].data(), size);
        x.setOnes();
        multiplySymmetric(a, x, y);
        EXPECT_EQ(y.norm(), 0);
    }
}

TEST(SymmetricProducts, OfAVectorReadNothingBehindTheirArgumentsWithKernelsOfAnOldProcessor) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string test = "SymmetricProducts.OfAVectorReadNothingBehindTheirArguments";
    const std::string command = "OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Prescott '" + program + "'";
    EXPECT_EQ(std::system((command + " --gtest_brief=1 --gtest_filter=" + test).c_str()), 0);
}

TEST(SymmetricProducts, DoNotDependOnTheTeam) {
    const RowMatrix a = sample(420, 300);
    const Eigen::MatrixXd byColumns = a;
    ThreadTeam two(2);
    for (int times = 0; times < 5; ++times) {
        for (const bool ofColumns : {false, true}) {
            const Eigen::Index size = ofColumns ? a.cols() : a.rows();
            Eigen::MatrixXd alone = Eigen::MatrixXd::Constant(size, size, 7);
            Eigen::MatrixXd shared = alone;
            if (ofColumns) {
                addColumnProducts(a, 0.3, alone);
                addColumnProducts(a, 0.3, shared, &two);
            } else {
                addRowProducts(ColumnBlock(byColumns), 0.3, alone);
                addRowProducts(ColumnBlock(byColumns), 0.3, shared, &two);
            }
            EXPECT_EQ(alone, shared); // to the bit
        }
    }
}

TEST(SymmetricProducts, AddNothingForNothing) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Ones(3, 3);
    addColumnProducts(RowMatrix(0, 3), 1, sum);
    EXPECT_EQ(sum, Eigen::MatrixXd::Ones(3, 3));
}

TEST(TriangularSolve, UndoesTheProductWithTheTriangle) {
    for (const Eigen::Index n : {1, 5, 63, 64, 65, 200}) {
        for (const Eigen::Index columns : {0, 1, 3, 17}) {
            // Of larger matrices; the upper triangle is none of its business.
            Eigen::MatrixXd whole = Eigen::MatrixXd::Constant(n + 3, n + 3, 1e300);
            Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(n, n);
            for (Eigen::Index j = 0; j < n; ++j) {
                for (Eigen::Index i = j; i < n; ++i) {
                    lower(i, j) = i == j ? 2 : std::sin(static_cast<double>(3 * i + 7 * j)) / static_cast<double>(n);
                    whole(i + 2, j + 1) = lower(i, j);
                }
            }
            const Eigen::MatrixXd solution = Eigen::MatrixXd::NullaryExpr(
                n, columns, [](Eigen::Index i, Eigen::Index j) { return std::cos(static_cast<double>(i + 5 * j)); });
            Eigen::MatrixXd room = Eigen::MatrixXd::Constant(n + 2, columns + 1, 7);
            room.block(1, 0, n, columns) = lower * solution;
            solveLowerInPlace(whole.block(2, 1, n, n), room.block(1, 0, n, columns));
            EXPECT_LE((room.block(1, 0, n, columns) - solution).cwiseAbs().sum(), 1e-13 * static_cast<double>(n + 1))
                << n << " x " << columns;
            EXPECT_EQ(room.col(columns), Eigen::VectorXd::Constant(n + 2, 7));
            EXPECT_TRUE((room.row(0).array() == 7).all() && (room.row(n + 1).array() == 7).all());
        }
    }
}

} // namespace
} // namespace lambdascope
