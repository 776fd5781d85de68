// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::cli {

struct RunOptions {
    std::string experiment; ///< file, preset, or "-"
    std::vector<std::string> settings;
    std::string out; ///< empty for none
    bool force = false;
    std::vector<std::string> lanes; ///< as given; each may list several, separated by commas
    std::string progress = "auto";
    int threads = 1;
    bool saveSolutions = false;
    std::string library;     ///< file, "none", or empty for the user's own
    double stateEvery = 0.5; ///< seconds; see RunWishes::stateInterval
    std::string continued;   ///< run folder to go on with, instead of an experiment
    std::string data;        ///< where its relative data paths are looked for first; empty for the run folder itself
};
ExitStatus runCommand(const RunOptions& options);
/// Goes on with the run in options.continued.
ExitStatus continueCommand(const RunOptions& options);

struct ListOptions {
    std::string what;
    bool json = false;
};
ExitStatus listCommand(const ListOptions& options);

struct ShowOptions {
    std::string preset;
    bool resolved = false;
};
ExitStatus showCommand(const ShowOptions& options);

struct ConvertOptions {
    std::string input;
    std::string output;
    std::vector<std::string> settings;
    bool force = false;
};
ExitStatus convertCommand(const ConvertOptions& options);

struct DescribeOptions {
    std::string input;
    std::vector<std::string> settings;
    std::string format = "text"; ///< of the table of features: text, csv, latex or markdown
    std::optional<int> digits;
};
ExitStatus describeCommand(const DescribeOptions& options);

struct VerifyOptions {
    std::string folder; ///< run folder
    std::vector<std::string> lanes;
    std::string data; ///< where relative data paths are looked for first; empty for the run folder itself
    std::string progress = "auto";
    bool bits = false; ///< compare to the last bit, too
};
ExitStatus verifyCommand(const VerifyOptions& options);

struct CertifyOptions {
    std::string folder; ///< run folder
    std::string out;    ///< folder of the certificate
    std::vector<std::string> lanes;
    std::string points; ///< "A-B", counted from 0; empty for all
    std::string data;   ///< as in VerifyOptions
    std::string progress = "auto";
    bool force = false;
};
ExitStatus certifyCommand(const CertifyOptions& options);

struct CompareOptions {
    std::vector<std::string> folders; ///< run folders and studies
    std::string format = "text";      ///< text, csv, latex, markdown or json
    std::optional<int> digits;        ///< significant ones of numbers
};
ExitStatus compareCommand(const CompareOptions& options);

struct ExportModelOptions {
    std::string folder; ///< run folder
    std::string output;
    std::string lane;        ///< empty for the first
    std::int64_t point = -1; ///< −1 for the last finished one
    std::string data;        ///< as in VerifyOptions
    bool force = false;
};
ExitStatus exportModelCommand(const ExportModelOptions& options);

struct ExportOptions {
    std::string folder; ///< run folder
    std::string lane;   ///< empty for the first
    std::string point = "last";
    std::string format; ///< empty for what the name of `output` ends with
    std::string output;
    std::string data; ///< as in VerifyOptions
    bool force = false;
};
ExitStatus exportCommand(const ExportOptions& options);

struct TransformOptions {
    std::string folder; ///< run folder
    std::string input;  ///< data; empty for those of the run
    std::string output;
    std::string lane; ///< empty for the first
    std::string point = "last";
    std::string pairs; ///< file of pairs of rows; empty for the rows themselves
    std::string data;  ///< as in VerifyOptions
    std::vector<std::string> settings;
    bool force = false;
};
ExitStatus transformCommand(const TransformOptions& options);

struct PredictOptions {
    std::string model; ///< file in LIBSVM's format, or run folder
    std::string lane;  ///< of a run folder, as in ExportOptions
    std::string point = "last";
    std::string data;
    std::string input; ///< data
    std::string output;
    std::string positive; ///< class of f > 0; empty for the one called as the model's first label
    std::vector<std::string> settings;
    bool force = false;
};
ExitStatus predictCommand(const PredictOptions& options);

struct PlaceOptions {
    std::string folder;  ///< run folder
    std::string answers; ///< file of comparisons
    std::string output;
    std::string lane;        ///< empty for the first
    std::int64_t point = -1; ///< −1 for the last finished one
    std::string data;        ///< as in VerifyOptions
    bool force = false;
};
ExitStatus placeCommand(const PlaceOptions& options);

struct RunsOptions {
    std::string action = "list";    ///< one of runsActions()
    std::vector<std::string> words; ///< what follows: conditions, ids, a name, tags
    bool json = false;
    bool isOfDiscarded = false; ///< list: what was deleted
    std::int64_t limit = 0;     ///< list: so many of the newest; 0 for all
    std::string library;
};
ExitStatus runsCommand(const RunsOptions& options);
[[nodiscard]] const std::vector<std::string>& runsActions();
/// What the actions take, for the help of the command.
[[nodiscard]] std::string runsHelp();

struct SweepOptions {
    std::string study; ///< file, "-", or folder of a study
    std::string out;   ///< empty for the folder that `study` is
    std::vector<std::string> settings;
    int jobs = 0;             ///< 0 for as many as there are cores
    std::uint64_t memory = 0; ///< bytes; 0 for what is free
    bool retry = false;
    bool keepEmbeddings = false;
    bool saveSolutions = false;
    std::string progress = "auto";
    bool json = false; ///< status: as JSON
    bool slurm = false;
    std::string partition; ///< what follows is of Slurm; empty for its defaults
    std::string time;
    std::string nodeMemory;
    int cpus = 1;
    int chunk = 0;               ///< cells per task; 0 for at most a hundred tasks
    std::int64_t slurmTask = -1; ///< of a task of the job: its number
    std::int64_t cell = -1;      ///< of a cell's own process: its number
    std::string work;            ///< likewise: the folder to write to
};
ExitStatus sweepCommand(const SweepOptions& options);
/// Of the Slurm job that computes the study in `out`: how far it is, its end, and its tables.
ExitStatus sweepStatusCommand(const SweepOptions& options);
ExitStatus sweepCancelCommand(const SweepOptions& options);
ExitStatus sweepCollectCommand(const SweepOptions& options);

/// All configuration fields of a family, or of all families, with what they take, defaults and help.
ExitStatus helpFieldsCommand(const std::string& family);

/// The keys that --set knows, for the help of the run command.
[[nodiscard]] std::string settableKeys();

} // namespace lambdascope::cli
