// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/explanation_text.h"

#include "core/common/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("Explanation", source);
}

QString number(double value, int digits = 6) {
    return QString::fromStdString(shortText(value, digits));
}

QString capitalized(QString words) {
    if (!words.isEmpty()) {
        words[0] = words[0].toUpper();
    }
    return words;
}

/// The lane's bounds that decided, "PGB" or "PGB and RRPB".
QString decidingBounds(const ItemExplanation& why) {
    QStringList names;
    for (const BoundDecision& decision : why.used) {
        if (decision.set == why.set) {
            names << ruleText(decision);
        }
    }
    return names.join(text(" and "));
}

/// The left side of an inequality with numbers for its symbols, "3 − 0.5 · 2 = "; empty where a symbol has none, such
/// as the least value over a region.
QString sumText(const BoundDecision& decision) {
    static const QRegularExpression relation(QStringLiteral("[<>]"));
    const QString whole = QString::fromStdString(decision.inequality);
    const QString left = whole.left(whole.indexOf(relation)).trimmed();
    QString sum;
    int terms = 0;
    bool isAfterTerm = false;
    for (qsizetype at = 0; at < left.size();) {
        if (left[at].isSpace() || left[at] == u'+' || left[at] == u'−') {
            sum += left[at++];
            isAfterTerm = false;
            continue;
        }
        QString symbol; // the longest that fits: β_low, not β
        double value = 0;
        for (const NamedValue& term : decision.terms) {
            const QString candidate = QString::fromStdString(term.symbol);
            if (candidate.size() > symbol.size() && QStringView(left).sliced(at).startsWith(candidate)) {
                symbol = candidate;
                value = term.value;
            }
        }
        if (symbol.isEmpty()) {
            return {};
        }
        sum += (isAfterTerm ? QStringLiteral(" · ") : QString()) + number(value);
        at += symbol.size();
        isAfterTerm = true;
        ++terms;
    }
    return terms > 1 ? sum + QStringLiteral(" = ") : QString();
}

/// The number of the check does not say when it was: lanes that screen where it pays may have their first one late.
QString screeningText(const ItemExplanation& why) {
    return why.iteration == 0 ? text("in the path screening, before the first iteration")
                              : text("while solving, at iteration %1").arg(why.iteration);
}

} // namespace

QString ruleText(const BoundDecision& decision) {
    return text("%1, %2 rule").arg(QString::fromStdString(decision.bound), QString::fromStdString(decision.rule));
}

QString decisionText(const BoundDecision& decision) {
    return decision.set.empty() ? text("undecided") : QString::fromStdString(decision.set);
}

QString referenceText(const FixingReference& reference, const ExplainedPlace& place) {
    // Joined by hand: in a translated text, Qt would read the subscript as a digit of the argument's number.
    const QString value = place.axisLabel + QChar(0x2080) + QStringLiteral(" = ") + number(reference.axisValue, 4);
    return value + (reference.point < 0 ? text(" (start of the path)") : text(" (point %1)").arg(reference.point + 1));
}

QString intervalText(const FixingReference& reference, const ExplainedPlace& place) {
    return text("decides it for %1 from %2 to %3")
        .arg(place.axisLabel, number(reference.low, 4), number(reference.high, 4));
}

QString explanationHeadline(const ItemExplanation& why, const ExplainedPlace& place) {
    const QString title = capitalized(QString::fromStdString(why.title));
    const QString where = QStringLiteral("%1 = %2").arg(place.axisLabel, number(place.axisValue, 4));
    const QString truth = text("At the solution it lies in %1.").arg(QString::fromStdString(why.trueSet));
    if (why.checks == 0) {
        return text(
                   "%1 was not judged at %2: this lane has no screening, or looking would have cost more than it saves "
                   "there. %3")
            .arg(title, where, truth);
    }
    if (why.set.empty() && why.checks == 1) {
        return text("%1 stayed in the problem at %2: the one check, at iteration %3, did not decide it. %4")
            .arg(title, where)
            .arg(why.iteration)
            .arg(truth);
    }
    if (why.set.empty()) {
        return text("%1 stayed in the problem at %2: none of %3 checks decided it. Shown is the last one, at "
                    "iteration %4. %5")
            .arg(title, where)
            .arg(why.checks)
            .arg(why.iteration)
            .arg(truth);
    }
    if (why.reference) {
        return text("%1 was fixed in %2 at %3 before any rule looked at it here: the solution at ")
                   .arg(title, QString::fromStdString(why.set), where) +
               referenceText(*why.reference, place) + text(", by %1, ").arg(ruleText(why.reference->decision)) +
               intervalText(*why.reference, place) + QStringLiteral(". ") + truth;
    }
    const QString by = decidingBounds(why);
    if (why.isAfterwards) {
        return text(
                   "%1 stayed in the problem at %2. Judged afterwards with the finished solution, which saves nothing, "
                   "it certainly lies in %3, by %4. %5")
            .arg(title, where, QString::fromStdString(why.set), by, truth);
    }
    return text("%1 was fixed in %2 at %3 by %4, %5. %6")
        .arg(title, QString::fromStdString(why.set), where, by.isEmpty() ? text("this lane") : by, screeningText(why),
             truth);
}

FormulaLines inequalityLines(const BoundDecision& decision) {
    const bool isAbove = decision.inequality.find('>') != std::string::npos;
    const QString relation = isAbove ? (decision.left > decision.threshold ? QStringLiteral(">") : QStringLiteral("≤"))
                                     : (decision.left < decision.threshold ? QStringLiteral("<") : QStringLiteral("≥"));
    const QString numbers =
        sumText(decision) + number(decision.left) + ' ' + relation + ' ' + number(decision.threshold);
    return {{QString::fromStdString(decision.inequality), numbers}, {}, {}};
}

QString inequalityText(const BoundDecision& decision) {
    return inequalityLines(decision).formulas.join(QStringLiteral(":  "));
}

QString termText(const NamedValue& term) {
    return QStringLiteral("%1 = %2, %3")
        .arg(QString::fromStdString(term.symbol), number(term.value, 8), QString::fromStdString(term.meaning));
}

FormulaLines termLines(const NamedValue& term) {
    const QString meaning = QString::fromStdString(term.meaning);
    const QStringList parts = meaning.split(QStringLiteral("; "));
    const QString last = parts.size() > 1 && parts.last().contains('=') ? parts.last() : QString();
    return {{QString::fromStdString(term.symbol) + QStringLiteral(" = ") + number(term.value, 8)},
            last.isEmpty() ? meaning : meaning.chopped(last.size() + 2),
            last.isEmpty() ? QStringList() : QStringList{last}};
}

QString explanationText(const ItemExplanation& why, const ExplainedPlace& place) {
    QString result = explanationHeadline(why, place) + QLatin1Char('\n');
    std::vector<BoundDecision> fixing;
    if (why.reference) {
        fixing.push_back(why.reference->decision);
    }
    for (const auto* decisions : {&std::as_const(fixing), &why.used, &why.rivals}) {
        for (const BoundDecision& decision : *decisions) {
            result += QStringLiteral("  %1: %2; %3; %4 %5\n")
                          .arg(ruleText(decision), decisionText(decision), inequalityText(decision), text("room"),
                               number(decision.room));
        }
    }
    for (const NamedValue& fact : why.facts) {
        result +=
            QStringLiteral("  %1 (%2): %3\n")
                .arg(QString::fromStdString(fact.symbol), QString::fromStdString(fact.meaning), number(fact.value, 10));
    }
    return result;
}

} // namespace lambdascope
