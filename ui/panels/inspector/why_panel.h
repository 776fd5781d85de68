// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/inspector/explanation_text.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/path_cursor.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lambdascope {

class NumberLine;

/// "Why was this item screened?": takes an item, asks the lens of the selected run at the cursor, and shows the
/// inequality of each bound in numbers. Follows cursor and run; never waits.
class WhyPanel : public QWidget {
    Q_OBJECT

  public:
    WhyPanel(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, QWidget* parent = nullptr);

    /// The run that questions are about.
    void setRun(RunId run);
    /// Asks about an item, as "4, 9, 71".
    void ask(const QString& item);
    /// Asks about the item with a number.
    void askItem(qint64 item);
    /// Asks which items begin at a sample, offers them, and asks about the first.
    void askSample(qint64 sample);
    /// What is shown, as plain text.
    [[nodiscard]] QString text() const;

  public Q_SLOTS:
    void copyText() const;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void build();
    void askLater();
    void askNow();
    /// Whether anything can be asked at the cursor; says why not.
    bool canAsk();
    void findNotable();
    void showExplanation(RunId run, int point, const ItemExplanation& why);
    void addDecisions(const QString& title, const std::vector<BoundDecision>& decisions, const std::string& decided);
    void addFacts(const ItemExplanation& why);
    void fillNotable(RunId run, int point, const std::vector<NotableItem>& items);
    void fillOfSample(RunId run, int point, qint64 sample, const std::vector<NotableItem>& items);
    void addReference(const ItemExplanation& why);
    void showProblem(const QString& what);
    void refreshState();

    RunCollection& m_runs;
    PathCursor& m_cursor;
    RunLensSession& m_lens;
    RunId m_run;
    QString m_item; ///< asked about; empty while none
    std::optional<ItemExplanation> m_shown;
    ExplainedPlace m_place;
    QTimer m_rest; ///< a moving cursor asks once it rests
    QLineEdit* m_input = nullptr;
    QPushButton* m_find = nullptr;
    QComboBox* m_notable = nullptr;
    QLabel* m_headline = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    QWidget* m_busy = nullptr;
    NumberLine* m_line = nullptr;
    QTreeWidget* m_tree = nullptr;
};

} // namespace lambdascope
