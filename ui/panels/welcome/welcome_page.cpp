// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/welcome/welcome_page.h"

#include "ui/panels/shared/icon_set.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int recentShown = 6;
constexpr int exampleColumns = 2;
constexpr std::ptrdiff_t examplesAtTop = 4; // so that the drop zone is seen without scrolling

/// Those that a newcomer should try come first, the others as they are listed.
std::vector<PresetListing> orderedPresets(const SchemaCatalog& catalog) {
    const QStringList first{QStringLiteral("wine-six-lanes"), QStringLiteral("iris-six-lanes"),
                            QStringLiteral("digits-embedding"), QStringLiteral("two-moons")};
    std::vector<PresetListing> presets = listedPresets(catalog);
    const auto rank = [&](const PresetListing& preset) {
        const qsizetype place = first.indexOf(preset.name);
        return place < 0 ? first.size() : place;
    };
    std::stable_sort(presets.begin(), presets.end(),
                     [&](const PresetListing& a, const PresetListing& b) { return rank(a) < rank(b); });
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

    auto* title = new QHBoxLayout;
    auto* picture = new QLabel;
    picture->setPixmap(programIcon().pixmap(QSize(56, 56), devicePixelRatioF()));
    auto* words = new QLabel(tr("<span style='font-size:x-large; font-weight:bold'>Lambdascope</span><br>"
                                "Watch a regularization path compute, and see what safe screening spares the solver."));
    words->setWordWrap(true);
    title->addWidget(picture);
    title->addSpacing(8);
    title->addWidget(words, 1);
    layout->addLayout(title);

    layout->addSpacing(6);
    layout->addWidget(heading(tr("Start with an example")));
    const std::vector<PresetListing> presets = orderedPresets(catalog);
    const auto split = presets.begin() + std::min<std::ptrdiff_t>(examplesAtTop, std::ssize(presets));
    addExamples(layout, {presets.begin(), split});

    layout->addSpacing(6);
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
    drop->addWidget(dropIcon);
    drop->addWidget(dropText, 1);
    drop->addWidget(open);
    drop->addWidget(fresh);
    layout->addWidget(m_dropZone);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    connect(fresh, &QPushButton::clicked, this, &WelcomePage::newRequested);

    layout->addSpacing(6);
    auto* recentBox = new QWidget;
    m_recentRows = new QVBoxLayout(recentBox);
    m_recentRows->setContentsMargins(0, 0, 0, 0);
    m_recentRows->setSpacing(0);
    layout->addWidget(recentBox);
    if (split != presets.end()) {
        layout->addSpacing(6);
        layout->addWidget(heading(tr("More examples")));
        addExamples(layout, {split, presets.end()});
    }
    layout->addStretch(1);
    for (RecentFiles* list : m_recent) {
        connect(list, &RecentFiles::changed, this, &WelcomePage::fillRecent);
    }
    fillRecent();
}

void WelcomePage::addExamples(QVBoxLayout* layout, const std::vector<PresetListing>& presets) {
    auto* examples = new QGridLayout;
    examples->setSpacing(2);
    for (const PresetListing& preset : presets) {
        auto* button = new QCommandLinkButton(preset.title, preset.summary);
        button->setIcon(themedIcon(QStringLiteral("run")));
        button->setIconSize(QSize(18, 18));
        button->setAccessibleName(tr("Run the example %1").arg(preset.title));
        button->setAccessibleDescription(preset.summary);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        connect(button, &QCommandLinkButton::clicked, this, [this, name = preset.name] { Q_EMIT presetChosen(name); });
        examples->addWidget(button, examples->count() / exampleColumns, examples->count() % exampleColumns);
    }
    layout->addLayout(examples);
}

void WelcomePage::setDropActive(bool active) {
    static_cast<DropZone*>(m_dropZone)->setActive(active);
}

void WelcomePage::fillRecent() {
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    int shown = 0;
    for (const RecentFiles* list : m_recent) {
        for (const QString& path : list->files()) {
            if (shown == recentShown) {
                return;
            }
            if (shown == 0) {
                m_recentRows->addWidget(heading(tr("Recent")));
            }
            ++shown;
            const QFileInfo info(path);
            auto* button = new QPushButton(QStringLiteral("%1  —  %2").arg(info.fileName(), info.absolutePath()));
            button->setFlat(true);
            button->setStyleSheet(QStringLiteral("text-align: left; padding: 4px"));
            button->setIcon(themedIcon(info.isDir()                             ? QStringLiteral("run-folder")
                                       : info.suffix() == QLatin1String("json") ? QStringLiteral("experiment")
                                                                                : QStringLiteral("data-file")));
            button->setToolTip(path);
            button->setAccessibleName(tr("Open %1").arg(path));
            connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
            m_recentRows->addWidget(button);
        }
    }
}

} // namespace lambdascope
