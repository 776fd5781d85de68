// SPDX-License-Identifier: GPL-3.0-or-later
// Input that no honest user writes: it is refused early, in plain words, within little memory.
#include "core/config/json_document.h"
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <sys/stat.h>

#include <vector>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliProcess;

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    all.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

class Abuse : public testing_support::ScratchFolder {
  protected:
    /// Runs with little memory; expects status 2, and a short message with `word` that quotes no library.
    void expectRefused(const std::vector<std::string>& arguments, const std::string& word) {
        CliProcess process(scratch(""), arguments, {.memory = kMemory});
        EXPECT_EQ(process.wait(), 2);
        const std::string message = process.err();
        EXPECT_NE(message.find(word), std::string::npos) << message.substr(0, 2000);
        for (const char* foreign : {"json.exception", "std::", "unexpected failure", "terminate", "type_error"}) {
            EXPECT_EQ(message.find(foreign), std::string::npos) << message.substr(0, 2000);
        }
        EXPECT_LT(message.size(), 30'000U);
    }
    void expectExperimentRefused(const std::string& text, const std::string& word) {
        SCOPED_TRACE(text.substr(0, 60) + " …, " + std::to_string(text.size()) + " bytes");
        write(scratch("x.json"), text);
        expectRefused({"run", "x.json", "--library", "none"}, word);
    }
    /// A short run in the folder "out".
    void makeRun() {
        fs::remove_all(scratch("out"));
        const auto run = testing_support::runCli(
            scratch(""), {"run", "iris-six-lanes", "--out", "out", "--set", "path.max_points=2", "--progress", "none"});
        ASSERT_EQ(run.status, 0) << run.err;
    }

    static constexpr std::size_t kMemory = std::size_t{1} << 30U;
};

TEST_F(Abuse, AnHdf5FileThatEndsItsLibrary) {
    fs::copy_file(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fuzz/corpus/hdf5_process/heap_without_place.h5", scratch("x.h5"));
    expectRefused({"describe", "x.h5"}, "x.h5");
    expectRefused({"run", "iris-six-lanes", "--set", "data.source=x.h5", "--library", "none"}, "x.h5");
}

TEST_F(Abuse, NestedExperiments) {
    for (const std::size_t depth : {65U, 100'000U, 500'000U}) {
        for (const char* open : {"[", "{\"a\":", "{\"lanes\":["}) {
            const std::string text = repeated(open, depth);
            expectExperimentRefused(text, text.size() > (4U << 20U) ? "larger than 4 MB" : "x.json:1:");
        }
        expectExperimentRefused(repeated("[", depth) + repeated("]", depth), "64 deep");
    }
}

TEST_F(Abuse, LargeExperiments) {
    const std::string begin = R"({"family": "svm", "data": {"source": "iris"}, )";
    expectExperimentRefused(begin + std::string(5 << 20, ' ') + "}", "larger than 4 MB");
    expectExperimentRefused(begin + "\"lanes\": [1" + repeated(",1", 1'900'000) + "]}", "lanes");
    expectExperimentRefused(begin + "\"name\": [1" + repeated(",1", 1'900'000) + "]}", "name");
    expectExperimentRefused(begin + "\"problem\": {\"" + std::string(3 << 20, 'k') + "\": 1}}", "problem");
    expectExperimentRefused(begin + "\"published\": [1" + repeated(",1", 1'000'000) + "]}", "published");
    std::string keys = "\"k\": 0";
    for (int i = 0; i < 300'000; ++i) {
        keys += ",\"" + std::to_string(i) + "\":0";
    }
    expectExperimentRefused("{" + keys + "}", "4096 keys");
}

TEST_F(Abuse, ExperimentsThatAreNoText) {
    using namespace std::string_literals;
    expectExperimentRefused("{\"name\": \"\xff\"}", "x.json:1:10");
    expectExperimentRefused("{\"name\"\0: 1}"s, "NUL");
    expectExperimentRefused(std::string(100'000, '\0'), "NUL");
    expectExperimentRefused("{\n\"name\": \"\\ud800\"}", "x.json:2:9");
    expectExperimentRefused("{\"path\": {\"ratio\": 1e999}}", "x.json:1:20");
    expectExperimentRefused("{\"name\": 1, \"name\": 2}", "twice");
    expectExperimentRefused("", "x.json:1:1");
    for (const std::string name : {"a\\u0000b", "..", "run.json", "a/b", "\\n"}) {
        expectExperimentRefused(
            R"({"family": "svm", "data": {"source": "iris"}, "lanes": [{"name": ")" + name + "\"}]}", "lanes[0].name");
    }
}

TEST_F(Abuse, ExperimentsThatAreNoFiles) {
    expectRefused({"run", "/dev/zero"}, "is a device");
    expectRefused({"run", "."}, "folder");
    ASSERT_EQ(mkfifo(scratch("pipe").c_str(), 0600), 0);
    expectRefused({"run", "pipe"}, "named pipe");
    expectRefused({"run", std::string(100'000, 'x') + ".json"}, "File name too long");
}

TEST_F(Abuse, Settings) {
    for (const auto& [setting, word] :
         std::vector<std::pair<std::string, std::string>>{{"data.source=\xff\xfe", "not UTF-8"},
                                                          {"name=\xC3", "not UTF-8"},
                                                          {"\xff=1", "not UTF-8"},
                                                          {"problem=" + repeated("[", 60'000), "64 deep"},
                                                          {"problem=" + repeated("{\"a\":", 20'000), "64 deep"},
                                                          {"a" + repeated(".a", 60'000) + "=1", "not a key path"},
                                                          {"lanes[99999999999999999999].name=a", "not a key path"},
                                                          {"lanes[0].name=" + std::string(300, 'n'), "80 bytes"},
                                                          {"path.ratio=1e999", "path.ratio"}}) {
        SCOPED_TRACE(setting.substr(0, 40));
        expectRefused({"run", "iris-six-lanes", "--library", "none", "--set", setting}, word);
    }
}

TEST_F(Abuse, DescriptionsOfRuns) {
    makeRun();
    const Json good = *readRunSummary(scratch("out"));
    const std::vector<std::pair<const char*, const char*>> wrong = {
        {"lanes", "3"},           {"lanes[0]", "3"},
        {"lanes[0].name", "{}"},  {"process", "[1]"},
        {"data_sha256", "7"},     {"experiment", "[]"},
        {"name", "false"},        {"experiment.data", "\"\""},
        {"lanes[0].facts", "[]"}, {"experiment.data.source", "[]"},
        {"lanes[0].state", "1"}};
    const auto expectAllRefused = [&](const std::string& word) {
        expectRefused({"compare", "out"}, word);
        expectRefused({"verify", "out"}, word);
        expectRefused({"run", "iris-six-lanes", "--out", "out", "--library", "none"}, "out");
    };
    for (const auto& [keyPath, value] : wrong) {
        SCOPED_TRACE(keyPath);
        Json bad = good;
        ASSERT_TRUE(setByKeyPath(bad, keyPath, value));
        write(scratch("out") / "run.json", bad.dump(2));
        expectAllRefused("run.json:");
    }
    for (const std::string& text :
         {repeated("[", 100'000), repeated("{\"a\":", 100'000), std::string("{\"format\": \xff}"),
          "[1" + repeated(",1", 3'000'000) + "]", std::string(10'000, '\0'), std::string()}) {
        SCOPED_TRACE(text.substr(0, 20));
        write(scratch("out") / "run.json", text);
        expectAllRefused("run.json:1");
    }
    fs::remove(scratch("out") / "run.json");
    ASSERT_EQ(mkfifo((scratch("out") / "run.json").c_str(), 0600), 0);
    expectAllRefused("run.json: is a named pipe");
}

TEST_F(Abuse, EventLogs) {
    makeRun();
    const fs::path log = scratch("out") / "default" / "events.jsonl";
    fs::path file = log;
    for (const auto& entry : fs::recursive_directory_iterator(scratch("out"))) {
        if (entry.path().filename() == "events.jsonl") {
            file = entry.path();
        }
    }
    const std::string good = contents(file);
    const std::size_t firstEnd = good.find('\n') + 1;
    for (const std::string& line :
         {repeated("[", 200'000), std::string("{\"run\":1,\"seq\":[]}"), std::string("[]"), std::string("7"),
          std::string("{\"run\":1,\"seq\":2,\"event\":\"point-finished\",\"index\":99999999999}"),
          std::string("{\"run\":1,\"seq\":2,\"event\":\"screened\",\"index\":0.5}"),
          std::string("{\"run\":1,\"seq\":2,\"event\":3}"), std::string("{\"run\":1e999}"), std::string("\"\xff\""),
          std::string(1000, '\0'), good.substr(0, firstEnd - 1)}) {
        SCOPED_TRACE(line.substr(0, 60));
        write(file, good.substr(0, firstEnd) + line + "\n" + good.substr(firstEnd));
        expectRefused({"compare", "out"}, "events.jsonl:2");
    }
    write(file, good.substr(firstEnd));
    expectRefused({"compare", "out"}, "events.jsonl:1");
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    expectRefused({"compare", "out"}, "not an ordinary file");
    fs::remove(file);
    fs::create_symlink("/dev/zero", file);
    expectRefused({"compare", "out"}, "not an ordinary file");
}

TEST_F(Abuse, ModelsAndPaths) {
    makeRun();
    expectRefused({"predict", "/dev/zero", "iris"}, "is a device");
    for (const auto& entry : fs::recursive_directory_iterator(scratch("out"))) {
        if (entry.path().filename() == "path.csv") {
            fs::remove(entry.path());
            fs::create_symlink("/dev/zero", entry.path());
        }
    }
    expectRefused({"verify", "out"}, "is a device");
}

} // namespace
} // namespace lambdascope
