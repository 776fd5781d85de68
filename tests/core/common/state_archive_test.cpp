// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/common/state_archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope {
namespace {

struct Inner {
    double value = 0;
    bool isSet = false;
    bool operator==(const Inner&) const = default;

    void transfer(auto& archive) {
        auto& [v, set] = *this;
        archive(v, set);
    }
};

struct Outer {
    std::vector<double> numbers;
    std::vector<Inner> list;
    std::optional<Inner> none;
    std::optional<Inner> some;
    std::string text;
    std::shared_ptr<const Inner> shared;
    std::pair<std::int32_t, double> both;
    std::array<Inner, 2> two{};

    void transfer(auto& archive) {
        auto& [a, b, c, d, e, f, g, h] = *this;
        archive(a, b, c, d, e, f, g, h);
    }
};

Outer example() {
    return {{0.1, -0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()},
            {{1.0 / 3, true}, {2, false}},
            std::nullopt,
            Inner{std::nextafter(1.0, 2.0), true},
            "two\nlines",
            std::make_shared<const Inner>(Inner{7, true}),
            {-3, 1e-300},
            {Inner{1, true}, Inner{2, false}}};
}

std::string written(Outer value) {
    StateArchive archive;
    archive(value);
    return archive.take();
}

TEST(StateArchive, GivesBackWhatWasWrittenToTheLastBit) {
    const std::string bytes = written(example());
    Outer read;
    StateArchive archive(bytes);
    archive(read);
    EXPECT_TRUE(archive.isWhole());
    EXPECT_EQ(written(read), bytes);
    EXPECT_EQ(read.numbers, example().numbers);
    EXPECT_TRUE(std::signbit(read.numbers[1]));
    EXPECT_EQ(read.list, example().list);
    EXPECT_FALSE(read.none);
    EXPECT_EQ(read.some, example().some);
    EXPECT_EQ(read.text, "two\nlines");
    EXPECT_EQ(*read.shared, (Inner{7, true}));
    EXPECT_EQ(read.both, std::pair(-3, 1e-300));
}

TEST(StateArchive, IsUnsoundForAnyPartOfWhatWasWritten) {
    const std::string bytes = written(example());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        Outer read;
        StateArchive archive(std::string_view(bytes).substr(0, size));
        archive(read);
        EXPECT_FALSE(archive.isSound()) << size;
    }
    const std::string longer = bytes + '\0';
    Outer read;
    StateArchive archive(longer);
    archive(read);
    EXPECT_TRUE(archive.isSound());
    EXPECT_FALSE(archive.isWhole()) << "something is left";
}

TEST(StateArchive, AsksForNoMemoryThatDamagedCountsSpeakOf) {
    StateArchive writing;
    std::uint64_t count = std::numeric_limits<std::uint64_t>::max() / 2;
    writing(count);
    const std::string bytes = writing.take();
    std::vector<double> numbers(3, 1.0);
    StateArchive archive(bytes);
    archive(numbers);
    EXPECT_FALSE(archive.isSound());
    EXPECT_TRUE(numbers.empty());
}

TEST(StateArchive, CarriesOnARandomStreamWhereItIs) {
    RandomStream stream(5, "test");
    (void)stream.normal(); // keeps a spare one
    StateArchive writing;
    writing(stream);
    const std::string bytes = writing.take();
    RandomStream again(99);
    StateArchive reading(bytes);
    reading(again);
    ASSERT_TRUE(reading.isWhole());
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(again.normal(), stream.normal());
        EXPECT_EQ(again.next(), stream.next());
    }
}

} // namespace
} // namespace lambdascope
