// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/setting_text.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

FieldDescription fieldOf(FieldKind kind, const char* label) {
    FieldDescription field;
    field.kind = kind;
    field.label = label;
    return field;
}

TEST(SettingText, PhrasesReadAsSpoken) {
    FieldDescription tests = fieldOf(FieldKind::Choices, "Tests");
    tests.choices = {{"BT1", "Ball 1", ""}, {"IT", "Lens", ""}};
    EXPECT_EQ(settingPhrase(tests, Json::array()), "no tests");
    EXPECT_EQ(settingPhrase(tests, {"BT1", "IT"}), "Ball 1, Lens");
    const FieldDescription shrink = fieldOf(FieldKind::Boolean, "Shrinking");
    EXPECT_EQ(settingPhrase(shrink, true), "shrinking");
    EXPECT_EQ(settingPhrase(shrink, false), "no shrinking");
    EXPECT_EQ(settingPhrase(fieldOf(FieldKind::Integer, "Screen every"), 5), "screen every 5");
    EXPECT_EQ(settingPhrase(fieldOf(FieldKind::RealList, "Sizes"), Json::array()), "no sizes");
}

} // namespace
} // namespace lambdascope
