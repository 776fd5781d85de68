// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/generator_sliders.h"

#include "core/common/number_text.h"
#include "core/data/generators.h"

#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

namespace lambdascope {

namespace {

constexpr int kSteps = 400;
constexpr double kReach = 10; // sliders end at so many times the default, where more is possible

const Generator* generatorNamed(const QString& name) {
    const auto& all = generators();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const Generator& generator) {
        return name == QString::fromUtf8(generator.name.data(), static_cast<qsizetype>(generator.name.size()));
    });
    return found == all.end() ? nullptr : &*found;
}

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString valueText(double value) {
    return QString::fromStdString(shortText(value, 6));
}

} // namespace

GeneratorSliders::GeneratorSliders(ExperimentDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    hide();
}

void GeneratorSliders::build(const QString& generator) {
    m_generator = generator;
    m_rows.clear();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    const Generator* known = generatorNamed(generator);
    if (known == nullptr) {
        return;
    }
    auto* grid = static_cast<QGridLayout*>(layout());
    m_rows.reserve(known->options.size()); // sliders refer to their rows
    for (const GeneratorOption& option : known->options) {
        Row& row = m_rows.emplace_back();
        row.option = &option;
        row.low = option.low;
        row.high = std::min(option.high, std::max(option.low, kReach * std::max(option.fallback, 0.1)));
        row.slider = new QSlider(Qt::Horizontal, this);
        row.slider->setRange(0, kSteps);
        row.slider->setAccessibleName(textOf(option.help));
        row.slider->setToolTip(textOf(option.help));
        row.value = new QLabel(this);
        row.value->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("100,000")));
        auto* name = new QLabel(QStringLiteral("%1 (%2)").arg(textOf(option.key), textOf(option.help)), this);
        name->setBuddy(row.slider);
        const int line = static_cast<int>(m_rows.size()) - 1;
        grid->addWidget(name, line, 0);
        grid->addWidget(row.slider, line, 1);
        grid->addWidget(row.value, line, 2);
        connect(row.slider, &QSlider::valueChanged, this, [this, &row] { take(row); });
    }
    grid->setColumnStretch(1, 1);
}

void GeneratorSliders::refresh() {
    const Json source = m_document.value(QStringLiteral("data.source"));
    const QString text = source.isText() ? QString::fromStdString(source.get<std::string>()) : QString();
    const bool isGenerator = text.startsWith(QLatin1String("toy:"));
    const QString name = isGenerator ? text.mid(4).section('?', 0, 0) : QString();
    if (name != m_generator) {
        build(name);
    }
    setVisible(!m_rows.empty());
    std::map<QString, double> given;
    m_seed.clear();
    for (const QString& part : text.section('?', 1).split('&', Qt::SkipEmptyParts)) {
        const QString key = part.section('=', 0, 0);
        if (key == QLatin1String("seed")) {
            m_seed = part.section('=', 1);
        } else if (const auto number = parseNumber(part.section('=', 1).toStdString())) {
            given[key] = *number;
        }
    }
    m_isFilling = true;
    for (Row& row : m_rows) {
        const auto found = given.find(textOf(row.option->key));
        row.current = found == given.end() ? row.option->fallback : found->second;
        row.high = std::max(row.high, row.current);
        row.slider->setValue(static_cast<int>(std::lround(kSteps * (row.current - row.low) / (row.high - row.low))));
        row.value->setText(valueText(row.current));
    }
    m_isFilling = false;
}

void GeneratorSliders::take(Row& row) {
    if (m_isFilling) {
        return;
    }
    const double value = row.low + (row.high - row.low) * row.slider->value() / kSteps;
    // Three digits are as fine as a hand is, and read well.
    const double rounded = row.option->isWhole ? std::round(value) : parseNumber(shortText(value, 3)).value_or(value);
    row.current = std::clamp(rounded, row.option->low, row.option->high);
    row.value->setText(valueText(row.current));
    m_document.setValue(QStringLiteral("data.source"), sourceText().toStdString());
    Q_EMIT moved();
}

QString GeneratorSliders::sourceText() const {
    QStringList parts;
    for (const Row& row : m_rows) {
        if (row.current != row.option->fallback) {
            parts << QStringLiteral("%1=%2").arg(textOf(row.option->key),
                                                 QString::fromStdString(exactText(row.current)));
        }
    }
    if (!m_seed.isEmpty()) {
        parts << QStringLiteral("seed=%1").arg(m_seed);
    }
    return QStringLiteral("toy:%1%2%3")
        .arg(m_generator, parts.isEmpty() ? QString() : QStringLiteral("?"), parts.join('&'));
}

} // namespace lambdascope
