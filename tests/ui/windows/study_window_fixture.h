// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/windows/window_fixture.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/experiment/field_row.h"
#include "ui/panels/study/study_panel.h"
#include "ui/panels/views/study_tab.h"
#include "ui/session/study/study_session.h"
#include "ui/windows/study_parts.h"

#include <QAction>
#include <QLineEdit>

namespace lambdascope {

/// The window with the real families, and the program that computes cells.
class StudyWindow : public WindowTest {
  protected:
    void SetUp() override {
        QSettings().clear();
        reopen(LAMBDASCOPE_CLI);
    }
    void reopen(const QString& program) {
        close();
        Workbench::Options options;
        options.study = {program, folder.filePath("studies"), 200};
        workbench = std::make_unique<Workbench>(std::move(options));
        window = std::make_unique<MainWindow>(*workbench);
        window->show();
        ASSERT_TRUE(workbench->loadPreset("iris-six-lanes"));
        workbench->document().setValue("path.max_points", Json(4));
        workbench->document().setValue("data.subset", Json(0.5));
        settleEvents();
    }
    void vary(const QString& field, const QString& values) {
        FieldRow* row = window->form().row(field);
        ASSERT_NE(row, nullptr) << field.toStdString();
        row->varyAction()->trigger();
        QLineEdit* line = panel().valuesOf(field);
        ASSERT_NE(line, nullptr);
        line->setText(values);
    }
    StudyPanel& panel() { return window->study().panel(); }
    StudyTab& view() { return window->study().view(); }
    StudySession& study() { return workbench->study(); }
    bool waitForStudy() {
        return waitUntil(
            [&] {
                return !study().isRunning() && study().results() != nullptr &&
                       study().results()->count(CellState::Finished) == study().results()->cells.size();
            },
            60000);
    }
};

} // namespace lambdascope
