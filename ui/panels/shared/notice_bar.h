// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace lambdascope {

enum class Severity { Information, Warning, Problem };

/// Something the user should know, said in the window rather than in a dialog.
struct Notice {
    Severity severity = Severity::Information;
    QString message;          ///< what is the matter
    QString remedy;           ///< what to do; may be empty
    QString source;           ///< a newer notice of the same source, or of the same words, replaces an older one
    QStringList actions = {}; ///< what can be done about it, each a button
};

/// What an Error says, fault by fault, as a notice: places first, remedies last.
[[nodiscard]] Notice noticeFor(const Error& error, const QString& source);

/// Shows notices one below the other, each with an icon, a word for its severity and a dismiss button. Hidden while
/// there are none. At most four are kept; older ones go first.
class NoticeBar : public QWidget {
    Q_OBJECT

  public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void show(const Notice& notice);
    void dismissSource(const QString& source);
    void dismissAll();
    [[nodiscard]] int noticeCount() const;
    /// All texts shown, newest last: for tests and assistive readers.
    [[nodiscard]] QStringList texts() const;

  Q_SIGNALS:
    void noticeShown(const QString& text);
    /// A button of a notice was pressed, which has done its duty and goes.
    void actionChosen(const QString& source, int action);

  private:
    void dismissWhere(const char* property, const QString& value);
    void remove(QWidget* row);

    QVBoxLayout* m_rows;
};

} // namespace lambdascope
