// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/data_preview.h"
#include "ui/session/experiment_document.h"
#include "ui/session/run_controller.h"

#include <QWidget>

#include <map>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace lambdascope {

class FieldRow;
class LanesEditor;
class SectionBox;

/// The experiment as a form, made from the field tables alone: Data · Problem · Solver · Screening lanes · Path · Run.
/// A bad value is explained under its field; the Run button says why it is disabled. Fits 320 px without a horizontal
/// scroll bar.
class ExperimentForm : public QWidget {
    Q_OBJECT

  public:
    /// `document` must outlive the form.
    explicit ExperimentForm(ExperimentDocument& document, QWidget* parent = nullptr);
    ~ExperimentForm() override;

    [[nodiscard]] ExperimentDocument& document() const { return m_document; }
    [[nodiscard]] DataPreview& dataPreview() const { return *m_preview; }

    /// The row that edits a key ("problem.k", "lanes[0].every"), or null.
    [[nodiscard]] FieldRow* row(const QString& keyPath) const;
    /// Unfolds what hides the field, scrolls to it and gives it the focus.
    void reveal(const QString& keyPath);

    /// While busy the Run button reads "Add to queue".
    void setBusy(bool busy);
    /// Shows an error of a run beside its field, if it names one, else under the Run button; the next edit clears it.
    void showError(const Error& error);

    [[nodiscard]] QPushButton* runButton() const { return m_runButton; }
    [[nodiscard]] QLabel* runNotice() const { return m_runNotice; }

    QSize sizeHint() const override;

  Q_SIGNALS:
    /// Run was pressed with a valid experiment. `enqueue` when the form is busy.
    void runRequested(bool enqueue);

  private:
    void build();
    void buildSections();
    void refreshAll();
    void refreshFaults();
    void refreshData();

    ExperimentDocument& m_document;
    DataPreview* m_preview = nullptr;
    QWidget* m_content = nullptr;
    QVBoxLayout* m_sectionsLayout = nullptr;
    QLineEdit* m_name = nullptr;
    QLabel* m_nameFault = nullptr;
    QWidget* m_familyRow = nullptr;
    QComboBox* m_family = nullptr;
    std::vector<SectionBox*> m_sections;
    LanesEditor* m_lanes = nullptr;
    QLabel* m_dataSummary = nullptr;
    QPushButton* m_runButton = nullptr;
    QLabel* m_runNotice = nullptr;
    QString m_builtFamily;
    std::vector<Fault> m_runFaults; ///< of the last failed run, until the next edit
    QString m_runError;
    bool m_isBusy = false;
};

} // namespace lambdascope
