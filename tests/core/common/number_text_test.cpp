// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/common/trimmed_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace lambdascope;

TEST(NumberText, ReadsBackExactlyWhatItWrote) {
    RandomStream random(7);
    for (int i = 0; i < 20000; ++i) {
        const double value = std::bit_cast<double>(random.next());
        if (std::isnan(value)) {
            continue;
        }
        const auto back = parseNumber(exactText(value));
        ASSERT_TRUE(back) << exactText(value);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
    }
}

TEST(NumberText, WritesAndReadsWhatIsNoNumber) {
    EXPECT_EQ(exactText(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(exactText(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_TRUE(std::isnan(parseNumber("NaN").value()));
    EXPECT_EQ(parseNumber("inf"), std::numeric_limits<double>::infinity());
}

TEST(NumberText, TakesBlanksAndAPlusButNothingElse) {
    EXPECT_EQ(parseNumber(" +1.5e3\t"), 1500);
    for (const char* text : {"", " ", "1.5x", "1,5", "--1", "+-1", "++1", "1 2", "0x10", "e5", "."}) {
        EXPECT_FALSE(parseNumber(text)) << text;
    }
}

TEST(NumberText, OverflowsToInfinityAndUnderflowsToZero) {
    EXPECT_EQ(parseNumber("1e999"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(parseNumber("-1e999"), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(parseNumber("1e-999"), 0);
}

TEST(NumberText, IntegersAreWholeAndInRange) {
    EXPECT_EQ(parseInteger("+42 "), 42);
    EXPECT_EQ(parseInteger("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    for (const char* text : {"", "1.0", "1e3", "9223372036854775808", "+-2", "2x"}) {
        EXPECT_FALSE(parseInteger(text)) << text;
    }
}

TEST(NumberText, TextsForPeople) {
    EXPECT_EQ(shortText(1.0 / 3), "0.3333");
    EXPECT_EQ(shortText(1.62e7, 3), "1.62e+07");
    EXPECT_EQ(groupedText(924000), "924,000");
    EXPECT_EQ(groupedText(-1234567), "-1,234,567");
    EXPECT_EQ(groupedText(-123), "-123");
    EXPECT_EQ(durationText(0.85), "850 ms");
    EXPECT_EQ(durationText(12.34), "12.3 s");
    EXPECT_EQ(durationText(59.97), "1:00");
    EXPECT_EQ(durationText(245), "4:05");
    EXPECT_EQ(durationText(7800), "2:10:00");
    EXPECT_EQ(byteText(512), "512 B");
    EXPECT_EQ(byteText(1.5e6), "1.5 MB");
}

TEST(TrimmedText, LosesBlanksAroundItOnly) {
    EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t\n"), "");
    EXPECT_EQ(trimmed(""), "");
}
