// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/icon_set.h"

#include "core/common/resource_folder.h"

#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace lambdascope {

namespace {

QString iconPath(const QString& name) {
    return QString::fromStdString((resourceFolder() / "icons").string()) + "/" + name + ".svg";
}

QColor inkFor(QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    switch (mode) {
    case QIcon::Disabled: return palette.color(QPalette::Disabled, QPalette::ButtonText);
    case QIcon::Selected: return palette.color(QPalette::HighlightedText);
    case QIcon::Normal:
    case QIcon::Active: break;
    }
    return palette.color(QPalette::ButtonText);
}

/// Draws an SVG whose black stands for "the ink of the palette". Reads the file when first drawn.
class InkedIconEngine : public QIconEngine {
  public:
    explicit InkedIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        load();
        if (m_source.isEmpty()) {
            return;
        }
        QByteArray inked = m_source;
        inked.replace("#000000", inkFor(mode).name().toUtf8());
        QSvgRenderer(inked).render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        Q_UNUSED(scale) // `size` is in device pixels already
        if (size.isEmpty()) {
            return {}; // buttons without room ask for that
        }
        const QString key = QStringLiteral("%1 %2 %3").arg(size.width()).arg(size.height()).arg(inkFor(mode).name(), 1);
        const auto found = m_drawn.constFind(key);
        if (found != m_drawn.constEnd()) {
            return *found;
        }
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        m_drawn.insert(key, drawn);
        return drawn;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new InkedIconEngine(m_name); }
    bool isNull() override { return m_name.isEmpty(); }

  private:
    void load() {
        if (m_isLoaded) {
            return;
        }
        m_isLoaded = true;
        QFile file(iconPath(m_name));
        if (file.open(QIODevice::ReadOnly)) {
            m_source = file.readAll();
        }
    }

    QString m_name;
    QByteArray m_source;
    bool m_isLoaded = false;
    QHash<QString, QPixmap> m_drawn;
};

} // namespace

QIcon themedIcon(const QString& name) {
    return QIcon(new InkedIconEngine(name));
}

QIcon programIcon() {
    return QIcon(new InkedIconEngine(QStringLiteral("lambdascope")));
}

} // namespace lambdascope
