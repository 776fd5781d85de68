// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_test_main.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QLocale>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <cstdarg>
#include <optional>

namespace lambdascope {

bool waitUntil(const std::function<bool()>& condition, int milliseconds) {
    return QTest::qWaitFor(condition, milliseconds);
}

void settleEvents() {
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

QPushButton* buttonOf(const QWidget& parent, const QString& text) {
    for (QPushButton* button : parent.findChildren<QPushButton*>()) {
        if (button->text() == text) {
            return button;
        }
    }
    return nullptr;
}

} // namespace lambdascope

namespace {

/// Settings, libraries and caches of this process alone: tests run side by side must not see each other's.
class PrivateFolders {
  public:
    PrivateFolders() {
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) {
            qputenv(name, QFile::encodeName(m_root.filePath(name)));
        }
    }

  private:
    QTemporaryDir m_root;
};

/// Makes the QApplication when the first test is about to run, so that listing the tests needs no display.
class ApplicationListener : public testing::EmptyTestEventListener {
  public:
    ApplicationListener(int& argc, char** argv) : m_argc(argc), m_argv(argv) {}

    void OnTestProgramStart(const testing::UnitTest& program) override {
        if (program.test_to_run_count() > 0) {
            QLocale::setDefault(QLocale::c());
            m_folders.emplace();
            m_application.emplace(m_argc, m_argv);
            m_application->setApplicationName("lambdascope-tests");
            m_application->setOrganizationName("lambdascope-tests");
        }
    }

    void OnTestProgramEnd(const testing::UnitTest&) override {
        m_application.reset();
        m_folders.reset();
    }

  private:
    int& m_argc;
    char** m_argv;
    std::optional<PrivateFolders> m_folders;
    std::optional<QApplication> m_application;
};

} // namespace

#ifdef __SANITIZE_THREAD__
// Qt starts programs by clone(), and what it starts shares memory with us until it is another program. The thread
// sanitizer takes that for a fork: what it notes in the child it notes in our process, which from then on is told of
// races that are none, or ended at its next thread. So this clone() is the library's own.
extern "C" {
int __clone(int (*call)(void*), void* stack, int flags, void* argument, ...);

int clone(int (*call)(void*), void* stack, int flags, void* argument, ...) {
    va_list rest;
    va_start(rest, argument);
    void* const parent = va_arg(rest, void*);
    void* const locals = va_arg(rest, void*);
    void* const child = va_arg(rest, void*);
    va_end(rest);
    return __clone(call, stack, flags, argument, parent, locals, child);
}
}
#endif

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new ApplicationListener(argc, argv));
    return RUN_ALL_TESTS();
}
