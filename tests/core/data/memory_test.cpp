// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "tests/core/data/data_files.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>

namespace lambdascope::test {

namespace {

/// Largest resident size of a child process that loads the file, in bytes, and the size of the data it holds.
struct Measured {
    double peak = 0;
    double data = 0;
};

double sizeInMemory(const Dataset& data) {
    const auto labels = static_cast<double>(data.labels().size()) * 4;
    return labels + (data.isSparse()
                         ? static_cast<double>(data.sparse().nonZeros()) * 12 + static_cast<double>(data.rows()) * 4
                         : static_cast<double>(data.dense().size()) * 8);
}

Measured measure(const DataConfig& config) {
    int channel[2] = {-1, -1};
    if (::pipe(channel) != 0) {
        return {};
    }
    const pid_t child = ::fork();
    if (child == 0) {
        Measured measured;
        if (const auto data = loadDataset(config, places())) {
            rusage usage{};
            ::getrusage(RUSAGE_SELF, &usage);
            measured = {static_cast<double>(usage.ru_maxrss) * 1024, sizeInMemory(**data)};
        }
        const bool isWritten = ::write(channel[1], &measured, sizeof measured) == sizeof measured;
        ::_exit(isWritten ? 0 : 1);
    }
    Measured measured;
    const bool isRead = ::read(channel[0], &measured, sizeof measured) == sizeof measured;
    ::close(channel[0]);
    ::close(channel[1]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return isRead ? measured : Measured{};
}

/// About 200 MB of text.
template <class WriteRow>
std::filesystem::path writeLarge(const DataFolder& folder, WriteRow writeRow) {
    const auto path = folder.path("large");
    std::FILE* file = std::fopen(path.c_str(), "w");
    RandomStream random(1);
    for (long bytes = 0; bytes < 200'000'000; bytes = std::ftell(file)) {
        for (int i = 0; i < 1000; ++i) {
            writeRow(file, random);
        }
    }
    std::fclose(file);
    return path;
}

void expectLittleMore(const DataConfig& config, const char* what) {
#ifdef LAMBDASCOPE_SANITIZED
    GTEST_SKIP() << "sanitizers keep memory of their own";
#endif
    const Measured measured = measure(config);
    ASSERT_GT(measured.data, 100e6);
    std::printf("%s: %.0f MB of data, peak %.0f MB, ratio %.2f\n", what, measured.data / 1e6, measured.peak / 1e6,
                measured.peak / measured.data);
    EXPECT_LT(measured.peak, 1.5 * measured.data) << what;
}

} // namespace

TEST(DataMemory, OfADenseFileIsLittleMoreThanItsMatrix) {
    DataFolder folder;
    const auto file = writeLarge(folder, [](std::FILE* to, RandomStream& random) {
        for (int c = 0; c < 20; ++c) {
            std::fprintf(to, "%.6f,", random.uniform());
        }
        std::fprintf(to, "%d\n", static_cast<int>(random.below(3)));
    });
    expectLittleMore(plain(file), "CSV");
    DataConfig scaled = plain(file);
    scaled.scale = Scaling::Standardize;
    expectLittleMore(scaled, "CSV, standardized");
}

TEST(DataMemory, OfASparseFileIsLittleMoreThanItsPairs) {
    DataFolder folder;
    const auto file = writeLarge(folder, [](std::FILE* to, RandomStream& random) {
        std::fprintf(to, "%d", static_cast<int>(random.below(2)));
        int index = 0;
        for (int c = 0; c < 30; ++c) {
            index += 1 + static_cast<int>(random.below(20));
            std::fprintf(to, " %d:%.4f", index, random.uniform());
        }
        std::fprintf(to, "\n");
    });
    expectLittleMore(plain(file), "LIBSVM");
}

TEST(DataMemory, OfWordsIsLittleMoreThanTheirOneHotColumns) {
    DataFolder folder;
    const auto file = writeLarge(folder, [](std::FILE* to, RandomStream& random) {
        for (int c = 0; c < 8; ++c) {
            std::fprintf(to, "%.6f,", random.uniform());
        }
        std::fprintf(to, "word%d,%s,%d\n", static_cast<int>(random.below(9)), random.below(2) == 0 ? "u" : "v",
                     static_cast<int>(random.below(3)));
    });
    expectLittleMore(plain(file), "CSV with words");
}

} // namespace lambdascope::test
