// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs that HDF5 files are read in a process of their own: 10 MB of float numbers, and one number.
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_process.h"
#include "tests/benchmarks/ratio_table.h"
#include "tests/core/data/hdf5_writer.h"

#include <memory>

namespace lambdascope::benchmarks {
namespace {

constexpr hsize_t kColumns = 250;

/// Written once, and gone at the end.
std::string fileOf(hsize_t rows, bool isPacked) {
    namespace fs = std::filesystem;
    static const std::shared_ptr<const fs::path> folder(
        new fs::path(fs::temp_directory_path() / ("lambdascope-hdf5-bench-" + std::to_string(::getpid()))),
        [](const fs::path* path) {
            std::error_code ignored;
            fs::remove_all(*path, ignored);
            delete path;
        });
    fs::create_directories(*folder);
    const fs::path file = *folder / (std::to_string(rows) + (isPacked ? "packed.h5" : ".h5"));
    if (!fs::exists(file)) {
        std::vector<double> values(rows * kColumns);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<double>((i * 7919) % 1013);
        }
        test::Hdf5Writer(file).add("X", {rows, kColumns}, values, H5T_NATIVE_FLOAT,
                                   isPacked ? std::vector<hsize_t>{rows / 16 + 1, 32} : std::vector<hsize_t>{});
    }
    return file.string();
}

template <class File>
void readAll(benchmark::State& state, hsize_t rows, bool isPacked) {
    const std::string path = fileOf(rows, isPacked);
    constexpr std::uint64_t kStep = (std::uint64_t{1} << 19) / kColumns; // as the loader does
    std::vector<double> values(rows * kColumns);
    for (auto unused : state) {
        File file;
        bool isGood = !file.open(path) && file.dataSets().size() == 1;
        for (std::uint64_t first = 0; isGood && first < rows; first += kStep) {
            isGood = !file.readRows(file.dataSets()[0], first, std::min<std::uint64_t>(kStep, rows - first),
                                    values.data() + first * kColumns);
        }
        if (!isGood) {
            state.SkipWithError("not read");
        }
    }
}

void registerCase(const std::string& title, hsize_t rows, bool isPacked) {
    const auto add = [](const std::string& name, auto read) {
        benchmark::RegisterBenchmark(name.c_str(), read)->UseRealTime()->Unit(benchmark::kMillisecond);
        return name;
    };
    const std::string slow =
        add(title + "/process", [=](benchmark::State& state) { readAll<Hdf5Process>(state, rows, isPacked); });
    const std::string fast =
        add(title + "/library", [=](benchmark::State& state) { readAll<Hdf5Library>(state, rows, isPacked); });
    ratioLines().push_back({slow, fast, 0, RatioClock::Wall});
}

const bool kRegistered = [] {
    registerCase("hdf5/1-row", 1, false);
    registerCase("hdf5/10-MB", 10'000, false);
    registerCase("hdf5/10-MB-packed", 10'000, true);
    registerCase("hdf5/100-MB", 100'000, false);
    return true;
}();

} // namespace
} // namespace lambdascope::benchmarks
