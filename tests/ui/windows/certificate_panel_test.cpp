// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/windows/certificate_panel.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

namespace lambdascope {
namespace {

using Finding = CertificateSession::Finding;

/// A panel for a small finished run, with a folder of its own.
class CertificatePanelTest : public testing::Test {
  protected:
    explicit CertificatePanelTest(const Json& experiment = smallMetricExperiment()) : run(experiment) {
        panel.offer(run.lane(2));
        setFolder(scratch.filePath("certificate"));
        QObject::connect(&session, &CertificateSession::written, [this](const RunCertificate& made) { found = made; });
        QObject::connect(&session, &CertificateSession::failed, [this](const Error& error) { problem = error; });
        QObject::connect(&session, &CertificateSession::checked, [this](Finding what, const QString& words) {
            finding = what;
            said = words;
        });
    }
    void setFolder(const QString& path) { lines().back()->setText(path); }
    [[nodiscard]] QList<QLineEdit*> lines() const { return panel.findChildren<QLineEdit*>(); }
    [[nodiscard]] QListWidget& lanes() const { return *panel.findChild<QListWidget*>(); }
    void write() {
        buttonOf(panel, "&Write")->click();
        ASSERT_EQ(session.work(), CertificateSession::Work::Writing);
        ASSERT_TRUE(waitUntil([&] { return found.has_value() || problem.has_value(); }));
    }
    Finding check() {
        finding.reset();
        session.check(*found);
        EXPECT_TRUE(waitUntil([&] { return finding.has_value(); }));
        return finding.value_or(Finding::NotRun);
    }
    /// Puts every decision of a lane into R, or takes it from the other set.
    void spoil(const char* lane, char bits) {
        const QString path = scratch.filePath(QStringLiteral("certificate/") + lane);
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QByteArray all = file.readAll();
        file.close();
        all[0] = bits;
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(all);
    }

    QTemporaryDir scratch;
    FinishedRun run;
    CertificateSession session{run.runs, {nullptr, {}, [] { return tinyPlaces(); }}};
    CertificatePanel panel{run.runs, session};
    std::optional<RunCertificate> found;
    std::optional<Error> problem;
    std::optional<Finding> finding;
    QString said;
};

TEST_F(CertificatePanelTest, OffersTheLanesThatScreen) {
    ASSERT_EQ(lanes().count(), 2);
    EXPECT_EQ(lanes().item(0)->text(), "GB");
    EXPECT_EQ(lanes().item(0)->checkState(), Qt::Checked);
    panel.offer(run.lane(2), {run.lane(2)});
    EXPECT_EQ(lanes().item(0)->checkState(), Qt::Unchecked);
    EXPECT_EQ(lanes().item(1)->checkState(), Qt::Checked);
    EXPECT_FALSE(QFileInfo::exists(panel.folder())) << "offers a folder that is new";
}

TEST_F(CertificatePanelTest, SaysWhyNothingCanBeWritten) {
    EXPECT_EQ(panel.fault(), QString());
    EXPECT_TRUE(buttonOf(panel, "&Write")->isEnabled());
    lines().front()->setText("3-1");
    EXPECT_TRUE(panel.fault().contains("0-9"));
    EXPECT_FALSE(buttonOf(panel, "&Write")->isEnabled());
    lines().front()->setText("0-3");
    setFolder("relative");
    EXPECT_TRUE(panel.fault().contains("full path"));
    QFile(scratch.filePath("file")).open(QIODevice::WriteOnly);
    setFolder(scratch.path());
    EXPECT_TRUE(panel.fault().contains("is no certificate"));
    setFolder(scratch.filePath("certificate"));
    for (int row = 0; row < 2; ++row) {
        lanes().item(row)->setCheckState(Qt::Unchecked);
    }
    EXPECT_EQ(panel.fault(), "Tick a lane.");
}

TEST_F(CertificatePanelTest, WritesWhatTheCheckerProves) {
    lines().front()->setText("2-5");
    ASSERT_NO_FATAL_FAILURE(write());
    ASSERT_TRUE(found) << problem->describe();
    ASSERT_EQ(found->lanes.size(), 2U);
    EXPECT_EQ(found->lanes[0].points, 4);
    EXPECT_GT(found->decided(), 0);
    EXPECT_TRUE(panel.isHidden());
    ASSERT_TRUE(CertificateSession::canCheck());
    EXPECT_EQ(check(), Finding::Proven) << said.toStdString();
    EXPECT_TRUE(said.contains("proven: 100 %")) << said.toStdString();
    EXPECT_TRUE(CertificateSession::checkCommand(*found).contains("check.py"));

    setFolder(scratch.filePath("certificate"));
    EXPECT_TRUE(panel.fault().contains("holds a certificate"));

    spoil("lane-0.bits", char(0x55)); // all in R
    EXPECT_NE(check(), Finding::Proven) << said.toStdString();
    EXPECT_TRUE(said.contains("triplet")) << said.toStdString();
    spoil("certificate.json", 'x');
    EXPECT_EQ(check(), Finding::Fails) << said.toStdString();
    EXPECT_TRUE(said.startsWith("refused")) << said.toStdString();
}

/// A run of the family svm with a free bias.
Json freeBiasExperiment(const std::string& task) {
    Json document = {{"family", "svm"},
                     {"data", {{"source", "toy:svm-figure1?n=120"}, {"scale", "none"}}},
                     {"problem", {{"task", task}, {"kernel", "rbf"}, {"intercept", "free"}}},
                     {"path", {{"kind", "list"}, {"values", {0.5, 0.7, 1, 1.5}}}},
                     {"lanes",
                      {{{"name", "Full"}},
                       {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}},
                       {{"name", "often"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}}}}};
    if (task == "regression") {
        document["data"]["source"] = "toy:sine?n=80&noise=0.2";
        document["problem"]["epsilon"] = 0.2;
        document["path"]["values"] = {0.02, 0.05, 0.1, 0.2};
    } else if (task == "novelty") {
        document["path"] = {{"kind", "list"}, {"unit", "nu"}, {"values", {1, 0.6, 0.3, 0.1}}};
    }
    return document;
}

class FreeBiasCertificateTest : public CertificatePanelTest, public testing::WithParamInterface<const char*> {
  protected:
    FreeBiasCertificateTest() : CertificatePanelTest(freeBiasExperiment(GetParam())) {}
};

TEST_P(FreeBiasCertificateTest, WritesWhatTheCheckerProves) {
    ASSERT_EQ(lanes().count(), 2);
    lanes().item(1)->setCheckState(Qt::Checked);
    ASSERT_NO_FATAL_FAILURE(write());
    ASSERT_TRUE(found) << problem->describe();
    EXPECT_GT(found->decided(), 0);
    EXPECT_EQ(check(), Finding::Proven) << said.toStdString();
    EXPECT_TRUE(said.contains("proven: 100 %")) << said.toStdString();
    spoil("lane-1.bits", char(0x66)); // in L, R, L, R
    EXPECT_NE(check(), Finding::Proven) << said.toStdString();
}

INSTANTIATE_TEST_SUITE_P(Tasks, FreeBiasCertificateTest, testing::Values("classification", "regression", "novelty"),
                         [](const auto& task) { return std::string(task.param); });

TEST_F(CertificatePanelTest, AStopLeavesNothingBehind) {
    buttonOf(panel, "&Write")->click();
    buttonOf(panel, "&Stop")->click();
    ASSERT_TRUE(waitUntil([&] { return found.has_value() || problem.has_value(); }));
    ASSERT_FALSE(found);
    EXPECT_EQ(problem->code, ErrorCode::Stopped);
    EXPECT_FALSE(QFileInfo::exists(scratch.filePath("certificate")));
    EXPECT_EQ(session.work(), CertificateSession::Work::None);
    EXPECT_TRUE(buttonOf(panel, "&Write")->isEnabled());
}

TEST_F(CertificatePanelTest, GoesAwayWhileItWorks) {
    buttonOf(panel, "&Write")->click();
    const CertificateSession other(run.runs, {nullptr, {}, [] { return tinyPlaces(); }});
}

TEST_F(WindowTest, TellsWhereTheCertificateIsAndWhatTheCheckerSays) {
    EXPECT_EQ(window->askForCertificate(), nullptr);
    EXPECT_TRUE(hasNotice("no lane yet"));
    RunCertificate certificate{folder.filePath("a b").toStdString(), {}, {{"GB", 3, 1234, 2}}};
    Q_EMIT workbench->certificates().written(certificate);
    EXPECT_TRUE(hasNotice("1,234 decisions, 2 of them")) << window->notices().texts().join('\n').toStdString();
    EXPECT_TRUE(hasNotice("check.py '" + folder.filePath("a b") + "'"));
    QPushButton* check = buttonOf(window->notices(), "Check now");
    ASSERT_NE(check, nullptr);
    QSignalSpy spy(&workbench->certificates(), &CertificateSession::activityChanged);
    check->click(); // there is nothing to check
    EXPECT_TRUE(waitUntil([&] { return hasNotice("The certificate fails: refused"); }))
        << window->notices().texts().join('\n').toStdString();
    EXPECT_FALSE(hasNotice("1,234 decisions"));
}

} // namespace
} // namespace lambdascope
