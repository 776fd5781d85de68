// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// A run folder as `compare` sees it.
struct ComparedRun {
    std::string folder; ///< as given
    std::string name;   ///< of the experiment
    std::string family;
    std::string data; ///< source of the data
    std::vector<RunRecord> lanes;
    std::vector<std::string> missing; ///< lanes that run.json lists and the folder does not hold
};

/// What a LaTeX text mode shows as it stands here.
[[nodiscard]] std::string latexEscaped(const std::string& text);

/// One row per lane of all runs. Columns that no lane fills are left out, cells that a lane cannot fill are empty.
class ComparisonTable {
  public:
    enum class Format {
        Text,  ///< for a terminal, numbers rounded
        Latex, ///< a tabular in the style of booktabs, numbers rounded
        Json,  ///< an array with an object per row; what a lane does not have is left out
        Csv,   ///< RFC 4180, shares instead of percents, seconds, numbers that read back exactly
    };

    explicit ComparisonTable(const std::vector<ComparedRun>& runs);
    [[nodiscard]] std::string text(Format format) const;

  private:
    enum class Kind { Text, Count, Seconds, Ratio, Percent, Number };
    struct Column {
        std::string key;        ///< of a file
        std::string title = {}; ///< for people
        Kind kind = Kind::Text;
    };
    /// A number where there is one, else a text; neither when the lane has no such thing.
    struct Cell {
        std::string text;
        std::optional<double> number;
        [[nodiscard]] bool isEmpty() const { return text.empty() && !number; }
    };

    void addRun(const ComparedRun& run, const std::string& name);
    void beginRow(const ComparedRun& run, const std::string& name, const std::string& lane);
    void addLane(const ComparedRun& run, const std::string& name, const RunRecord& lane, const RunRecord* baseline);
    void addMeasures(const RunRecord& lane);
    void set(const Column& column, Cell cell);
    [[nodiscard]] std::vector<std::size_t> filledColumns() const;
    [[nodiscard]] const Cell& cellAt(std::size_t row, std::size_t column) const;
    [[nodiscard]] static std::string cellText(const Column& column, const Cell& cell, Format format);
    [[nodiscard]] std::string plainText() const;
    [[nodiscard]] std::string latexText() const;
    [[nodiscard]] std::string csvText() const;
    [[nodiscard]] std::string jsonText() const;

    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows; ///< may be shorter than m_columns: the rest is empty
};

} // namespace lambdascope::cli
