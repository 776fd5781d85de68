// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/study/study_progress.h"

#include "ui/session/study/study_session.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr int kLargestSquare = 16; // px
constexpr int kLeastSquare = 4;
constexpr int kMostHeight = 180;

} // namespace

class StudyProgress::Grid : public QWidget {
  public:
    Grid(StudySession& study, StudyProgress& owner) : QWidget(&owner), m_study(study), m_owner(owner) {
        setMouseTracking(true);
        setAccessibleName(StudyProgress::tr("Cells of the study"));
    }

    void fit() {
        const std::size_t count = m_study.results() == nullptr ? 0 : m_study.results()->cells.size();
        m_square = kLargestSquare;
        while (m_square > kLeastSquare && rowsOf(count) * m_square > kMostHeight) {
            --m_square;
        }
        setFixedHeight(std::max(1, std::min(kMostHeight, rowsOf(count) * m_square)));
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const StudyResults* results = m_study.results();
        if (results == nullptr) {
            return;
        }
        QPainter painter(this);
        const QColor ink = palette().color(QPalette::WindowText);
        QColor pale = ink;
        pale.setAlpha(90);
        for (std::size_t cell = 0; cell < results->cells.size(); ++cell) {
            const QRect square = rectOf(cell).adjusted(1, 1, -1, -1);
            const CellState state = results->states[cell].state;
            if (state == CellState::Finished) {
                painter.fillRect(square, palette().color(QPalette::Highlight));
                continue;
            }
            painter.setPen(state == CellState::Failed ? ink : pale);
            painter.drawRect(square.adjusted(0, 0, -1, -1));
            if (state == CellState::Failed) {
                painter.drawLine(square.topLeft(), square.bottomRight());
                painter.drawLine(square.topRight(), square.bottomLeft());
            }
        }
    }
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        fit();
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            if (const auto cell = cellAt(help->pos()); cell >= 0) {
                const auto place = static_cast<std::size_t>(cell);
                QToolTip::showText(help->globalPos(),
                                   QString::fromStdString(m_study.results()->cells[place].label) + '\n' +
                                       cellStateText(m_study.results()->states[place]),
                                   this);
            }
            return true;
        }
        return QWidget::event(event);
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        const qint64 cell = cellAt(event->pos());
        if (cell >= 0 && m_study.results()->states[static_cast<std::size_t>(cell)].state == CellState::Finished) {
            Q_EMIT m_owner.cellClicked(cell);
        }
    }

  private:
    /// A row has whole turns of the last axis, which is that of seeds as a rule, where they fit.
    [[nodiscard]] int columns() const {
        const int most = std::max(1, width() / m_square);
        const StudyResults* results = m_study.results();
        const auto last = results == nullptr || results->study.axes.empty()
                              ? 1
                              : std::max(1, static_cast<int>(results->study.axes.back().values.size()));
        return last >= most ? most : most - most % last;
    }
    [[nodiscard]] int rowsOf(std::size_t count) const {
        return static_cast<int>(std::ceil(static_cast<double>(count) / columns()));
    }
    [[nodiscard]] QRect rectOf(std::size_t cell) const {
        const auto place = static_cast<int>(cell);
        return {place % columns() * m_square, place / columns() * m_square, m_square, m_square};
    }
    [[nodiscard]] qint64 cellAt(const QPoint& place) const {
        const int column = place.x() / m_square;
        const qint64 cell = qint64{place.y() / m_square} * columns() + column;
        const bool isThere = m_study.results() != nullptr && column < columns() &&
                             cell < static_cast<qint64>(m_study.results()->cells.size());
        return isThere ? cell : -1;
    }

    StudySession& m_study;
    StudyProgress& m_owner;
    int m_square = kLargestSquare;
};

StudyProgress::StudyProgress(StudySession& study, QWidget* parent)
    : QWidget(parent), m_study(study), m_text(new QLabel(this)), m_cells(new Grid(study, *this)), m_grid(m_cells),
      m_button(new QPushButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    layout->setSpacing(4);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    layout->addLayout(row);
    layout->addWidget(m_cells);
    connect(m_button, &QPushButton::clicked, this, &StudyProgress::act);
    connect(&study, &StudySession::changed, this, &StudyProgress::refresh);
    refresh();
}

void StudyProgress::act() {
    if (m_study.isRunning() || m_study.slurm().isAlive()) {
        m_study.stop();
    } else if (m_study.results() != nullptr) {
        m_study.resume(m_study.results()->count(CellState::Missing) == 0);
    }
}

void StudyProgress::refresh() {
    const StudyResults* results = m_study.results();
    const bool isRunning = m_study.isRunning();
    setVisible(results != nullptr || isRunning);
    const QString name = results == nullptr ? tr("Study") : QString::fromStdString(results->study.name);
    const bool isComplete = results != nullptr && results->count(CellState::Finished) == results->cells.size();
    const bool isOnSlurm = m_study.slurm().isAlive();
    QStringList parts{tr("%1: %2").arg(name, m_study.progressText())};
    if (isRunning) {
        parts << tr("computing");
    }
    if (!m_study.slurm().job().isEmpty()) {
        parts << m_study.slurm().text();
    }
    m_text->setText(parts.join(QStringLiteral(", ")));
    m_text->setToolTip(m_study.folder());
    m_button->setVisible(!isComplete || isOnSlurm);
    m_button->setText(isRunning                                                       ? tr("Stop")
                      : isOnSlurm                                                     ? tr("Cancel job")
                      : results != nullptr && results->count(CellState::Missing) == 0 ? tr("Retry failed")
                                                                                      : tr("Go on"));
    m_button->setAccessibleName(tr("Study: %1").arg(m_button->text()));
    m_cells->setAccessibleDescription(m_study.progressText());
    m_cells->fit();
}

QString StudyProgress::text() const {
    return m_text->text();
}

} // namespace lambdascope
