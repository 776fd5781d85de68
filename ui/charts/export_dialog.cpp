// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/export_dialog.h"

#include "ui/charts/figure_painter.h"
#include "ui/charts/painter_canvas.h"
#include "ui/charts/style_presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lambdascope {

namespace {

constexpr std::array kEndings{"pdf", "svg", "png", "csv", "tex"};
constexpr QSize kPreview(430, 300);

QString fileStem(const Figure& figure) {
    QString stem = figureTitle(figure).toLower();
    stem.replace(QRegularExpression(QStringLiteral("[^\\w]+")), QStringLiteral("-"));
    stem.remove(QRegularExpression(QStringLiteral("^-+|-+$")));
    return stem.isEmpty() ? QStringLiteral("figure") : stem.left(60);
}

QString startFolder() {
    const QString last = QSettings().value("export/folder").toString();
    return !last.isEmpty() && QFileInfo(last).isDir()
               ? last
               : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

QDoubleSpinBox* spinBox(double low, double high, const QString& unit, int decimals, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(low, high);
    box->setDecimals(decimals);
    box->setSuffix(" " + unit);
    return box;
}

} // namespace

ExportDialog::ExportDialog(Figure figure, QWidget* parent) : QDialog(parent), m_figure(std::move(figure)) {
    setWindowTitle(tr("Export figure"));
    m_preset = new QComboBox(this);
    for (const StylePreset& preset : stylePresets()) {
        m_preset->addItem(preset.title, preset.key);
    }
    m_format = new QComboBox(this);
    m_format->addItems({tr("PDF"), tr("SVG"), tr("PNG"), tr("CSV values"), tr("LaTeX, pgfplots and TikZ")});
    m_width = spinBox(10, 2000, tr("mm"), 1, this);
    m_height = spinBox(10, 2000, tr("mm"), 1, this);
    m_font = spinBox(3, 72, tr("pt"), 1, this);
    m_dpi = spinBox(36, 2400, tr("dpi"), 0, this);
    m_dark = new QCheckBox(tr("Dark background"), this);
    m_title = new QCheckBox(tr("Title above the figure"), this);
    m_path = new QLineEdit(this);
    auto* browseButton = new QPushButton(tr("Browse…"), this);
    auto* file = new QHBoxLayout;
    file->addWidget(m_path, 1);
    file->addWidget(browseButton);
    auto* form = new QFormLayout;
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("&Preset"), m_preset);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(tr("&Type size"), m_font);
    form->addRow(tr("&Resolution"), m_dpi);
    form->addRow(QString(), m_title);
    form->addRow(QString(), m_dark);
    m_preview = new QLabel(this);
    m_preview->setFixedSize(kPreview);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setAccessibleName(tr("Preview of the figure"));
    m_fault = new QLabel(this);
    m_fault->setWordWrap(true);
    m_fault->setAccessibleName(tr("What went wrong"));
    m_fault->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_save = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    m_save->setDefault(true);
    auto* columns = new QHBoxLayout;
    columns->addLayout(form);
    columns->addWidget(m_preview);
    auto* fileRow = new QFormLayout;
    auto* fileLabel = new QLabel(tr("F&ile"), this);
    fileLabel->setBuddy(m_path);
    fileRow->addRow(fileLabel, file);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns);
    layout->addLayout(fileRow);
    layout->addWidget(m_fault);
    layout->addWidget(buttons);

    m_title->setChecked(QSettings().value("export/title", true).toBool());
    const int format = std::clamp(QSettings().value("export/format", 0).toInt(), 0, int(kEndings.size()) - 1);
    m_path->setText(QDir(startFolder()).filePath(fileStem(m_figure) + '.' + kEndings[size_t(format)]));
    m_format->setCurrentIndex(format);
    m_preset->setCurrentIndex(std::clamp(QSettings().value("export/preset", 0).toInt(), 0, m_preset->count() - 1));
    choosePreset(m_preset->currentIndex());
    chooseFormat(format);

    connect(m_preset, &QComboBox::currentIndexChanged, this, &ExportDialog::choosePreset);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::chooseFormat);
    for (QDoubleSpinBox* box : {m_width, m_height, m_font}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::showPreview);
    }
    connect(m_dark, &QCheckBox::toggled, this, &ExportDialog::showPreview);
    connect(m_title, &QCheckBox::toggled, this, &ExportDialog::showPreview);
    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

ExportDialog::~ExportDialog() = default;

FigureStyle ExportDialog::style() const {
    FigureStyle style;
    style.widthMm = m_width->value();
    style.heightMm = m_height->value();
    style.fontPt = m_font->value();
    style.dpi = m_dpi->value();
    style.lineScale = m_lineScale;
    style.dark = m_dark->isChecked();
    style.showTitle = m_title->isChecked();
    return style;
}

QString ExportDialog::path() const {
    return m_path->text();
}

void ExportDialog::setPath(const QString& path) {
    m_path->setText(path);
    const QString ending = QFileInfo(path).suffix().toLower();
    for (size_t index = 0; index < kEndings.size(); ++index) {
        if (ending == QLatin1String(kEndings[index])) {
            m_format->setCurrentIndex(int(index));
        }
    }
}

void ExportDialog::setStyle(const FigureStyle& style) {
    m_dark->setChecked(style.dark);
    m_title->setChecked(style.showTitle);
    takeSize(style);
}

void ExportDialog::choosePreset(int index) {
    takeSize(stylePresets()[static_cast<std::size_t>(std::max(index, 0))].style);
}

void ExportDialog::takeSize(const FigureStyle& style) {
    m_width->setValue(style.widthMm);
    m_height->setValue(style.heightMm);
    m_font->setValue(style.fontPt);
    m_dpi->setValue(style.dpi);
    m_lineScale = style.lineScale;
    showPreview();
}

void ExportDialog::chooseFormat(int index) {
    const QString ending = QString::fromLatin1(kEndings[size_t(std::max(index, 0))]);
    const QFileInfo file(m_path->text());
    if (file.suffix().toLower() != ending) {
        m_path->setText(QDir(file.path()).filePath(file.completeBaseName() + '.' + ending));
    }
    const bool drawn = ending != "csv";
    for (QWidget* widget : std::initializer_list<QWidget*>{m_preset, m_width, m_height, m_font, m_title, m_dark}) {
        widget->setEnabled(drawn);
    }
    m_dpi->setEnabled(ending == "png");
    showPreview();
}

void ExportDialog::browse() {
    const QStringList filters = figureFileFilters();
    QString chosen = filters.value(m_format->currentIndex());
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export figure"), m_path->text(), filters.join(";;"), &chosen);
    if (!path.isEmpty()) {
        m_format->setCurrentIndex(int(std::max<qsizetype>(filters.indexOf(chosen), 0)));
        setPath(QFileInfo(path).suffix().isEmpty() ? path + '.' + kEndings[size_t(m_format->currentIndex())] : path);
    }
}

void ExportDialog::write() {
    if (m_recipe) {
        setFigureRecipe(m_figure, m_recipe(style()));
    }
    const Result<void> written = writeFigure(m_figure, path(), style());
    if (!written) {
        m_fault->setText(QString::fromStdString(written.error().describe()));
        m_fault->show();
        return;
    }
    QSettings settings;
    settings.setValue("export/folder", QFileInfo(path()).absolutePath());
    settings.setValue("export/format", m_format->currentIndex());
    settings.setValue("export/preset", m_preset->currentIndex());
    settings.setValue("export/title", m_title->isChecked());
    emit exported(path());
    accept();
}

void ExportDialog::showPreview() {
    const FigureStyle shown = style();
    const QSizeF points = QSizeF(shown.widthMm, shown.heightMm) * (72 / 25.4);
    const double scale = std::min((kPreview.width() - 8) / points.width(), (kPreview.height() - 8) / points.height());
    QPixmap pixmap((points * scale * devicePixelRatioF()).toSize().expandedTo(QSize(1, 1)));
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    pixmap.fill(Qt::white);
    QPainter painter(&pixmap);
    painter.scale(scale, scale);
    QFont font;
    font.setFamilies(figureFontFamilies());
    PainterCanvas canvas(painter, font, PainterCanvas::Fonts::Scalable);
    paintFigure(canvas, points, m_figure, shown);
    painter.end();
    m_preview->setPixmap(pixmap);
}

} // namespace lambdascope
