// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/family_list.h"

#include "ui/session/experiment/experiment_document.h"

#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace lambdascope {

namespace {

QString needText(const DataFit& fit) {
    return fit.need
               ? QString::fromStdString(fit.need->message + (fit.need->remedy.empty() ? "" : ". " + fit.need->remedy))
               : QObject::tr("takes these data");
}

} // namespace

void fillFamilyList(QWidget& box, const std::vector<DataFit>& fits, ExperimentDocument& document,
                    const std::function<void(const QString& keyPath)>& showField) {
    auto* outer = static_cast<QVBoxLayout*>(box.layout());
    if (QLayoutItem* old = outer->takeAt(0)) {
        old->widget()->hide();
        old->widget()->deleteLater(); // its button may be what calls
        delete old;
    }
    auto* list = new QWidget(&box);
    outer->addWidget(list);
    box.setVisible(!fits.empty());
    auto* grid = new QGridLayout(list);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    auto* title = new QLabel(QObject::tr("<b>What can be done with them</b>"), list);
    grid->addWidget(title, 0, 0, 1, 3);
    for (std::size_t i = 0; i < fits.size(); ++i) {
        const DataFit& fit = fits[i];
        const int row = static_cast<int>(i) + 1;
        const bool isOwn = document.family() != nullptr && document.family()->id == fit.family;
        auto* mark = new QLabel(fit.need ? QStringLiteral("–") : QStringLiteral("✓"), list);
        auto* words = new QLabel(list);
        words->setTextFormat(Qt::RichText);
        words->setWordWrap(true);
        words->setText(QStringLiteral("<b>%1</b>%2<br>%3")
                           .arg(QString::fromStdString(fit.title).toHtmlEscaped(),
                                isOwn ? QObject::tr(" · chosen") : QString(), needText(fit).toHtmlEscaped()));
        grid->addWidget(mark, row, 0, Qt::AlignTop);
        grid->addWidget(words, row, 1);
        const QString key = fit.need ? QString::fromStdString(fit.need->key) : QString();
        if (isOwn && key.isEmpty()) {
            continue;
        }
        auto* button = new QPushButton(isOwn ? QObject::tr("Show") : QObject::tr("Choose"), list);
        button->setAccessibleName(
            isOwn ? QObject::tr("Show the field that %1 lacks").arg(QString::fromStdString(fit.title))
                  : QObject::tr("Choose %1").arg(QString::fromStdString(fit.title)));
        QObject::connect(button, &QPushButton::clicked, &document,
                         [&document, showField, isOwn, key, id = QString::fromStdString(fit.family)] {
                             isOwn ? showField(key) : document.setFamily(id);
                         });
        grid->addWidget(button, row, 2, Qt::AlignTop);
    }
    grid->setRowStretch(static_cast<int>(fits.size()) + 1, 1);
}

} // namespace lambdascope
