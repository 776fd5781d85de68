// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>
#include <vector>

class QComboBox;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace lambdascope {

class QuestionCard;

/// What one asks of a run.
enum class Question { Screened, Saved, Learned, Safe, Converged };
inline constexpr int kQuestionCount = 5;

/// A view of runs, registered once with what it needs.
struct ViewSpec {
    QString id; ///< stable, for settings: "rates"
    Question question = Question::Screened;
    QString title;
    RunTab* tab = nullptr;
    /// Whether these runs fill it; asked only when there are some.
    std::function<bool(const std::vector<ShownRun>& runs)> fits;
    /// Its picture for the small multiple of its question, at a path point; none: that of its first chart.
    std::function<Figure(const std::vector<ShownRun>& runs, int point)> picture;
    bool needsEnd = false; ///< computed from runs that have ended; until then another view takes its place
    /// What stands there in place of a picture that is not drawn, or not yet.
    std::function<QString(const std::vector<ShownRun>& runs)> words = {};
};

/// One large view, or two beside each other, the small multiples of all questions below, and above the large view the
/// others of its question. Views that the runs cannot fill are not there. GUI thread only.
class ViewStage : public QWidget {
    Q_OBJECT

  public:
    ViewStage(RunCollection& runs, PathCursor& cursor, std::vector<ViewSpec> views, QWidget* parent = nullptr);

    [[nodiscard]] const std::vector<ViewSpec>& views() const { return m_views; }
    /// The ids of the views that the runs can fill, in order.
    [[nodiscard]] QStringList offered() const;
    [[nodiscard]] const ViewSpec& current() const { return m_views[m_current]; }
    /// Shows a view as soon as, and as long as, runs fill it.
    void choose(const QString& id);
    /// The same of "quality/f_measure", with the measure that the view is to show.
    void open(const QString& view);
    /// The view of a question that was shown last.
    void choose(Question question);
    /// The next offered view, round and round.
    void step(int by);
    /// One chart with all the room: no small multiples, and no other view than that of `tab`. Null: all come back.
    void enlarge(const RunTab* tab);
    /// Puts a view beside the large one, as soon as, and as long as, runs fill it; an empty id: none.
    void setBeside(const QString& id);
    /// The id of the view that was put beside the large one; empty for none.
    [[nodiscard]] QString beside() const;
    /// Which views are shown, and how wide, for settings.
    [[nodiscard]] QByteArray arrangement() const;
    /// Brings back what arrangement() gave; of a newer or damaged one what can be read.
    void arrange(const QByteArray& arrangement);
    [[nodiscard]] QuestionCard* card(Question question) const;
    /// Brings views and pictures up to date now.
    void refreshNow();

  Q_SIGNALS:
    void currentChanged();
    void besideChanged();

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void schedule();
    void refreshOffer(const std::vector<ShownRun>& runs);
    /// Figure of the small multiple of a question, whose words and state it brings up to date.
    Figure pictureOf(Question question, const std::vector<ShownRun>& runs);
    void refreshNextCard();
    void present(std::size_t view);
    void presentBeside();
    void fillBar();
    void fillBesideChooser();
    [[nodiscard]] std::size_t indexOf(const QString& id) const;
    [[nodiscard]] std::optional<std::size_t> viewOf(Question question) const;

    RunCollection& m_runs;
    PathCursor& m_cursor;
    std::vector<ViewSpec> m_views;
    std::vector<bool> m_isOffered;
    std::size_t m_current = 0;
    std::size_t m_wanted = 0;               ///< chosen by hand, whether or not runs fill it now
    std::map<Question, std::size_t> m_last; ///< of each question
    QTabBar* m_bar;
    QSplitter* m_split;
    QStackedWidget* m_stack;
    QWidget* m_besidePane;
    QComboBox* m_besideChooser;
    QStackedWidget* m_besideStack;
    std::optional<std::size_t> m_beside; ///< put beside the large one, whether or not runs fill it now
    QWidget* m_small;
    std::map<Question, QuestionCard*> m_cards;
    std::map<Question, QuestionCard*> m_stale; ///< whose picture is still to be made anew
    std::optional<Figure> m_made;              ///< of the first of them, not yet drawn
    QTimer m_rest;
    QTimer m_next; ///< step of what is stale
};

} // namespace lambdascope
