// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generators.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/config/field.h"
#include "core/data/raw_data.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace lambdascope {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMostRows = 10'000'000;
constexpr double kMostCells = 1e8;

/// Values of all options of a generator.
class Settings {
  public:
    double& operator[](std::string_view key) { return m_values[std::string(key)]; }
    [[nodiscard]] double real(std::string_view key) const { return m_values.find(key)->second; }
    [[nodiscard]] Eigen::Index whole(std::string_view key) const { return static_cast<Eigen::Index>(real(key)); }
    [[nodiscard]] bool has(std::string_view key) const { return m_values.find(key) != m_values.end(); }

  private:
    std::map<std::string, double, std::less<>> m_values;
};

/// Samples of class c at rows where i mod classes = c, so that classes differ by one sample at most.
RawData labelledRows(Eigen::Index rows, Eigen::Index features, Eigen::Index classes) {
    RawData data;
    data.dense.resize(rows, features);
    for (Eigen::Index c = 0; c < classes; ++c) {
        data.labels.names.push_back(std::to_string(c + 1));
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
        data.labels.codes.push_back(static_cast<std::int32_t>(i % classes));
    }
    return data;
}

/// N(m_c, I) with the means m_c on a circle in the first two dimensions (on a line if there is but one), neighbours
/// `separation` apart.
RawData gaussianClasses(const Settings& s, RandomStream& random) {
    const Eigen::Index classes = s.whole("classes");
    const Eigen::Index features = s.whole("d");
    RawData data = labelledRows(s.whole("n"), features, classes);
    const auto count = static_cast<double>(classes);
    const double radius = classes > 1 ? s.real("separation") / (2 * std::sin(kPi / count)) : 0;
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        const auto c = static_cast<double>(i % classes);
        for (Eigen::Index f = 0; f < features; ++f) {
            data.dense(i, f) = random.normal();
        }
        if (features == 1) {
            data.dense(i, 0) += s.real("separation") * (c - (count - 1) / 2);
        } else {
            data.dense(i, 0) += radius * std::cos(2 * kPi * c / count);
            data.dense(i, 1) += radius * std::sin(2 * kPi * c / count);
        }
    }
    return data;
}

/// Two half circles of radius 1, the second turned over and moved by (1, 1/2), with normal noise.
RawData twoMoons(const Settings& s, RandomStream& random) {
    RawData data = labelledRows(s.whole("n"), 2, 2);
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        const double angle = kPi * random.uniform();
        const bool isUpper = i % 2 == 0;
        data.dense(i, 0) = (isUpper ? std::cos(angle) : 1 - std::cos(angle)) + s.real("noise") * random.normal();
        data.dense(i, 1) = (isUpper ? std::sin(angle) : 0.5 - std::sin(angle)) + s.real("noise") * random.normal();
    }
    return data;
}

/// Archimedean spirals of radius 0 to 1, one arm per class at equal angles, with normal noise.
RawData spirals(const Settings& s, RandomStream& random) {
    const Eigen::Index classes = s.whole("classes");
    RawData data = labelledRows(s.whole("n"), 2, classes);
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        const double radius = std::sqrt(random.uniform()); // even along the arm
        const double start = 2 * kPi * static_cast<double>(i % classes) / static_cast<double>(classes);
        const double angle = start + 2 * kPi * s.real("turns") * radius;
        data.dense(i, 0) = radius * std::cos(angle) + s.real("noise") * random.normal();
        data.dense(i, 1) = radius * std::sin(angle) + s.real("noise") * random.normal();
    }
    return data;
}

/// Two classes N(∓[0.5, 0.5], 1.5² I) in the plane [S, Fig. 1].
RawData svmFigure1(const Settings& s, RandomStream& random) {
    RawData data = labelledRows(s.whole("n"), 2, 2);
    data.labels.names = {"-1", "1"};
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        for (Eigen::Index f = 0; f < 2; ++f) {
            data.dense(i, f) = (i % 2 == 0 ? -0.5 : 0.5) + 1.5 * random.normal();
        }
    }
    return data;
}

/// Unlabelled N(0, I/20) [O, section 5.1].
RawData ordinalGaussian(const Settings& s, RandomStream& random) {
    RawData data;
    data.dense.resize(s.whole("n"), s.whole("d"));
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        for (Eigen::Index f = 0; f < data.dense.cols(); ++f) {
            data.dense(i, f) = random.normal() / std::sqrt(20.0);
        }
    }
    return data;
}

/// sin x of uniform x from 0 to 2π, with normal noise; the target is y.
RawData noisySine(const Settings& s, RandomStream& random) {
    RawData data;
    data.dense.resize(s.whole("n"), 1);
    data.featureNames = {"x"};
    data.targetName = "y";
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        data.dense(i, 0) = 2 * kPi * random.uniform();
        data.targets.push_back(std::sin(data.dense(i, 0)) + s.real("noise") * random.normal());
    }
    return data;
}

using Make = RawData (*)(const Settings&, RandomStream&);
Make makerOf(std::string_view name) {
    static const std::map<std::string_view, Make> makers = {{"gaussian-classes", gaussianClasses},
                                                            {"two-moons", twoMoons},
                                                            {"spirals", spirals},
                                                            {"svm-figure1", svmFigure1},
                                                            {"ordinal-gaussian", ordinalGaussian},
                                                            {"sine", noisySine}};
    return makers.find(name)->second;
}

Fault sourceFault(std::string message, std::string remedy) {
    return {"data.source", std::move(message), std::move(remedy), {}};
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& words) {
    const auto closest = closestWord(word, words);
    std::string list;
    for (const std::string& w : words) {
        list += (list.empty() ? "" : ", ") + w;
    }
    return closest ? "Did you mean \"" + *closest + "\"?" : "There are: " + list + ".";
}

void readOption(const Generator& generator, std::string_view text, Settings& settings, std::vector<Fault>& faults) {
    const std::size_t equals = text.find('=');
    const std::string_view key = text.substr(0, equals);
    std::vector<std::string> keys = {"seed"};
    GeneratorOption option{"seed", 0, 0, 9007199254740992.0, true, {}};
    bool isKnown = key == "seed";
    for (const GeneratorOption& o : generator.options) {
        keys.emplace_back(o.key);
        if (o.key == key) {
            option = o;
            isKnown = true;
        }
    }
    if (!isKnown) {
        faults.push_back(sourceFault("the generator " + std::string(generator.name) + " has no option " + excerpt(key),
                                     didYouMean(key, keys)));
        return;
    }
    const auto value = equals == std::string_view::npos ? std::nullopt : parseNumber(text.substr(equals + 1));
    if (!value || !(*value >= option.low && *value <= option.high) ||
        (option.isWhole && *value != std::floor(*value))) {
        faults.push_back(sourceFault("the option " + excerpt(text) + " of the generator is out of range",
                                     "Give " + std::string(key) + " = " +
                                         (option.isWhole ? "a whole number" : "a number") + " from " +
                                         shortText(option.low, 10) + " to " + shortText(option.high, 16) + "."));
        return;
    }
    settings[key] = *value;
}

} // namespace

const std::vector<Generator>& generators() {
    static const GeneratorOption rows{"n", 600, 1, kMostRows, true, "samples"};
    static const std::vector<Generator> all = {
        {"gaussian-classes",
         "Gaussian classes",
         "Normal classes with means on a circle; options n=600, d=2, classes=3, separation=4.",
         {rows,
          {"d", 2, 1, 100'000, true, "features"},
          {"classes", 3, 1, 1000, true, "classes"},
          {"separation", 4, 0, 1e6, false, "distance of neighbouring means in standard deviations"}}},
        {"two-moons",
         "Two moons",
         "Two interleaved half circles; options n=600, noise=0.1.",
         {rows, {"noise", 0.1, 0, 1e6, false, "standard deviation of the noise"}}},
        {"spirals",
         "Spirals",
         "Interleaved spiral arms; options n=600, classes=2, turns=1.5, noise=0.02.",
         {rows,
          {"classes", 2, 1, 1000, true, "arms"},
          {"turns", 1.5, 0, 1000, false, "turns of each arm"},
          {"noise", 0.02, 0, 1e6, false, "standard deviation of the noise"}}},
        {"svm-figure1",
         "SVM toy of figure 1",
         "Two normal classes in the plane, means ∓(0.5, 0.5), standard deviation 1.5; option n=1000.",
         {{"n", 1000, 1, kMostRows, true, "samples"}}},
        {"ordinal-gaussian",
         "Points for ordinal embedding",
         "Unlabelled points from N(0, I/20); options n=100, d=10.",
         {{"n", 100, 1, kMostRows, true, "points"}, {"d", 10, 1, 100'000, true, "dimensions"}}},
        {"sine",
         "Noisy sine",
         "One feature x from 0 to 2π and the number sin x with noise to fit; options n=200, noise=0.1.",
         {{"n", 200, 1, kMostRows, true, "samples"},
          {"noise", 0.1, 0, 1e6, false, "standard deviation of the noise"}}}};
    return all;
}

Result<RawData> generateData(std::string_view source, std::uint64_t seed) {
    std::string_view rest = source.starts_with("toy:") ? source.substr(4) : source;
    const std::string_view name = rest.substr(0, rest.find('?'));
    const auto& all = generators();
    const auto generator = std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.name == name; });
    if (generator == all.end()) {
        std::vector<std::string> names;
        for (const Generator& g : all) {
            names.emplace_back(g.name);
        }
        return Failure(singleFault(ErrorCode::InvalidConfiguration,
                                   sourceFault("there is no generator " + excerpt(name), didYouMean(name, names))));
    }
    Settings settings;
    for (const GeneratorOption& option : generator->options) {
        settings[option.key] = option.fallback;
    }
    std::vector<Fault> faults;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        readOption(*generator, rest.substr(0, end), settings, faults);
        rest.remove_prefix(std::min(rest.size(), end + 1));
    }
    const double cells = settings.real("n") * (settings.has("d") ? settings.real("d") : 2);
    if (faults.empty() && cells > kMostCells) {
        faults.push_back(sourceFault("the generator would make " + byteText(8 * cells), "Take a smaller n or d."));
    }
    if (!faults.empty()) {
        Error error{ErrorCode::InvalidConfiguration, "the generator \"" + std::string(source) + "\" cannot be used",
                    faults};
        return Failure(faults.size() == 1 ? singleFault(ErrorCode::InvalidConfiguration, faults[0]) : error);
    }
    RandomStream random(settings.has("seed") ? static_cast<std::uint64_t>(settings.real("seed")) : seed, name);
    RawData data = makerOf(name)(settings, random);
    // Fewer samples than classes leave the last classes empty.
    while (data.labels.names.size() > static_cast<std::size_t>(data.rows())) {
        data.labels.names.pop_back();
    }
    return data;
}

} // namespace lambdascope
