// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_edits.h"
#include "ui/session/background_jobs.h"
#include "ui/session/experiment/experiment_document.h"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace lambdascope {

/// The rows of the experiment's data source with what data.edits makes of them, to be changed by hand: first here, then
/// by keep() in the document, as one step that can be undone. Rows count as in readEdits(). GUI thread only.
class PointEditor : public QObject {
    Q_OBJECT

  public:
    static constexpr std::int64_t kMostRows = 5000;

    explicit PointEditor(ExperimentDocument& document, QObject* parent = nullptr);

    /// Reads the rows, in the background, if they are not there; from then on follows the document.
    void open();
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    /// Why it is not open, or the edits are not shown.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }
    [[nodiscard]] bool isPainted() const { return m_source.shape.takesNewClasses; }

    [[nodiscard]] std::int64_t features() const { return m_source.shape.features; }
    [[nodiscard]] QString featureName(std::int64_t feature) const;
    [[nodiscard]] std::int64_t rows() const; ///< with omitted ones
    [[nodiscard]] double value(std::int64_t row, std::int64_t feature) const;
    [[nodiscard]] std::string className(std::int64_t row) const;
    [[nodiscard]] bool isOmitted(std::int64_t row) const;
    [[nodiscard]] bool isChanged(std::int64_t row) const; ///< or added
    /// Those of the data, then those that edits brought.
    [[nodiscard]] const std::vector<std::string>& classes() const { return m_classes; }
    [[nodiscard]] const RowEdits& edits() const { return m_edits; }
    /// What `text`, such as an earlier state, makes of the rows; nothing when it has faults.
    [[nodiscard]] std::optional<RowEdits> editsOf(std::string_view text) const;
    [[nodiscard]] double valueIn(const RowEdits& edits, std::int64_t row, std::int64_t feature) const;

    /// Along the two features that are shown; other values stay.
    void move(std::int64_t row, std::int64_t xFeature, double x, std::int64_t yFeature, double y);
    void relabel(std::int64_t row, const std::string& name);
    void add(double x, double y, const std::string& name); ///< of data with two features
    /// Takes an added row away, and omits another.
    void erase(std::int64_t row);
    void clear(); ///< as the source has them
    /// The edits as the document would have them.
    [[nodiscard]] std::string text() const { return editsText(m_edits); }
    void keep(const QString& step);
    void revert(); ///< to what the document has

  Q_SIGNALS:
    void opened(); ///< or could not be
    void changed();

  private:
    using Jobs = BackgroundJobs<SourceRows>;

    void follow();
    [[nodiscard]] DataConfig config() const;
    [[nodiscard]] EditedRow& edited(std::int64_t row);
    [[nodiscard]] const EditedRow* find(const RowEdits& edits, std::int64_t row) const;
    void settle(std::int64_t row);
    void refreshClasses();
    Q_INVOKABLE void takeFinished();

    ExperimentDocument& m_document;
    SourceRows m_source;
    RowEdits m_edits;
    std::vector<std::string> m_classes;
    std::string m_followed; ///< the edits of the document when m_edits were taken from there
    QString m_trouble;
    DataConfig m_read; ///< what m_source is of, or will be
    bool m_isWanted = false;
    bool m_isOpen = false;
    std::shared_ptr<Jobs::Job> m_current;
    Jobs m_jobs{this, "the rows of these data"};
};

} // namespace lambdascope
