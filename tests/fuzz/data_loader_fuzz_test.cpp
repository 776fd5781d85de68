// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/data/dataset.h"
#include "tests/core/data/data_files.h"

#include <array>

namespace lambdascope::test {

namespace {

/// What mutations insert: bytes that mean something to some loader, and numbers at the edges.
constexpr std::array<std::string_view, 34> kPieces = {",",
                                                      ";",
                                                      "\t",
                                                      "\"",
                                                      "'",
                                                      "\n",
                                                      "\r",
                                                      "\r\n",
                                                      "{",
                                                      "}",
                                                      "%",
                                                      "#",
                                                      ":",
                                                      "?",
                                                      "NA",
                                                      "nan",
                                                      "inf",
                                                      "-",
                                                      "+",
                                                      "1e999",
                                                      "1e-999",
                                                      "2147483647",
                                                      "-1",
                                                      "0:1",
                                                      "1:1",
                                                      "99999999999999999999",
                                                      "\xFF",
                                                      "\xEF\xBB\xBF",
                                                      std::string_view("\0", 1),
                                                      "@data",
                                                      "@attribute a {x",
                                                      "\\",
                                                      "(",
                                                      "é"};

std::string mutated(std::string bytes, RandomStream& random) {
    const std::size_t count = 1 + random.below(4);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = random.below(bytes.size() + 1);
        const std::size_t length = random.below(1 + std::min<std::size_t>(16, bytes.size() - at));
        switch (random.below(6)) {
        case 0: bytes.resize(at); break;
        case 1: bytes.erase(at, length); break;
        case 2: bytes.insert(at, bytes.substr(at, length)); break;
        case 3: bytes.insert(at, kPieces[random.below(kPieces.size())]); break;
        case 4:
            if (at < bytes.size()) {
                bytes[at] = static_cast<char>(random.below(256));
            }
            break;
        case 5: bytes.replace(at, length, kPieces[random.below(kPieces.size())]); break;
        default: break;
        }
    }
    return bytes;
}

struct Seed {
    std::string name;
    std::string bytes;
    DataFormat format;
};

std::string npySeed() {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
    header.resize(117, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\0", 8);
    file += static_cast<char>(header.size());
    file += '\0';
    return file + header + std::string(24, '\x3F');
}

const std::vector<Seed>& seeds() {
    static const std::string csv =
        "a,\"b \"\"c\"\"\",kind,class\n1,2.5,red,u\n-3e2,4,green,v\n5,?,red,u\n0.1,7,blue,v\n";
    static const std::string libsvm = "+1 1:0.5 3:2 # note\n-1 2:1e-3 7:4\n+1 1:1 2:1 3:1\n-1\n";
    static const std::vector<Seed> all = {
        {"csv", csv, DataFormat::Csv},
        {"tsv", "x\ty\tclass\n1\t2\tu\n3\t4\tv\n", DataFormat::Tsv},
        {"libsvm", libsvm, DataFormat::Libsvm},
        {"dense", "1 0.5 2 3\n2 1.5 -2 1e3\n1 0 0 1\n", DataFormat::DenseText},
        {"arff",
         "% c\n@relation r\n@attribute 'a b' numeric\n@attribute c {x,'y z'}\n@attribute class {p,q}\n@data\n"
         "1,x,p\n2,'y z',q\n?,x,p\n",
         DataFormat::Arff},
        {"sparse-arff",
         "@relation r\n@attribute a numeric\n@attribute c {x,'y z'}\n@attribute class {p,q}\n@data\n"
         "{0 1, 2 q}\n{1 'y z'}\n{ }\n",
         DataFormat::Arff},
        {"npy", npySeed(), DataFormat::Npy},
        {"gz", gzipped(csv), DataFormat::Csv},
        {"bz2", bzipped(libsvm), DataFormat::Libsvm}};
    return all;
}

/// Loads and checks what every load promises: sound data, or an error that says something.
void check(const DataConfig& config) {
    const auto data = loadDataset(config, places());
    if (!data) {
        ASSERT_FALSE(data.error().message.empty());
        ASSERT_NE(data.error().code, ErrorCode::Internal);
        for (const Fault& fault : data.error().faults) {
            ASSERT_FALSE(fault.message.empty());
        }
        return;
    }
    const Dataset& d = **data;
    ASSERT_GT(d.rows(), 0);
    ASSERT_GT(d.features(), 0);
    if (d.features() < 100'000) {
        ASSERT_TRUE(d.toDense().allFinite());
    }
    ASSERT_TRUE(d.labels().empty() || static_cast<Eigen::Index>(d.labels().size()) == d.rows());
    for (const std::int32_t label : d.labels()) {
        ASSERT_GE(label, 0);
        ASSERT_LT(static_cast<std::size_t>(label), d.classNames().size());
    }
}

} // namespace

TEST(DataLoaderFuzz, MutatedFilesNeverCrashALoader) {
    DataFolder folder;
    constexpr int kRounds = 700;
    constexpr std::array kPolicies = {MissingPolicy::Fail, MissingPolicy::DropRows, MissingPolicy::Mean};
    constexpr std::array kScalings = {Scaling::None, Scaling::MinMax, Scaling::Standardize, Scaling::UnitNorm};
    const std::array<std::string, 6> labels = {"auto", "none", "first", "last", "2", "class"};
    for (const Seed& seed : seeds()) {
        RandomStream random(20240601, seed.name);
        for (int round = 0; round < kRounds; ++round) {
            const std::string bytes = mutated(seed.bytes, random);
            // A new file each time: some file systems write a file that is cut and filled again to the disk at once.
            const auto file = folder.write(seed.name + std::to_string(round), bytes);
            DataConfig config = plain(file, labels[random.below(labels.size())]);
            config.format = random.below(2) == 0 ? seed.format : DataFormat::Guess;
            config.missing = kPolicies[random.below(kPolicies.size())];
            config.scale = kScalings[random.below(kScalings.size())];
            config.storage = static_cast<Storage>(random.below(3));
            config.subset = random.below(2) == 0 ? 1 : 0.5;
            SCOPED_TRACE(seed.name + ", round " + std::to_string(round));
            check(config);
            std::filesystem::remove(file);
            if (HasFatalFailure()) {
                return;
            }
        }
    }
}

TEST(DataLoaderFuzz, EveryPrefixOfAFileIsReadOrReported) {
    DataFolder folder;
    for (const Seed& seed : seeds()) {
        for (std::size_t length = 0; length < seed.bytes.size(); ++length) {
            const auto file = folder.write(seed.name + std::to_string(length), seed.bytes.substr(0, length));
            for (const DataFormat format : {DataFormat::Guess, seed.format}) {
                DataConfig config = plain(file);
                config.format = format;
                SCOPED_TRACE(seed.name + ", " + std::to_string(length) + " bytes");
                check(config);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST(DataLoaderFuzz, AnyFormatMayBeForcedOnAnyFile) {
    DataFolder folder;
    for (const Seed& seed : seeds()) {
        const auto file = folder.write("seed", seed.bytes);
        for (int format = 0; format <= static_cast<int>(DataFormat::DenseText); ++format) {
            DataConfig config = plain(file);
            config.format = static_cast<DataFormat>(format);
            SCOPED_TRACE(seed.name + " as format " + std::to_string(format));
            check(config);
        }
    }
}

} // namespace lambdascope::test
