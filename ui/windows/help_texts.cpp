// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/help_texts.h"

#include "ui/windows/action_registry.h"

#include <QAction>
#include <QCoreApplication>

namespace lambdascope {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("Help", source);
}

QString escaped(const std::string& words) {
    return QString::fromStdString(words).toHtmlEscaped();
}

} // namespace

QString aboutText(const SchemaCatalog& catalog) {
    QString html =
        text("<p><b>Lambdascope %1</b> — a workbench for safe screening and fast solvers.</p>"
             "<p>Free software under the <b>GNU General Public License, version 3 or later</b> "
             "(GPL-3.0-or-later), without any warranty. The source comes with it.</p>"
             "<p>Built with Qt %2 (running on %3), Eigen %4, Armadillo, oneTBB, SQLite and nlohmann-json.</p>")
            .arg(QStringLiteral(LAMBDASCOPE_VERSION), QStringLiteral(QT_VERSION_STR), QString::fromLatin1(qVersion()),
                 QStringLiteral(LAMBDASCOPE_EIGEN_VERSION));
    html += text("<p>Methods:</p>") + QStringLiteral("<ul>");
    for (const FamilySchema& family : catalog.families) {
        html += QStringLiteral("<li><b>%1</b>: %2<br><i>%3</i></li>")
                    .arg(escaped(family.title), escaped(family.summary), escaped(family.reference));
    }
    html += QStringLiteral("</ul>");
    html += text("<p>Colours: hues of Okabe and Ito for lines and classes, cividis for maps.</p>");
    return html;
}

QString boundsText(const SchemaCatalog& catalog) {
    QString html =
        text("<p>Safe screening proves, before the solver is done, that an item cannot matter for the optimum: it then "
             "needs no more work, and the solution stays the same. Each bound gives a ball that surely holds the "
             "optimum; the smaller the ball, the more items a rule can decide.</p>");
    for (const FamilySchema& family : catalog.families) {
        html += QStringLiteral("<h3>%1</h3>").arg(escaped(family.title));
        for (const FieldDescription& field : family.lane.fields) {
            if (field.choices.empty()) {
                continue;
            }
            html += QStringLiteral("<p><b>%1.</b> %2</p><table>").arg(escaped(field.label), escaped(field.help));
            for (const Choice& choice : field.choices) {
                html += QStringLiteral("<tr><td style='padding-right:16px'><b>%1</b></td><td>%2</td></tr>")
                            .arg(escaped(choice.label.empty() ? choice.value : choice.label), escaped(choice.help));
            }
            html += QStringLiteral("</table>");
        }
    }
    return html;
}

QString chartKeysText() {
    return text("<br><b>In a chart</b><table>"
                "<tr><td style='padding-right:24px'>Zoom, pan, reset</td><td>wheel or drag; middle button or Space + "
                "drag; double click or <b>Home</b></td></tr>"
                "<tr><td>Mark items in a box</td><td><b>Shift</b> + drag, or <b>M</b> and drag; <b>Shift+M</b>: all in "
                "view; <b>Esc</b>: none</td></tr>"
                "<tr><td>Move the shared cursor</td><td>click, or <b>Left</b> and <b>Right</b></td></tr>"
                "<tr><td>Logarithmic axes</td><td><b>X</b>, <b>Y</b></td></tr>"
                "<tr><td>Follow new data</td><td><b>F</b></td></tr>"
                "<tr><td>Show the numbers as a table</td><td><b>T</b></td></tr>"
                "<tr><td>Hide a line, show only one</td><td>click, double click its name</td></tr></table>"
                "<br><b>Where rows are edited</b><table>"
                "<tr><td style='padding-right:24px'>Choose a row</td><td>arrow keys</td></tr>"
                "<tr><td>Move it, ten times as far</td><td><b>Ctrl</b> + arrow, <b>Ctrl+Shift</b> + arrow</td></tr>"
                "<tr><td>Add one beside it, take it away</td><td><b>Insert</b>, <b>Delete</b></td></tr>"
                "<tr><td>Put it into the class chosen</td><td><b>C</b></td></tr>"
                "<tr><td>Take a stroke back</td><td><b>Esc</b></td></tr></table>");
}

QString tableKeysText(const QString& title, const QList<QAction*>& commands) {
    QString html = QStringLiteral("<br><b>%1</b><table>").arg(title.toHtmlEscaped());
    for (const QAction* command : commands) {
        if (!command->shortcut().isEmpty()) {
            html += QStringLiteral("<tr><td style='padding-right:24px'>%1</td><td><b>%2</b></td></tr>")
                        .arg(plainText(command->text()).toHtmlEscaped(),
                             command->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped());
        }
    }
    return html + QStringLiteral("</table>");
}

} // namespace lambdascope
