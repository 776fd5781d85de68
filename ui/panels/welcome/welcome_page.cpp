// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/welcome/welcome_page.h"

#include "ui/panels/shared/icon_set.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMap>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lambdascope {

namespace {

constexpr int kRecentShown = 6;
constexpr int kExampleColumns = 2;

/// Those that a newcomer should try.
const QStringList& firstExamples() {
    static const QStringList names{QStringLiteral("wine-six-lanes"), QStringLiteral("iris-six-lanes"),
                                   QStringLiteral("digits-embedding"), QStringLiteral("two-moons")};
    return names;
}

std::vector<PresetListing> firstPresets(const std::vector<PresetGroup>& groups) {
    std::vector<PresetListing> presets;
    for (const QString& name : firstExamples()) {
        for (const PresetGroup& group : groups) {
            std::copy_if(group.presets.begin(), group.presets.end(), std::back_inserter(presets),
                         [&](const PresetListing& preset) { return preset.name == name; });
        }
    }
    return presets;
}

/// A dashed frame that fills with colour while something hovers over it.
class DropZone : public QWidget {
  public:
    using QWidget::QWidget;
    void setActive(bool active) {
        m_isActive = active;
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
        QColor wash = palette().color(QPalette::Highlight);
        wash.setAlpha(m_isActive ? 60 : 12);
        painter.setBrush(wash);
        painter.setPen(QPen(palette().color(m_isActive ? QPalette::Highlight : QPalette::Mid), m_isActive ? 3 : 1.5,
                            Qt::DashLine));
        painter.drawRoundedRect(frame, 8, 8);
    }

  private:
    bool m_isActive = false;
};

/// "my.csv  —  CSV, 178 rows × 13 features, 3 classes  ·  5f3c1a…", or where it is when it was never read.
QString recentText(const QFileInfo& file, const QString& note) {
    return note.isEmpty()
               ? QStringLiteral("%1  —  %2").arg(file.fileName(), file.absolutePath())
               : QStringLiteral("%1  —  %2  ·  %3…").arg(file.fileName(), note.section(' ', 1), note.left(8));
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    label->setFont(font);
    return label;
}

} // namespace

WelcomePage::WelcomePage(const SchemaCatalog& catalog, std::vector<RecentFiles*> recent, QWidget* parent)
    : QWidget(parent), m_recent(std::move(recent)) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll);
    auto* page = new QWidget;
    scroll->setWidget(page);
    auto* centring = new QHBoxLayout(page);
    auto* column = new QWidget;
    column->setMaximumWidth(860);
    centring->addStretch(1);
    centring->addWidget(column, 100);
    centring->addStretch(1);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(8);

    addTitle(layout);
    auto* recentBox = new QWidget;
    m_recentRows = new QVBoxLayout(recentBox);
    m_recentRows->setContentsMargins(0, 0, 0, 0);
    m_recentRows->setSpacing(0);
    layout->addWidget(recentBox);

    layout->addSpacing(6);
    layout->addWidget(heading(tr("Start with an example")));
    const std::vector<PresetGroup> groups = groupedPresets(catalog);
    addExamples(layout, firstPresets(groups));
    layout->addSpacing(6);
    addDropZone(layout);
    addMoreExamples(layout, groups);
    layout->addStretch(1);
    for (RecentFiles* list : m_recent) {
        connect(list, &RecentFiles::changed, this, &WelcomePage::fillRecent);
    }
    fillRecent();
}

void WelcomePage::addTitle(QVBoxLayout* layout) {
    auto* title = new QHBoxLayout;
    auto* picture = new QLabel;
    picture->setPixmap(programIcon().pixmap(QSize(56, 56), devicePixelRatioF()));
    auto* words = new QLabel(tr("<span style='font-size:x-large; font-weight:bold'>Lambdascope</span><br>"
                                "Watch a regularization path compute, and see what safe screening spares the solver."));
    words->setWordWrap(true);
    m_back = new QPushButton(tr("Back to the charts"));
    m_back->setToolTip(tr("Shows the runs again; Ctrl+Shift+W does so too"));
    m_back->hide();
    connect(m_back, &QPushButton::clicked, this, &WelcomePage::chartsRequested);
    title->addWidget(picture);
    title->addSpacing(8);
    title->addWidget(words, 1);
    title->addWidget(m_back, 0, Qt::AlignTop);
    layout->addLayout(title);
    layout->addSpacing(6);
}

void WelcomePage::addDropZone(QVBoxLayout* layout) {
    layout->addWidget(heading(tr("Or with your own data")));
    m_dropZone = new DropZone;
    auto* drop = new QHBoxLayout(m_dropZone);
    drop->setContentsMargins(16, 12, 16, 12);
    auto* dropIcon = new QLabel;
    dropIcon->setPixmap(themedIcon(QStringLiteral("drop")).pixmap(QSize(32, 32), devicePixelRatioF()));
    auto* dropText = new QLabel(tr("Drop a file here: data (LIBSVM, CSV, ARFF, NPY, HDF5, MAT), an experiment (.json), "
                                   "a run folder, or a figure exported from here."));
    dropText->setWordWrap(true);
    auto* open = new QPushButton(themedIcon(QStringLiteral("open-data")), tr("Open data…"));
    auto* fresh = new QPushButton(themedIcon(QStringLiteral("experiment")), tr("New experiment"));
    auto* paint = new QPushButton(themedIcon(QStringLiteral("paint")), tr("Paint samples"));
    paint->setToolTip(tr("Draw samples of two classes by mouse, and see the path follow"));
    drop->addWidget(dropIcon);
    drop->addWidget(dropText, 1);
    drop->addWidget(open);
    drop->addWidget(fresh);
    drop->addWidget(paint);
    layout->addWidget(m_dropZone);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    connect(fresh, &QPushButton::clicked, this, &WelcomePage::newRequested);
    connect(paint, &QPushButton::clicked, this, &WelcomePage::paintRequested);
}

void WelcomePage::addMoreExamples(QVBoxLayout* layout, std::vector<PresetGroup> groups) {
    for (PresetGroup& group : groups) {
        std::erase_if(group.presets, [](const PresetListing& preset) { return firstExamples().contains(preset.name); });
        if (group.presets.empty()) {
            continue;
        }
        layout->addSpacing(6);
        QLabel* label = heading(group.paper.isEmpty() ? tr("More examples: %1").arg(group.family)
                                                      : tr("%1: from %2").arg(group.family, group.paper));
        label->setToolTip(group.reference);
        layout->addWidget(label);
        addExamples(layout, group.presets);
    }
    layout->addSpacing(6);
    layout->addWidget(heading(tr("Studies: the same over seeds, data and settings")));
    addExamples(layout, listedStudies(), &WelcomePage::studyChosen);
}

void WelcomePage::addExamples(QVBoxLayout* layout, const std::vector<PresetListing>& presets, Signal chosen) {
    auto* examples = new QGridLayout;
    examples->setSpacing(2);
    for (const PresetListing& preset : presets) {
        auto* button = new QCommandLinkButton(preset.title, preset.summary);
        button->setIcon(themedIcon(QStringLiteral("run")));
        button->setIconSize(QSize(18, 18));
        button->setAccessibleName(tr("Run the example %1").arg(preset.title));
        button->setAccessibleDescription(preset.summary);
        // Rich text, so that long words wrap; a title longer than its button is whole here.
        button->setToolTip(
            QStringLiteral("<b>%1</b><br>%2").arg(preset.title.toHtmlEscaped(), preset.summary.toHtmlEscaped()));
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        connect(button, &QCommandLinkButton::clicked, this, [this, chosen, name = preset.name] {
            Q_EMIT(this->*chosen)(name);
        });
        examples->addWidget(button, examples->count() / kExampleColumns, examples->count() % kExampleColumns);
    }
    layout->addLayout(examples);
}

void WelcomePage::setDropActive(bool active) {
    static_cast<DropZone*>(m_dropZone)->setActive(active);
}

void WelcomePage::setEarlierRuns(const std::vector<EarlierRun>& runs) {
    m_earlier = runs;
    fillRecent();
}

void WelcomePage::setHasCharts(bool has) {
    m_back->setVisible(has);
}

QPushButton* WelcomePage::addRecent(const QString& text, const QString& icon) {
    auto* button = new QPushButton(themedIcon(icon), QString(text).replace('&', QLatin1String("&&")));
    button->setFlat(true);
    button->setStyleSheet(QStringLiteral("text-align: left; padding: 4px"));
    button->setToolTip(text);
    m_recentRows->addWidget(button);
    return button;
}

void WelcomePage::fillRecent() {
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    QStringList files;
    QMap<QString, QString> notes;
    for (const RecentFiles* list : m_recent) {
        files += list->files();
        for (const QString& path : list->files()) {
            notes[path] = list->note(path);
        }
    }
    files = files.mid(0, kRecentShown);
    if (!files.isEmpty()) {
        m_recentRows->addWidget(heading(tr("Recent files")));
    }
    for (const QString& path : files) {
        const QFileInfo info(path);
        QPushButton* button = addRecent(recentText(info, notes.value(path)), info.isDir() ? QStringLiteral("run-folder")
                                                                             : info.suffix() == QLatin1String("json")
                                                                                 ? QStringLiteral("experiment")
                                                                                 : QStringLiteral("data-file"));
        const QString note = notes.value(path);
        button->setToolTip(
            note.isEmpty() ? path : tr("%1\n%2\nSHA-256 %3").arg(path, note.section(' ', 1), note.section(' ', 0, 0)));
        button->setAccessibleName(tr("Open %1").arg(path));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
    }
    if (!m_earlier.empty()) {
        m_recentRows->addWidget(heading(tr("Earlier runs")));
    }
    for (const EarlierRun& run : m_earlier) {
        QPushButton* button = addRecent(run.title, QStringLiteral("run-folder"));
        button->setAccessibleName(tr("Show the earlier run %1").arg(run.title));
        connect(button, &QPushButton::clicked, this, [this, id = run.id] { Q_EMIT earlierRunChosen(id); });
    }
}

} // namespace lambdascope
