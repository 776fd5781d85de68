// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/certificate_panel.h"

#include "core/record/run_record.h"
#include "ui/session/runs/shown_runs.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

const QString kFolderKey = QStringLiteral("certificate/folder");
constexpr int kShownLanes = 6;
constexpr int kMinimumWidth = 480;

/// A folder that does not exist, beside those chosen before.
QString newFolder(const QString& experiment) {
    QString stem = experiment;
    stem.replace(QRegularExpression(QStringLiteral("[^\\w.-]+")), QStringLiteral("-"));
    const QDir parent(QSettings().value(kFolderKey, QDir::homePath()).toString());
    const QString path = parent.filePath(stem + QStringLiteral("-certificate"));
    QString free = path;
    for (int number = 2; QFileInfo::exists(free); ++number) {
        free = QStringLiteral("%1-%2").arg(path).arg(number);
    }
    return QDir::toNativeSeparators(free);
}

} // namespace

CertificatePanel::CertificatePanel(RunCollection& runs, CertificateSession& session, QWidget* parent)
    : QDialog(parent), m_runs(runs), m_session(session) {
    setWindowTitle(tr("Certificate"));
    setMinimumWidth(kMinimumWidth);
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    auto* purpose = new QLabel(tr("A certificate lets anybody prove these decisions without Lambdascope: a short "
                                  "program reads the raw data and checks every inequality in exact arithmetic. The "
                                  "lanes are computed again for it, in the background."));
    purpose->setWordWrap(true);
    layout->addWidget(purpose);
    layout->addLayout(form);
    m_lanes = new QListWidget;
    m_lanes->setAccessibleName(tr("Lanes to certify"));
    m_lanes->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    form->addRow(tr("&Lanes"), m_lanes);
    m_points = new QLineEdit;
    m_points->setAccessibleName(tr("Path points to certify"));
    m_points->setPlaceholderText(tr("all; or some, counted from 0, as in 0-9"));
    form->addRow(tr("&Points"), m_points);
    m_folder = new QLineEdit;
    m_folder->setAccessibleName(tr("Folder of the certificate"));
    auto* browse = new QPushButton(tr("&Browse…"));
    browse->setAutoDefault(false);
    auto* folder = new QHBoxLayout;
    folder->addWidget(m_folder, 1);
    folder->addWidget(browse);
    auto* folderLabel = new QLabel(tr("&Folder"));
    folderLabel->setBuddy(m_folder);
    form->addRow(folderLabel, folder);
    m_fault = new QLabel;
    m_fault->setWordWrap(true);
    m_fault->setAccessibleName(tr("Why nothing can be written"));
    layout->addWidget(m_fault);
    m_progress = new QProgressBar;
    m_progress->setAccessibleName(tr("Progress of the certificate"));
    layout->addWidget(m_progress);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_write = buttons->addButton(tr("&Write"), QDialogButtonBox::ActionRole);
    m_write->setDefault(true);
    m_stop = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(browse, &QPushButton::clicked, this, &CertificatePanel::askForFolder);
    connect(m_write, &QPushButton::clicked, this, &CertificatePanel::write);
    connect(m_stop, &QPushButton::clicked, &m_session, &CertificateSession::stop);
    connect(m_lanes, &QListWidget::itemChanged, this, &CertificatePanel::refresh);
    for (const QLineEdit* line : {m_points, m_folder}) {
        connect(line, &QLineEdit::textChanged, this, &CertificatePanel::refresh);
    }
    connect(&session, &CertificateSession::activityChanged, this, &CertificatePanel::refresh);
    connect(&session, &CertificateSession::written, this, &QWidget::hide);
    refresh();
}

void CertificatePanel::offer(RunId run, const std::vector<RunId>& ticked) {
    const QSignalBlocker quiet(m_lanes);
    m_lanes->clear();
    for (const RunId id : m_session.lanesBeside(run)) {
        auto* item = new QListWidgetItem(runLabel(m_runs, id), m_lanes);
        item->setData(Qt::UserRole, QVariant::fromValue(id.value));
        const bool isTicked = ticked.empty() || std::find(ticked.begin(), ticked.end(), id) != ticked.end();
        item->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
    }
    const int shown = std::clamp(m_lanes->count(), 1, kShownLanes);
    m_lanes->setFixedHeight(shown * std::max(m_lanes->sizeHintForRow(0), 1) + 2 * m_lanes->frameWidth());
    m_points->clear();
    m_folder->setText(newFolder(QString::fromStdString(m_runs.record(run)->start().experimentName)));
    refresh();
}

QString CertificatePanel::folder() const {
    return QDir::fromNativeSeparators(m_folder->text().trimmed());
}

std::vector<RunId> CertificatePanel::ticked() const {
    std::vector<RunId> lanes;
    for (int row = 0; row < m_lanes->count(); ++row) {
        const RunId id{m_lanes->item(row)->data(Qt::UserRole).value<decltype(RunId::value)>()};
        if (m_lanes->item(row)->checkState() == Qt::Checked && m_runs.contains(id)) {
            lanes.push_back(id);
        }
    }
    return lanes;
}

QString CertificatePanel::fault() const {
    if (ticked().empty()) {
        return tr("Tick a lane.");
    }
    if (!pointRange(m_points->text().trimmed().toStdString())) {
        return tr("Points: write A-B, counted from 0, as in 0-9, or nothing for all.");
    }
    if (folder().isEmpty() || QFileInfo(folder()).isRelative()) {
        return tr("Name a folder, with its full path.");
    }
    const Result<bool> held = holdsCertificate(folder().toStdString());
    if (!held) {
        return tr("The folder exists and is no certificate: name another.");
    }
    return *held ? tr("The folder holds a certificate: name another.") : QString();
}

void CertificatePanel::askForFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder of the certificate"), QFileInfo(folder()).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        const bool isEmpty = QDir(chosen).isEmpty();
        m_folder->setText(QDir::toNativeSeparators(
            isEmpty ? chosen : QDir(chosen).filePath(QFileInfo(folder()).fileName()))); // within it
    });
    dialog->open();
}

void CertificatePanel::write() {
    if (!fault().isEmpty()) {
        return;
    }
    QSettings().setValue(kFolderKey, QFileInfo(folder()).absolutePath());
    m_session.write(ticked(), *pointRange(m_points->text().trimmed().toStdString()), folder());
}

void CertificatePanel::refresh() {
    using Work = CertificateSession::Work;
    const Work work = m_session.work();
    const QString wrong = work == Work::None ? fault() : QString();
    m_fault->setText(wrong);
    m_fault->setVisible(!wrong.isEmpty());
    m_write->setEnabled(work == Work::None && wrong.isEmpty());
    m_stop->setEnabled(work != Work::None);
    for (QWidget* input : std::initializer_list<QWidget*>{m_lanes, m_points, m_folder}) {
        input->setEnabled(work == Work::None);
    }
    const double share = work == Work::Writing ? m_session.share() : -1;
    m_progress->setVisible(work != Work::None);
    m_progress->setFormat(work == Work::Writing ? tr("writing, %p %") : tr("checking"));
    m_progress->setRange(0, share < 0 ? 0 : 100);
    m_progress->setValue(share < 0 ? -1 : static_cast<int>(100 * share));
}

} // namespace lambdascope
