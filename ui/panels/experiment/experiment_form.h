// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment/data_preview.h"
#include "ui/session/experiment/experiment_document.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lambdascope {

class FaultLabel;
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
    [[nodiscard]] LanesEditor* lanesEditor() const { return m_lanes; }

    /// The row that edits a key ("problem.k", "lanes[0].every"), or null.
    [[nodiscard]] FieldRow* row(const QString& keyPath) const;
    /// Unfolds what hides the field, scrolls to it and gives it the focus.
    void reveal(const QString& keyPath);

    /// While busy the Run button reads "Add to queue".
    void setBusy(bool busy);
    /// Shows an error of a run beside its field, if it names one, else above the Run button; the next edit clears it.
    void showError(const Error& error);
    void clearError();

    [[nodiscard]] QPushButton* runButton() const { return m_runButton; }
    /// Why Run is disabled, or what the last run failed of; empty while all is well.
    [[nodiscard]] QString runNotice() const;
    [[nodiscard]] QLabel* dataSummary() const { return m_dataSummary; }

    QSize sizeHint() const override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  Q_SIGNALS:
    /// Run was pressed with a valid experiment. `enqueue` when the form is busy.
    void runRequested(bool enqueue);
    /// A field is to take several values, in a study.
    void varyRequested(const QString& keyPath);

  private:
    void buildFooter();
    void buildIdentity();
    void buildSections();
    SectionBox* addSection(const SectionSchema& schema);
    void clearSections();
    void onEdited(bool isFresh = false);
    void refreshAll(bool isFresh = false);
    void refreshFaults();
    /// `isFresh`: the document is another one, so that data that failed are read again.
    void refreshData(bool isFresh = false);
    void takePreview();
    [[nodiscard]] bool canReveal(const QString& keyPath) const;
    void updateRunButton(const std::vector<Fault>& unplaced);
    void showDataSummary();

    ExperimentDocument& m_document;
    DataPreview* m_preview;
    QScrollArea* m_scroll;
    QWidget* m_content;
    QVBoxLayout* m_sectionsLayout;
    QLineEdit* m_name;
    FaultLabel* m_nameFaults;
    QWidget* m_familyRow;
    QComboBox* m_family;
    std::vector<SectionBox*> m_sections;
    LanesEditor* m_lanes = nullptr;
    QLabel* m_dataSummary = nullptr;
    FaultLabel* m_dataFault = nullptr;
    QPushButton* m_runButton;
    FaultLabel* m_runNotice;
    QPushButton* m_showFault;
    QPushButton* m_leaveOut; ///< the way out where no field can be mended
    QString m_builtFamily;
    std::vector<Fault> m_runFaults; ///< of the last failed run, until the next edit
    QString m_runError;
    QString m_firstFault; ///< key that "Show" reveals
    bool m_isBusy = false;
};

} // namespace lambdascope
