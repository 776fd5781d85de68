// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/inspector/run_details.h"

#include <QTreeWidget>

#include <utility>
#include <vector>

namespace lambdascope {

/// Groups of "what: value" rows under bold headings. Labels and values wrap rather than being cut, numbers are never
/// wrapped, and both columns together are as wide as what is seen of them: never below the scroll bar.
class DetailsTree : public QTreeWidget {
    Q_OBJECT

  public:
    explicit DetailsTree(QWidget* parent = nullptr);

    /// Items are reused, so that scroll position, selection and folded groups stay while numbers change.
    void fill(const std::vector<DetailGroup>& groups);

  protected:
    /// Also called when a scroll bar comes or goes.
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fillGroup(QTreeWidgetItem& top, const DetailGroup& group);
    void fitColumns();
    /// Of the widest label, and of the widest number among the values, which cannot wrap.
    [[nodiscard]] std::pair<int, int> widestTexts() const;
};

} // namespace lambdascope
