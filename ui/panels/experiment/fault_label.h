// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

#include <QLabel>

#include <vector>

namespace lambdascope {

/// What is wrong with a field, under the field: a warning sign and red text that reads on light and dark; hidden while
/// nothing is wrong.
class FaultLabel : public QLabel {
    Q_OBJECT

  public:
    explicit FaultLabel(QWidget* parent = nullptr);

    void setFaults(const std::vector<Fault>& faults);
    void setMessage(const QString& message);
    [[nodiscard]] bool hasMessage() const { return !text().isEmpty(); }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void updateColour();
};

/// A red that contrasts with the window of `palette` at 4.5 : 1 or more.
[[nodiscard]] QColor faultColour(const QPalette& palette);

} // namespace lambdascope
