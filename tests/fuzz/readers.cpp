// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include "core/data/dataset.h"
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_loader.h"
#include "core/data/read_source.h"
#include "core/families.h"
#include "core/metric/problem/comparison_file.h"
#include "core/ordinal/path/comparison_file.h"
#include "core/record/event_log.h"
#include "core/run/experiment.h"
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "core/store/stored_path.h"
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/problem/sample_weights.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lambdascope::test {

namespace fs = std::filesystem;

namespace {

/// A folder of this process in memory, where there is one, gone when it ends.
class Scratch {
  public:
    Scratch() {
        std::error_code ignored;
        const fs::path parent = fs::is_directory("/dev/shm", ignored) ? "/dev/shm" : fs::temp_directory_path();
        m_folder = parent / ("lambdascope-fuzz-" + std::to_string(::getpid()));
        fs::create_directories(m_folder / "run"); // see readRun()
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    fs::path write(const std::string& name, std::string_view bytes) const {
        const fs::path file = m_folder / name;
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return file;
    }
    [[nodiscard]] fs::path path(const std::string& name) const { return m_folder / name; }

  private:
    fs::path m_folder;
};

const Scratch& scratch() {
    static const Scratch folder;
    return folder;
}

/// What every refusal promises: words, and no surprise.
std::string faultsOf(const Error& error) {
    if (error.code == ErrorCode::Internal || error.message.empty() || error.describe().size() > 20000) {
        return "refused by: " + error.describe();
    }
    const bool isMute =
        std::any_of(error.faults.begin(), error.faults.end(), [](const Fault& fault) { return fault.message.empty(); });
    return isMute ? "a fault has no message" : std::string();
}

template <class T>
std::string faultsOf(const Result<T>& result) {
    return result ? std::string() : faultsOf(result.error());
}

std::string faultsOf(const Dataset& data) {
    const auto classes = static_cast<std::int32_t>(data.classNames().size());
    const bool isLabelled = data.labels().empty() || static_cast<Eigen::Index>(data.labels().size()) == data.rows();
    const bool areKnown = std::all_of(data.labels().begin(), data.labels().end(),
                                      [classes](std::int32_t label) { return 0 <= label && label < classes; });
    const bool isFinite = data.rows() * data.features() > 10'000'000 || data.toDense().allFinite();
    return data.rows() > 0 && data.features() > 0 && isLabelled && areKnown && isFinite ? "" : "unsound data are taken";
}

DataConfig configFor(std::string_view bytes, DataFormat format) {
    DataConfig config;
    config.source = scratch().write("data", bytes).string();
    config.format = format;
    // The bytes decide, so that what they find can be found again.
    constexpr std::array kLabels = {"none", "auto", "auto", "first", "last", "2", "class"};
    config.labels = kLabels[bytes.size() % kLabels.size()];
    config.missing = bytes.size() % 2 == 0 ? MissingPolicy::Fail : MissingPolicy::Mean;
    return config;
}

std::string faultsOf(const Result<std::shared_ptr<const Dataset>>& data) {
    return data ? faultsOf(**data) : faultsOf(data.error());
}

template <DataFormat format>
std::string readData(std::string_view bytes) {
    return faultsOf(loadDataset(configFor(bytes, format), {}, [](double, std::string_view) {}));
}

/// By the HDF5 library in this process, where its steps can be watched.
template <Hdf5Loader::Order order>
std::string readHdf5Here(std::string_view bytes) {
    const DataConfig config = configFor(bytes, DataFormat::Hdf5);
    auto source = ByteSource::open(config.source);
    if (!source) {
        return faultsOf(source.error());
    }
    InputReader input(std::move(*source));
    const Hdf5Loader loader(order, [](const std::stop_token&) { return std::make_unique<Hdf5Library>(); });
    auto data = loader.load(input, {.labels = config.labels, .missing = config.missing, .storage = config.storage});
    return data ? faultsOf(prepareData({std::move(*data), "data", {}}, config, {}, {})) : faultsOf(data.error());
}

std::string readMetricComparisons(std::string_view bytes) {
    return faultsOf(metric::readComparisons(scratch().write("comparisons", bytes), 12));
}

std::string readAnswers(std::string_view bytes) {
    using Layout = ordinal::ComparisonLayout;
    constexpr std::array kLayouts = {Layout::Auto, Layout::Auto, Layout::Triplets, Layout::Quadruplets};
    const fs::path file = scratch().write("answers", bytes);
    const std::string found =
        faultsOf(ordinal::readComparisons(file, kLayouts[bytes.size() % kLayouts.size()], ordinal::IdBase::Auto,
                                          bytes.size() % 3 == 0 ? 6 : 0, bytes.size() % 5 == 0));
    return found.empty() ? faultsOf(ordinal::readObjectNames(file, 0)) : found;
}

std::string readWeights(std::string_view bytes) {
    return faultsOf(svm::readSampleWeights(scratch().write("weights", bytes), 5, {}, {}));
}

std::string readModel(std::string_view bytes) {
    return faultsOf(svm::readLibsvmModel(std::string(bytes), "model"));
}

std::string readExperimentText(std::string_view bytes) {
    const auto read = readExperiment(bytes, "experiment.json", builtInCatalog());
    if (!read) {
        return faultsOf(read.error());
    }
    return validateExperiment((*read)->document, builtInCatalog()) ? "" : "what was taken is refused when read again";
}

/// run.json of a folder with one lane's files or, beginning as these do, what the lane found at its first point.
std::string readRun(std::string_view bytes) {
    static const bool isMade = [] {
        const fs::path corpus = LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fuzz/corpus";
        fs::create_directories(scratch().path("run/GB"));
        return fs::copy_file(corpus / "path/GB.csv", scratch().path("run/GB/path.csv")) &&
               fs::copy_file(corpus / "events/GB.jsonl", scratch().path("run/GB/events.jsonl"));
    }();
    if (!isMade) {
        return "the lane's files could not be copied";
    }
    const bool isSolution = bytes.starts_with('#');
    scratch().write("run/GB/solution-0.csv", isSolution ? bytes : "# w 2 1\n0.5\n-1\n");
    scratch().write("run/run.json", isSolution ? R"({"format": "lambdascope-run", "lanes": [{"name": "GB"}]})" : bytes);
    auto records = readRunFolder(scratch().path("run"));
    if (!records) {
        return faultsOf(records.error());
    }
    for (const RunRecord& record : *records) {
        for (const auto& point : record.points()) {
            for (const NamedMatrix& matrix : point.solution ? *point.solution : Solution()) {
                const double numbers =
                    static_cast<double>(matrix.values.rows()) * static_cast<double>(matrix.values.cols());
                if (isSolution && numbers > static_cast<double>(bytes.size())) {
                    return "a matrix has more numbers than its file";
                }
            }
        }
    }
    return {};
}

std::string readPath(std::string_view bytes) {
    return faultsOf(readStoredPath(scratch().write("path.csv", bytes)));
}

std::string readEvents(std::string_view bytes) {
    return faultsOf(readEventLog(scratch().write("events.jsonl", bytes)));
}

std::string readLibrary(std::string_view bytes) {
    for (const char* beside : {"library.sqlite-wal", "library.sqlite-shm"}) {
        std::error_code ignored;
        fs::remove(scratch().path(beside), ignored);
    }
    const auto library = RunLibrary::open(scratch().write("library.sqlite", bytes));
    if (!library) {
        return faultsOf(library.error());
    }
    const auto experiments = (*library)->experiments();
    if (!experiments) {
        return faultsOf(experiments.error());
    }
    for (const LibraryExperiment& experiment : *experiments) {
        if (std::string wrong = faultsOf((*library)->experimentDocument(experiment.id)); !wrong.empty()) {
            return wrong;
        }
        for (const auto& run : experiment.runs) {
            if (std::string wrong = faultsOf((*library)->loadRecord(run.id)); !wrong.empty()) {
                return wrong;
            }
        }
    }
    return {};
}

constexpr std::array kReaders = {
    Reader{"csv", readData<DataFormat::Csv>},
    Reader{"dense", readData<DataFormat::DenseText>},
    Reader{"libsvm", readData<DataFormat::Libsvm>},
    Reader{"arff", readData<DataFormat::Arff>},
    Reader{"npy", readData<DataFormat::Npy>},
    Reader{"hdf5", readHdf5Here<Hdf5Loader::Order::RowMajor>},
    Reader{"mat", readHdf5Here<Hdf5Loader::Order::ColumnMajor>},
    Reader{"hdf5_process", readData<DataFormat::Hdf5>},
    Reader{"guess", readData<DataFormat::Guess>},
    Reader{"comparisons", readMetricComparisons},
    Reader{"answers", readAnswers},
    Reader{"weights", readWeights},
    Reader{"model", readModel},
    Reader{"experiment", readExperimentText},
    Reader{"run", readRun},
    Reader{"path", readPath},
    Reader{"events", readEvents},
    Reader{"library", readLibrary},
};

} // namespace

std::span<const Reader> readers() {
    return kReaders;
}

const Reader* findReader(std::string_view name) {
    const auto* found =
        std::find_if(kReaders.begin(), kReaders.end(), [name](const Reader& reader) { return reader.name == name; });
    return found == kReaders.end() ? nullptr : found;
}

} // namespace lambdascope::test
