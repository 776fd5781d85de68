// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "ui/session/experiment/experiment_document.h"
#include "ui/session/study/study_draft.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace lambdascope {
namespace {

class StudyDraftTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(m_document.loadPreset("iris-six-lanes")); }
    [[nodiscard]] std::string faults() const {
        const auto count = m_draft.cellCount();
        return count ? std::string() : count.error().describe();
    }

    ExperimentDocument m_document{builtInCatalog()};
    StudyDraft m_draft{m_document};
};

TEST_F(StudyDraftTest, ValuesAreReadAsInAFileOrAsPlainWords) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"3, 5, 10", "[3,5,10]"},
        {"2..5", "[2,3,4,5]"},
        {"1, 3 … 5,9", "[1,3,4,5,9]"},
        {"-2..0", "[-2,-1,0]"},
        {"5..2", "[\"5..2\"]"},
        {"0.05,1e-3", "[0.05,0.001]"},
        {"iris, wine", "[\"iris\",\"wine\"]"},
        {"true,null", "[true,null]"},
        {"\"a, b\", c", "[\"a, b\",\"c\"]"},
        {"[\"PGB\", \"GB\"], []", "[[\"PGB\",\"GB\"],[]]"},
        {"", "[]"},
        {" , ,", "[]"},
        {"1..99999999", "[\"1..99999999\"]"},
    };
    for (const auto& [text, values] : cases) {
        EXPECT_EQ(StudyDraft::valuesOf(text), Json::parse(values)) << text;
    }
}

TEST_F(StudyDraftTest, AFieldBecomesAnAxisOnceWithItsValueOfNow) {
    QSignalSpy changed(&m_draft, &StudyDraft::axesChanged);
    EXPECT_TRUE(m_draft.isEmpty());
    m_draft.vary("problem.k");
    m_draft.vary("data.source");
    m_draft.vary("problem.k");
    EXPECT_EQ(changed.count(), 2);
    ASSERT_EQ(m_draft.axes().size(), 2U);
    EXPECT_EQ(m_draft.axes()[0].text, QString::fromStdString(m_document.value("problem.k").dump()));
    EXPECT_EQ(m_draft.axes()[1].text, "iris");
    EXPECT_EQ(*m_draft.cellCount(), 1U);
    m_draft.setText(0, "2..4");
    m_draft.setText(1, "iris,wine");
    m_draft.setSeeds(5);
    EXPECT_EQ(*m_draft.cellCount(), 30U);
    const Json study = *m_draft.study();
    EXPECT_EQ(study["axes"][0]["field"].get<std::string>(), "problem.k");
    EXPECT_EQ(study["axes"][2]["seeds"].get<std::int64_t>(), 5);
    EXPECT_EQ(study["experiment"], m_document.json());
    m_draft.remove(1);
    EXPECT_EQ(*m_draft.cellCount(), 15U);
}

TEST_F(StudyDraftTest, FaultsNameTheirAxisOrTheirCells) {
    m_draft.vary("problem.k");
    m_draft.setText(0, "");
    EXPECT_NE(faults().find("axes[0]"), std::string::npos) << faults();
    m_draft.setText(0, "3, -1");
    EXPECT_NE(faults().find("problem.k"), std::string::npos) << faults();
    m_draft.setText(0, "3, many");
    EXPECT_NE(faults().find("problem.k"), std::string::npos) << faults();
    EXPECT_FALSE(m_draft.study());
    m_draft.setText(0, "3, 4");
    EXPECT_EQ(faults(), "");
}

TEST_F(StudyDraftTest, FollowsTheForm) {
    m_draft.vary("problem.k");
    m_draft.setText(0, "3,4");
    QSignalSpy changed(&m_draft, &StudyDraft::changed);
    m_document.setValue("problem.gamma", Json(0.25));
    EXPECT_GE(changed.count(), 1);
    EXPECT_EQ((*m_draft.study())["experiment"]["problem"]["gamma"].get<double>(), 0.25);
}

} // namespace
} // namespace lambdascope
