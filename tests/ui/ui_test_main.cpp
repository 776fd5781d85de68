// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_test_main.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <QTest>

#include <optional>

namespace lambdascope {

bool waitUntil(const std::function<bool()>& condition, int milliseconds) {
    return QTest::qWaitFor(condition, milliseconds);
}

void settleEvents() {
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

} // namespace lambdascope

namespace {

/// Makes the QApplication when the first test is about to run, so that listing the tests needs no display.
class ApplicationListener : public testing::EmptyTestEventListener {
  public:
    ApplicationListener(int& argc, char** argv) : m_argc(argc), m_argv(argv) {}

    void OnTestProgramStart(const testing::UnitTest& program) override {
        if (program.test_to_run_count() > 0) {
            QLocale::setDefault(QLocale::c());
            m_application.emplace(m_argc, m_argv);
            m_application->setApplicationName("lambdascope-tests");
            m_application->setOrganizationName("lambdascope-tests");
        }
    }

    void OnTestProgramEnd(const testing::UnitTest&) override { m_application.reset(); }

  private:
    int& m_argc;
    char** m_argv;
    std::optional<QApplication> m_application;
};

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new ApplicationListener(argc, argv));
    return RUN_ALL_TESTS();
}
