// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace lambdascope {

/// Lets files be dropped on a widget.
class FileDrop : public QObject {
    Q_OBJECT

  public:
    /// Becomes a child of `target`.
    explicit FileDrop(QWidget* target);

  Q_SIGNALS:
    void hovering(bool isOver); ///< false when they leave or are dropped
    void dropped(const QStringList& paths);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lambdascope
