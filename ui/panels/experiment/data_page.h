// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_profile.h"
#include "ui/session/experiment/data_fits.h"
#include "ui/session/experiment/data_preview.h"
#include "ui/session/experiment/experiment_document.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace lambdascope {

class GeneratorSliders;
class PointCloudView;

/// What the data of the experiment are, before anything runs: first rows as they stand in the file, what is wrong and
/// where, classes to choose from, range and gaps of each feature, a picture along two principal axes, and the families
/// that take them. What is chosen here is set in the document, and can be undone.
class DataPage : public QWidget {
    Q_OBJECT

  public:
    /// Both must outlive the page.
    DataPage(ExperimentDocument& document, DataPreview& preview, QWidget* parent = nullptr);

    /// Offers the way to charts that there are.
    void setHasCharts(bool has);

  Q_SIGNALS:
    void runRequested();
    void chartsRequested();
    void paintRequested(); ///< rows are to be edited
    /// A field of the form is to be shown: "data.labels".
    void fieldRequested(const QString& keyPath);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildHeader(QVBoxLayout* layout);
    void buildChoices(QVBoxLayout* layout);
    void buildParts(QVBoxLayout* layout);
    void refresh();
    void refreshHeader();
    void refreshChoices();
    void refreshFaults();
    void refreshHead();
    void refreshClasses();
    void refreshFeatures();
    void refreshPicture();
    void refreshFamilies();
    void askFamilies();
    void chooseClasses();
    /// Which classes problem.positive names; empty when the family has no such field.
    [[nodiscard]] std::vector<bool> positives() const;
    [[nodiscard]] const DataProfile& profile() const { return m_profile; }
    [[nodiscard]] QString givenSource() const;

    ExperimentDocument& m_document;
    DataPreview& m_preview;
    DataFits* m_fits;
    DataProfile m_profile;    ///< that is shown
    QString m_shownSource;    ///< without its options
    bool m_isFilling = false; ///< what changes in tables and boxes is no choice of the user
    QLabel* m_title = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_notes = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_charts = nullptr;
    QComboBox* m_labels = nullptr;
    QComboBox* m_missing = nullptr;
    QComboBox* m_scale = nullptr;
    GeneratorSliders* m_generator = nullptr;
    QLabel* m_faultsTitle = nullptr;
    QTableWidget* m_faults = nullptr;
    QLabel* m_headTitle = nullptr;
    QTableWidget* m_head = nullptr;
    QWidget* m_classesPart = nullptr;
    QLabel* m_classesTitle = nullptr;
    QTableWidget* m_classes = nullptr;
    QLabel* m_featuresTitle = nullptr;
    QTableWidget* m_features = nullptr;
    QWidget* m_featuresPart = nullptr;
    PointCloudView* m_picture = nullptr;
    QWidget* m_families = nullptr;
    QGridLayout* m_parts = nullptr;
    int m_columns = 0;
};

} // namespace lambdascope
