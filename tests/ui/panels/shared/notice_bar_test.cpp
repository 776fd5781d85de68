// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/notice_bar.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QToolButton>

namespace lambdascope {
namespace {

TEST(NoticeBar, SaysPlaceMessageAndRemedyOfEachFault) {
    Error error = plainError(ErrorCode::InvalidData, "two things are wrong");
    error.faults = {{"", "'x' is no number", "Correct the value.", {"data.csv", 7, 3}},
                    {"problem.k", "too large", "", {}}};
    const Notice notice = noticeFor(error, "open");
    EXPECT_TRUE(notice.message.contains("data.csv:7:3"));
    EXPECT_TRUE(notice.message.contains("problem.k: too large"));
    EXPECT_EQ(notice.remedy, "Correct the value.");
    EXPECT_EQ(notice.severity, Severity::Problem);
}

TEST(NoticeBar, TellsTheFirstFaultsOfMany) {
    Error error = plainError(ErrorCode::InvalidData, "many things are wrong");
    error.faults.assign(Error::kMostTold + 7, {"lanes", "wrong", "", {}});
    const QStringList lines = noticeFor(error, "open").message.split('\n');
    EXPECT_EQ(lines.size(), static_cast<qsizetype>(Error::kMostTold) + 1);
    EXPECT_EQ(lines.last(), "and 7 more");
}

TEST(NoticeBar, ANewNoticeOfTheSameSourceReplacesTheOld) {
    NoticeBar bar;
    EXPECT_TRUE(bar.isHidden());
    bar.show({Severity::Problem, "first", "", "a"});
    bar.show({Severity::Problem, "second", "", "a"});
    bar.show({Severity::Warning, "other", "", "b"});
    EXPECT_EQ(bar.noticeCount(), 2);
    EXPECT_TRUE(bar.texts().first().contains("second"));
    EXPECT_FALSE(bar.isHidden());
    bar.dismissSource("a");
    bar.dismissSource("b");
    EXPECT_TRUE(bar.isHidden());
}

TEST(NoticeBar, MayOfferAnAction) {
    NoticeBar bar;
    QStringList chosen;
    QObject::connect(&bar, &NoticeBar::actionChosen,
                     [&chosen](const QString& source, int action) { chosen << source + QString::number(action); });
    bar.show({Severity::Information, "written", "", "a", {"Check now", "Copy"}});
    const auto buttons = bar.findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 2);
    EXPECT_EQ(buttons[1]->text(), "Copy");
    buttons[1]->click();
    EXPECT_EQ(chosen, QStringList{"a1"});
    EXPECT_EQ(bar.noticeCount(), 0) << "it is not offered twice";
}

TEST(NoticeBar, NothingIsSaidTwice) {
    NoticeBar bar;
    bar.show({Severity::Problem, "the file is bad", "Mend it.", "data"});
    bar.show({Severity::Problem, "another", "", "open"});
    bar.show({Severity::Problem, "the file is bad", "Mend it.", "run"});
    EXPECT_EQ(bar.texts(), (QStringList{"Problem: another", "Problem: the file is bad. Mend it."}));
}

TEST(NoticeBar, TheButtonDismisses) {
    NoticeBar bar;
    bar.show({Severity::Information, "hello", "", ""});
    auto* button = bar.findChild<QToolButton*>();
    ASSERT_NE(button, nullptr);
    EXPECT_FALSE(button->accessibleName().isEmpty());
    button->click();
    EXPECT_EQ(bar.noticeCount(), 0);
}

TEST(NoticeBar, KeepsAFewOnly) {
    NoticeBar bar;
    for (int i = 0; i < 20; ++i) {
        bar.show({Severity::Warning, QString::number(i), "", ""});
    }
    EXPECT_LE(bar.noticeCount(), 4);
    EXPECT_TRUE(bar.texts().last().contains("19"));
}

} // namespace
} // namespace lambdascope
