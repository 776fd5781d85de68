// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field.h"
#include "core/config/json.h"
#include "core/data/data_profile.h"
#include "ui/charts/figure.h"

#include <QString>
#include <QStringList>

class QComboBox;
class QLabel;
class QTableWidget;
class QTableWidgetItem;
class QWidget;

namespace lambdascope {

/// The most columns that fillHeadTable() shows.
inline constexpr int kMostHeadColumns = 60;

[[nodiscard]] QLabel* dataHeading(QWidget* parent);
/// The choices of a field, the given one chosen; `field` may be null.
void fillChoiceBox(QComboBox* box, const FieldDescription* field, const Json& value);
/// A compact table of whole rows that can be copied and saved, to be read only.
[[nodiscard]] QTableWidget* makeDataTable(QWidget* parent, const QString& name, const QStringList& headers);
[[nodiscard]] QTableWidgetItem* dataCell(const QString& text, bool isNumber = false);
/// As tall as its rows, but at most `most` of them.
void fitTable(QTableWidget& table, int most);

/// Line, column, what is wrong, what to do.
void fillFaultTable(QTableWidget& table, const Error& error);
/// Records as they stand in the file, under its line numbers; what faults are about is tinted and says so.
void fillHeadTable(QTableWidget& table, const DataProfile& profile);
/// Name, lowest, highest, mean, missing.
void fillFeatureTable(QTableWidget& table, const DataProfile& profile);
/// The picture of the profile, which must have one.
[[nodiscard]] CloudFigure axesFigure(const DataProfile& profile);

} // namespace lambdascope
