// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/result.h"
#include "core/common/strong_index.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

using namespace lambdascope;

namespace {

Result<int> half(int value) {
    if (value % 2 != 0) {
        return Failure{plainError(ErrorCode::InvalidData, "odd")};
    }
    return value / 2;
}

} // namespace

TEST(Result, HoldsAValueOrAnError) {
    EXPECT_EQ(half(8).value(), 4);
    EXPECT_FALSE(half(3));
    EXPECT_EQ(half(3).error().message, "odd");
    EXPECT_EQ(half(3).value_or(-1), -1);
}

TEST(Result, ChainsStopAtTheFirstError) {
    EXPECT_EQ(half(8).and_then(half).and_then(half).value(), 1);
    EXPECT_EQ(half(6).and_then(half).error().message, "odd");
    EXPECT_EQ(half(6).transform([](int v) { return std::to_string(v); }).value(), "3");
}

TEST(Result, MovesValuesThatCannotBeCopied) {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
    const std::unique_ptr<int> taken = *std::move(result);
    EXPECT_EQ(*taken, 5);
}

TEST(Result, OfNothingStillCarriesErrors) {
    EXPECT_TRUE(Result<void>());
    const Result<void> failed = Failure{plainError(ErrorCode::Stopped, "stopped")};
    EXPECT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::Stopped);
}

TEST(StrongIndex, KindsDoNotMix) {
    using A = StrongIndex<struct ATag>;
    using B = StrongIndex<struct BTag>;
    EXPECT_FALSE((std::is_convertible_v<A, B>));
    EXPECT_FALSE((std::is_constructible_v<A, B>));
    EXPECT_FALSE(A{}.isValid());
    EXPECT_LT(A{1}, A{2});
}
