// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/run/experiment.h"
#include "ui/session/experiment/preset_list.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

class QUndoStack;

namespace lambdascope {

/// The experiment being edited: a JSON document that may be wrong at the moment, and everything said about it. Keys are
/// dotted paths as in faults: "problem.k", "lanes[1].every", "lanes[1].solver.tolerance", "name", "family".
///
/// All edits go through the undo stack; keystrokes in one field become one step. Only values that the user or a file
/// gave are in the document; everything else is the field's default. GUI thread only.
class ExperimentDocument : public QObject {
    Q_OBJECT

  public:
    /// `catalog` and `undoStack` must outlive the document; a null stack makes edits final.
    explicit ExperimentDocument(const SchemaCatalog& catalog, QUndoStack* undoStack = nullptr,
                                QObject* parent = nullptr);
    ~ExperimentDocument() override;

    [[nodiscard]] const SchemaCatalog& catalog() const { return m_catalog; }
    [[nodiscard]] const FamilySchema* family() const; ///< null while "family" is unknown
    [[nodiscard]] const Json& json() const { return m_json; }

    /// The schema of a field, or null: "problem.k" → FieldDescription of k in the current family.
    [[nodiscard]] const FieldDescription* field(const QString& keyPath) const;
    /// The value as given, or its default; null for unknown paths.
    [[nodiscard]] Json value(const QString& keyPath) const;
    [[nodiscard]] bool isDefault(const QString& keyPath) const;
    /// False while the field's relevantWhen condition does not hold.
    [[nodiscard]] bool isRelevant(const QString& keyPath) const;

    /// Sets any value, valid or not; merges with the step before when that set the same path within a few seconds.
    /// Edits of rows go with the source that they are of.
    void setValue(const QString& keyPath, const Json& value);
    /// The same as a step of its own in the history, which says `text`.
    void setInOneStep(const QString& keyPath, const Json& value, const QString& text);
    void resetToDefault(const QString& keyPath);
    /// Another family keeps name, data and run, and takes the family's default problem, solver, path and lanes.
    void setFamily(const QString& familyId);

    [[nodiscard]] int laneCount() const;
    [[nodiscard]] QString laneName(int lane) const;
    void addLane();               ///< defaults and a name not used yet
    void duplicateLane(int lane); ///< "PGB" → "PGB 2"
    void removeLane(int lane);    ///< no effect on the last one
    void moveLane(int from, int to);

    /// All that is wrong now, with keys; crossCheck included.
    [[nodiscard]] const std::vector<Fault>& faults() const { return m_faults; }
    /// Faults of exactly this key, or of keys inside it when `inside`.
    [[nodiscard]] std::vector<Fault> faultsAt(const QString& keyPath, bool inside = false) const;
    /// What reading the data found wrong, by whoever reads them; holds until it is set anew.
    void setDataFaults(std::vector<Fault> faults);
    [[nodiscard]] bool isRunnable() const { return m_validated.has_value() && m_dataFaults.empty(); }
    /// Why Run is disabled, one sentence; empty when runnable.
    [[nodiscard]] QString reasonNotRunnable() const;
    [[nodiscard]] const std::optional<Validated<Experiment>>& validated() const { return m_validated; }

    /// A new document: family defaults (first family of the catalog when empty).
    void newExperiment(const QString& familyId = {});
    /// Replaces the whole document, undoably unless the stack is null; `file` may be empty.
    void load(Json json, const QString& file = {});
    /// The same without the values that are wrong; returns what was left out. When the rest is no experiment either, a
    /// new one of the family takes over its name and data.
    std::vector<Fault> loadMended(Json json);
    /// Whether some faulty value has no input in a form, such as one under a key that nobody knows.
    [[nodiscard]] bool hasStrayFaults() const;
    /// Takes those values out of the document, in one undoable step.
    void removeStrayFaults();
    /// Reads an experiment file. Faulty values still load (the form shows what is wrong) and are returned, with their
    /// lines; only unreadable files and JSON syntax errors fail.
    Result<std::vector<Fault>> loadFile(const QString& file);
    /// Bundled experiment of resources/presets, by name without ".json"; a preset is not a file to save over.
    Result<void> loadPreset(const QString& name);
    /// Writes the document atomically, human-readable, and makes `file` its name.
    Result<void> saveFile(const QString& file);

    [[nodiscard]] QString file() const { return m_file; } ///< empty when never saved
    [[nodiscard]] QString title() const;                  ///< experiment name, else file name, else "Untitled"
    [[nodiscard]] bool isModified() const;
    /// Folders in which relative data sources are looked for.
    [[nodiscard]] DataPlaces places() const;

    /// The command that computes the same without a window, one line for a POSIX shell: the file or preset it came from
    /// with all differences, "lambdascope-cli run wine --set problem.k=5", or the whole document on standard input.
    [[nodiscard]] QString asCommandLine() const;

  Q_SIGNALS:
    /// One value changed (edit, undo or redo).
    void valueChanged(const QString& keyPath);
    /// Lanes were added, removed or reordered.
    void lanesChanged();
    /// Everything may have changed, also the family: rebuild.
    void reset();
    /// Emitted after every change, once the other signals are done.
    void faultsChanged();
    void modifiedChanged(bool modified);
    void titleChanged();

  private:
    friend class ExperimentCommand;
    enum class ChangeKind { Value, Lanes, Everything };
    [[nodiscard]] const SectionSchema* section(const std::string& key) const;
    [[nodiscard]] Json defaultValue(const QString& keyPath) const;
    [[nodiscard]] Json freshDocument(const QString& familyId) const;
    void pushLanes(Json lanes, const QString& text);
    void push(Json next, ChangeKind kind, const QString& keyPath, const QString& text, bool merges = true);
    void put(const QString& keyPath, const Json& value, const QString& text, bool merges);
    void apply(const Json& json, ChangeKind kind, const QString& keyPath);
    void recheck();
    void noteModified();
    [[nodiscard]] bool isStray(const Fault& fault) const;

    const SchemaCatalog& m_catalog;
    QUndoStack* m_undoStack;
    Json m_json;
    Json m_savedJson; ///< as in the file or preset: what isModified and asCommandLine compare with
    QString m_file;
    QString m_preset;
    std::vector<Fault> m_faults;
    std::vector<Fault> m_dataFaults; ///< not in m_faults: the document itself may be in order
    std::optional<Validated<Experiment>> m_validated;
    bool m_wasModified = false;
};

} // namespace lambdascope
