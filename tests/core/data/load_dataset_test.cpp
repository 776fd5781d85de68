// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/resource_folder.h"
#include "core/config/field_table.h"
#include "core/data/sha256.h"
#include "tests/core/data/data_files.h"
#include "tests/support/without_privileges.h"

#include <cmath>
#include <map>
#include <set>

namespace lambdascope::test {

namespace {

DataConfig bundled(const std::string& name) {
    return plain(name);
}

std::vector<int> classSizes(const Dataset& data) {
    std::vector<int> sizes(data.classNames().size(), 0);
    for (const std::int32_t label : data.labels()) {
        ++sizes.at(static_cast<std::size_t>(label));
    }
    return sizes;
}

} // namespace

TEST(LoadDataset, KnowsTheBundledSets) {
    const auto iris = loaded(bundled("iris"));
    EXPECT_EQ(iris->name(), "iris");
    EXPECT_EQ(iris->featureNames().at(2), "petal length (cm)");
    EXPECT_EQ(iris->classNames(), (Words{"setosa", "versicolor", "virginica"}));
    EXPECT_EQ(classSizes(*iris), (std::vector<int>{50, 50, 50}));
    EXPECT_EQ(rowOf(*iris, 0), (Numbers{5.1, 3.5, 1.4, 0.2}));
    const auto wine = loaded(bundled("wine"));
    EXPECT_EQ(wine->features(), 13);
    EXPECT_EQ(classSizes(*wine), (std::vector<int>{59, 71, 48}));
    const auto cancer = loaded(bundled("breast-cancer"));
    EXPECT_EQ(cancer->features(), 30);
    EXPECT_EQ(cancer->classNames(), (Words{"malignant", "benign"}));
    EXPECT_EQ(classSizes(*cancer), (std::vector<int>{212, 357}));
    const auto digits = loaded(bundled("digits"));
    EXPECT_EQ(digits->rows(), 1797);
    EXPECT_EQ(digits->features(), 64);
    EXPECT_EQ(digits->classNames().size(), 10U);
    EXPECT_EQ(digits->sourceSha256(), "46abec6b12486ad9e51943373abcf22bbea1b5a51a1619b361570d8893f1464a");
}

TEST(LoadDataset, ReadsEurodistAsASymmetricTableOfCities) {
    const auto data = loaded(bundled("eurodist"));
    EXPECT_FALSE(data->isLabelled());
    EXPECT_EQ(data->rowNames(), data->featureNames());
    EXPECT_EQ(data->rowNames().at(17), "Paris");
    EXPECT_EQ(data->dense(), data->dense().transpose());
    EXPECT_EQ(data->dense().diagonal().cwiseAbs().maxCoeff(), 0);
}

TEST(LoadDataset, ListsEverySetAndGeneratorAndAllOfThemLoad) {
    for (const DataListing& listing : listedData()) {
        EXPECT_FALSE(listing.title.empty());
        EXPECT_FALSE(listing.summary.empty());
        DataConfig config;
        config.source = listing.source;
        const auto data = loaded(config);
        EXPECT_GT(data->rows(), 0) << listing.source;
        EXPECT_TRUE(data->toDense().allFinite()) << listing.source;
        EXPECT_EQ(data->contentSha256().size(), 64U);
    }
}

TEST(LoadDataset, KeepsAShareOfEachClass) {
    DataConfig config = bundled("iris");
    config.subset = 0.9;
    const auto data = loaded(config);
    EXPECT_EQ(classSizes(*data), (std::vector<int>{45, 45, 45}));
    EXPECT_NE(data->description().find("135 of 150 rows"), std::string::npos);
    EXPECT_EQ(loaded(config)->contentSha256(), data->contentSha256());
    config.seed = 2;
    EXPECT_NE(loaded(config)->contentSha256(), data->contentSha256());
    config.source = "wine";
    EXPECT_EQ(classSizes(*loaded(config)), (std::vector<int>{53, 64, 43})); // 53.1, 63.9, 43.2
    config.subset = 0.001;
    EXPECT_EQ(classSizes(*loaded(config)), (std::vector<int>{1, 1, 1}));
}

TEST(LoadDataset, HashesWhatItPrepared) {
    DataConfig config = bundled("iris");
    const auto raw = loaded(config);
    config.scale = Scaling::MinMax;
    EXPECT_NE(loaded(config)->contentSha256(), raw->contentSha256());
    EXPECT_EQ(loaded(config)->sourceSha256(), raw->sourceSha256());
}

TEST(LoadDataset, FindsFilesInTheGivenFoldersInOrder) {
    DataFolder first;
    DataFolder second;
    second.write("a.csv", "1,2,u\n2,3,v\n");
    DataPlaces where = places();
    where.folders = {first.path(""), second.path("")};
    EXPECT_EQ((*loadDataset(plain("a.csv"), where))->rows(), 2);
    first.write("a.csv", "1,2,u\n2,3,v\n3,4,v\n");
    EXPECT_EQ((*loadDataset(plain("a.csv"), where))->rows(), 3);
    EXPECT_EQ((*loadDataset(plain(second.path("a.csv")), where))->rows(), 2);
}

TEST(LoadDataset, ReportsWhatIsNoReadableFile) {
    DataFolder folder;
    const Error absent = failed(plain("iriss"));
    EXPECT_EQ(absent.code, ErrorCode::FileNotFound);
    EXPECT_NE(absent.faults.at(0).remedy.find("\"iris\""), std::string::npos);
    EXPECT_EQ(failed(plain(folder.path("nothing.csv"))).code, ErrorCode::FileNotFound);
    EXPECT_EQ(failed(plain(folder.path(""))).code, ErrorCode::FileUnreadable);
    EXPECT_EQ(failed(plain("/dev/null")).code, ErrorCode::FileUnreadable);
}

TEST(LoadDataset, ReportsFilesThatMayNotBeRead) {
    DataFolder folder;
    const auto file = folder.write("a.csv", "1,2,u\n2,3,v\n");
    const WithoutPrivileges nobody(file.parent_path());
    if (!nobody.isInForce()) {
        GTEST_SKIP() << "root may read every file";
    }
    std::filesystem::permissions(file, std::filesystem::perms::none);
    EXPECT_EQ(failed(plain(file)).code, ErrorCode::FileUnreadable);
}

TEST(LoadDataset, ReportsBinaryFilesByWhatTheySeemToBe) {
    DataFolder folder;
    const auto message = [&](const std::string& bytes) {
        const Error error = failed(plain(folder.write("a", bytes)));
        EXPECT_EQ(error.code, ErrorCode::UnsupportedFormat);
        return error.describe();
    };
    EXPECT_NE(message(std::string("\x01\x02\0\x03junk\0\0", 10)).find("binary data"), std::string::npos);
    EXPECT_NE(message("MATLAB 5.0 MAT-file, Platform").find("-v7.3"), std::string::npos);
    EXPECT_NE(message("PK\x03\x04zip").find("ZIP"), std::string::npos);
    EXPECT_NE(message(std::string("\xFF\xFE"
                                  "1\0,\0",
                                  6))
                  .find("UTF-16"),
              std::string::npos);
    DataConfig forced = plain(folder.write("b", std::string("1,2,u\n3,\0,v\n", 12)));
    forced.format = DataFormat::Csv;
    EXPECT_TRUE(hasFault(failed(forced), 2, 3, "zero byte"));
}

TEST(LoadDataset, GuessesFormatsFromContentNotFromNames) {
    DataFolder folder;
    const auto starts = [&](const std::string& text, const std::string& format) {
        const auto data = loaded(plain(folder.write("misleading.arff", text)));
        EXPECT_EQ(data->description().substr(data->description().find("; ") + 2).substr(0, format.size()), format)
            << data->description();
    };
    starts("1 2:3 4:5\n2 1:1\n1\n", "LIBSVM");
    starts("1 2 3\n2 3 4\n1 5 6\n", "dense text");
    starts("1,2,3\n2,3,4\n1,5,3\n", "CSV");
    starts("1, 2, 3\n2, 3, 4\n1, 5, 3\n", "CSV");
    starts("a\tb c\n1\tx y\n2\tz\n1\tz\n", "CSV");
    starts("% c\n\n@Relation x\n@attribute a real\n@data\n1\n", "ARFF");
    starts("time 12:30,b\n1,2\n2,3\n", "CSV");
}

TEST(LoadDataset, ReportsFaultsInTheFormatThatTheNameSays) {
    DataFolder folder;
    const std::string broken = "1 1:2 3:x\n-1 a:1 :4\n";
    for (const Error& error :
         {failed(plain(folder.write("a.libsvm", broken))), failed(plain(folder.write("a.svm.gz", gzipped(broken))))}) {
        EXPECT_TRUE(hasFault(error, 1, 7, "\"3:x\" is not a number"));
        EXPECT_TRUE(hasFault(error, 2, 4, "\"a:1\" is not a whole number"));
    }
    EXPECT_EQ(loaded(plain(folder.write("table.libsvm", "a,b,class\n1,2,u\n3,4,v\n")))->features(), 2)
        << "what reads well as something else is that";
}

TEST(LoadDataset, DoubtsTheNameOfACompressedFileThatIsNone) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("page.csv.gz", "Not found\n")));
    EXPECT_NE(error.describe().find("it is not compressed"), std::string::npos) << error.describe();
    EXPECT_EQ(loaded(plain(folder.write("table.csv.gz", "a,b,class\n1,2,u\n3,4,v\n")))->features(), 2);
    EXPECT_EQ(failed(plain(folder.write("page.csv", "Not found\n"))).describe().find("compressed"), std::string::npos);
}

TEST(LoadDataset, SaysThatNoDataAreNamed) {
    for (const char* source : {"", "  "}) {
        const Error error = failed(plain(source));
        ASSERT_EQ(error.faults.size(), 1U);
        EXPECT_EQ(error.faults[0].key, "data.source");
        EXPECT_EQ(error.faults[0].message, "names no data");
    }
}

TEST(LoadDataset, NamesTheSettingForMissingValuesByItsKey) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("gaps.csv", "a,b,class\n1,,u\n3,4,v\n")));
    EXPECT_NE(error.describe().find("set data.missing to"), std::string::npos) << error.describe();
}

TEST(LoadDataset, ObeysAFormatThatIsSet) {
    DataFolder folder;
    DataConfig config = plain(folder.write("a", "1 2 3\n2 3 4\n"));
    config.format = DataFormat::Libsvm;
    EXPECT_TRUE(hasFault(failed(config), 1, 3, "index:value"));
}

TEST(LoadDataset, ReportsProgressThatNeverFalls) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += std::to_string(i % 1000) + "," + std::to_string(i % 7) + ",u\n";
    }
    std::vector<double> shares;
    const auto data =
        loadDataset(plain(folder.write("a.csv", text)), places(), [&](double share, std::string_view activity) {
            EXPECT_FALSE(activity.empty());
            shares.push_back(share);
        });
    ASSERT_TRUE(data.has_value());
    EXPECT_GT(shares.size(), 5U);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1);
}

TEST(LoadDataset, StopsWhenAsked) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        text += "1,2,u\n";
    }
    const auto file = folder.write("a.csv", text);
    std::stop_source stop;
    const auto halfway = loadDataset(
        plain(file), places(),
        [&](double share, std::string_view) {
            if (share > 0.4) {
                stop.request_stop();
            }
        },
        stop.get_token());
    ASSERT_FALSE(halfway.has_value());
    EXPECT_EQ(halfway.error().code, ErrorCode::Stopped);
    for (const std::string_view activity : {"Preparing", "Scaling", "Computing principal axes", "Hashing"}) {
        std::stop_source late;
        DataConfig config;
        config.pca = 2;
        const auto stopped = loadDataset(
            config, places(),
            [&](double, std::string_view now) {
                if (now == activity) {
                    late.request_stop();
                }
            },
            late.get_token());
        ASSERT_FALSE(stopped.has_value()) << activity;
        EXPECT_EQ(stopped.error().code, ErrorCode::Stopped) << activity;
    }
    const auto atOnce = loadDataset(plain("iris"), places(), {}, stop.get_token());
    ASSERT_FALSE(atOnce.has_value());
    EXPECT_EQ(atOnce.error().code, ErrorCode::Stopped);
}

TEST(DataFields, CoverEveryMemberAndRoundTrip) {
    DataConfig config;
    config.source = "x.csv";
    config.format = DataFormat::Mat73;
    config.labels = "3";
    config.missing = MissingPolicy::Mean;
    config.scale = Scaling::UnitNorm;
    config.pca = 4;
    config.subset = 0.5;
    config.seed = 9;
    config.target = "last";
    config.edits = "omit 1";
    config.storage = Storage::Sparse;
    EXPECT_EQ(dataFields().size(), 11U);
    EXPECT_TRUE(dataFields().validate(config).empty());
    EXPECT_EQ(dataFields().readResolved(dataFields().write(config)), config);
    config.subset = 0;
    config.pca = 0;
    EXPECT_EQ(dataFields().validate(config).size(), 2U);
}

namespace {

std::string table(int rows) {
    std::string text = "a,b,class\n";
    for (int i = 0; i < rows; ++i) {
        text += std::to_string((i * 7919) % 1000) + "." + std::to_string(i % 97) + "," + std::to_string(i * 31 % 513) +
                "," + (i % 3 == 0 ? "u" : "v") + "\n";
    }
    return text;
}

std::string sha256Of(const std::string& bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.hexDigest();
}

} // namespace

TEST(CompressedFiles, ReadAsTheTextInThem) {
    DataFolder folder;
    const std::string text = table(100'000); // more than one buffer and one bzip2 block
    const auto plainData = loaded(plain(folder.write("a.csv", text)));
    for (const std::string& packed : {gzipped(text), bzipped(text)}) {
        const auto data = loaded(plain(folder.write("b", packed)));
        EXPECT_EQ(data->contentSha256(), plainData->contentSha256());
        EXPECT_EQ(data->sourceSha256(), sha256Of(packed));
    }
    EXPECT_EQ(plainData->sourceSha256(), sha256Of(text));
}

TEST(CompressedFiles, MayHoldSeveralStreamsAndPadding) {
    DataFolder folder;
    const std::string text = table(50);
    const auto whole = loaded(plain(folder.write("a.csv", text)));
    const std::string first = text.substr(0, 333);
    const std::string second = text.substr(333);
    EXPECT_EQ(loaded(plain(folder.write("b", gzipped(first) + gzipped(second))))->contentSha256(),
              whole->contentSha256());
    EXPECT_EQ(loaded(plain(folder.write("c", bzipped(first) + bzipped(second))))->contentSha256(),
              whole->contentSha256());
    EXPECT_EQ(loaded(plain(folder.write("d", gzipped(text) + std::string(512, '\0'))))->contentSha256(),
              whole->contentSha256());
}

TEST(CompressedFiles, ThatAreCutOffAreReportedWithTheirName) {
    DataFolder folder;
    const std::string text = table(30'000);
    for (const std::string& packed : {gzipped(text), bzipped(text)}) {
        for (const double share : {0.001, 0.3, 0.7, 0.9999}) {
            const auto size = static_cast<std::size_t>(share * static_cast<double>(packed.size()));
            const Error error =
                failed(plain(folder.write("broken.csv.z", packed.substr(0, std::max<std::size_t>(size, 12)))));
            EXPECT_NE(error.describe().find("cut off"), std::string::npos) << error.describe();
            EXPECT_NE(error.describe().find("broken.csv.z"), std::string::npos);
        }
    }
}

TEST(CompressedFiles, ThatAreDamagedAreReported) {
    DataFolder folder;
    const std::string text = table(30'000);
    for (std::string packed : {gzipped(text), bzipped(text)}) {
        for (std::size_t at = packed.size() / 2; at < packed.size() / 2 + 40; ++at) {
            packed[at] = static_cast<char>(~packed[at]);
        }
        EXPECT_EQ(failed(plain(folder.write("a", packed))).code, ErrorCode::InvalidData);
    }
    EXPECT_NE(failed(plain(folder.write("a", gzipped(text) + "tail"))).describe().find("damaged"), std::string::npos);
}

} // namespace lambdascope::test
