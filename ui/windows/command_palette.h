// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace lambdascope {

/// Everything that can be done, found by typing a few letters: type, choose with the arrows, Enter does it, Esc leaves.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    struct Entry {
        QString title;
        QString keys; ///< of the command; empty for none
        QString help; ///< a sentence
        std::function<void()> act;
        bool isEnabled = true;
    };

    explicit CommandPalette(QWidget* window);

    /// Opens it over the window with these entries and nothing typed.
    void ask(std::vector<Entry> entries);
    [[nodiscard]] QLineEdit* input() const { return m_input; }
    /// The titles that fit what is typed, best first.
    [[nodiscard]] QStringList offered() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter();
    void act();

    QLineEdit* m_input;
    QListWidget* m_list;
    std::vector<Entry> m_entries;
    std::vector<std::size_t> m_found; ///< rows of the list
};

/// How well `words` fit a title and its help: each word has to occur; 0 when one does not, more when words begin the
/// title or a word of it.
[[nodiscard]] int paletteScore(const QString& words, const QString& title, const QString& help);

} // namespace lambdascope
