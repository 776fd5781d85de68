// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/config/field_table.h"
#include "core/data/bundled_sets.h"
#include "core/data/data_edits.h"
#include "core/data/data_source.h"

namespace lambdascope {

namespace {

std::vector<EnumChoice<DataFormat>> formatChoices() {
    return {{DataFormat::Guess, {"guess", "From the content", "Looks at the first bytes and lines of the file."}},
            {DataFormat::Libsvm, {"libsvm", "LIBSVM", "Lines \"label index:value …\", indices from 1, ascending."}},
            {DataFormat::Csv, {"csv", "CSV", "Values separated by commas, semicolons, tabs or bars."}},
            {DataFormat::Tsv, {"tsv", "TSV", "Values separated by tabs."}},
            {DataFormat::Arff, {"arff", "ARFF", "Weka's attribute-relation files, plain or sparse."}},
            {DataFormat::Npy, {"npy", "NPY", "A NumPy array of numbers, one- or two-dimensional."}},
            {DataFormat::Hdf5, {"hdf5", "HDF5", "Data sets X (samples × features) and y in an HDF5 file."}},
            {DataFormat::Mat73, {"mat", "MAT v7.3", "Variables X (samples × features) and y saved by save -v7.3."}},
            {DataFormat::DenseText, {"dense", "Dense text", "Lines \"label v1 v2 …\", separated by blanks."}}};
}

std::vector<EnumChoice<Scaling>> scalingChoices() {
    return {{Scaling::MinMax, {"minmax", "Min–max", "Each feature linearly to [−1, 1]; constant ones to 0."}},
            {Scaling::Standardize,
             {"standardize", "Standardize", "Each feature to mean 0, standard deviation 1; constant ones to 0."}},
            {Scaling::UnitNorm,
             {"unit-norm", "Unit norm", "Each sample to length 1; zero samples stay. Keeps sparse data sparse."}},
            {Scaling::None, {"none", "None", "Values as in the file."}}};
}

void addPreparation(FieldTable<DataConfig>& t) {
    t.choice<MissingPolicy>(
        &DataConfig::missing,
        {"missing", "Missing values", "", "What to do about empty, ?, NA, NaN and infinite values."},
        {{MissingPolicy::Fail, {"fail", "Report them", "They are faults, with line and column."}},
         {MissingPolicy::DropRows, {"drop-rows", "Drop their rows", "Rows with any of them are left out."}},
         {MissingPolicy::Mean, {"mean", "Use the mean", "They get the mean of their feature."}}});
    t.choice<Scaling>(&DataConfig::scale, {"scale", "Scaling", "", "How values are scaled, over the rows kept."},
                      scalingChoices());
    t.integer(&DataConfig::pca,
              {"pca", "PCA", "dimensions", "Principal components kept after scaling, or all features as they are."},
              Range::atLeast(1), "all");
    t.real(&DataConfig::subset,
           {"subset", "Share of rows", "",
            "Rows kept, drawn by the seed: this share of each class, rounded half up, at least one row."},
           Range::aboveUpTo(0, 1));
    t.integer(&DataConfig::seed, {"seed", "Seed", "", "Seed of the subset and of generators."}, Range::atLeast(0));
}

std::string namesOfBundledSets() {
    std::string names;
    for (const BundledSet& set : bundledSets()) {
        names += (names.empty() ? "" : ", ") + std::string(set.source);
    }
    return names;
}

} // namespace

const FieldTable<DataConfig>& dataFields() {
    static const FieldTable<DataConfig> table = [] {
        FieldTable<DataConfig> t("data", "Data", "Where the samples come from and how they are prepared.");
        t.file(&DataConfig::source,
               {"source", "Source", "",
                "A bundled set (" + namesOfBundledSets() +
                    "), a generator (toy:two-moons?n=400), a file, \"painted\" for two features x and y with the rows "
                    "that the edits add, or \"none\" for problems that need no rows."});
        t.choice<DataFormat>(&DataConfig::format, {"format", "Format", "", "How the file is read."}, formatChoices());
        t.advanced();
        t.text(&DataConfig::labels,
               {"labels", "Label column", "",
                "auto, none, first, last, the column's name, or its number from 1. auto takes a column named class "
                "or label, else one named target or y, the last or the first that holds classes rather than "
                "measurements."});
        t.text(
            &DataConfig::target,
            {"target", "Target column", "",
             "The column of numbers that regression fits, in place of labels: first, last, the column's name, or its "
             "number from 1. auto takes that of a bundled set or generator; of other data the labels, where these "
             "are numbers."});
        t.advanced();
        t.text(&DataConfig::edits, {"edits", "Edits", "", editsHelp()});
        t.advanced();
        addPreparation(t);
        t.choice<Storage>(
            &DataConfig::storage, {"storage", "Storage", "", "Whether zeros are stored."},
            {{Storage::AsStored,
              {"as-stored", "As it comes", "LIBSVM and sparse ARFF sparse below a quarter of non-zeros, else dense."}},
             {Storage::Dense, {"dense", "Dense", "Every value is stored."}},
             {Storage::Sparse, {"sparse", "Sparse", "Only non-zeros are stored."}}});
        t.advanced();
        return t;
    }();
    return table;
}

void checkMatrixIsKept(const DataConfig& data, const std::string& kind, std::vector<Fault>& faults) {
    const auto refuse = [&](const char* key, const std::string& is, const char* remedy) {
        faults.push_back({key, "is " + is + ", but the data are a " + kind + ", which must stay as it is", remedy, {}});
    };
    if (data.scale != Scaling::None) {
        refuse("data.scale", dataFields().word(data, "scale"), "Set scale to \"none\".");
    }
    if (!data.edits.empty()) {
        refuse("data.edits", "not empty", "Remove the edits.");
    }
    if (data.subset < 1) {
        refuse("data.subset", exactText(data.subset), "Set subset to 1.");
    }
    if (data.pca) {
        refuse("data.pca", exactText(static_cast<double>(*data.pca)), "Set pca to \"all\".");
    }
}

void checkRowsAreKept(const DataConfig& data, const std::string& numbered, const std::string& orElse,
                      std::vector<Fault>& faults) {
    const std::string all = ", but " + numbered + " all rows of the data";
    if (!data.edits.empty()) {
        faults.push_back(
            {"data.edits", "change rows, but " + numbered + " rows as they were read", "Remove the edits.", {}});
    }
    if (data.subset < 1) {
        faults.push_back({"data.subset", "is " + exactText(data.subset) + all, "Set subset to 1" + orElse + ".", {}});
    }
    if (data.missing == MissingPolicy::DropRows) {
        faults.push_back(
            {"data.missing", "is drop-rows" + all, "Set missing to \"fail\" or \"mean\"" + orElse + ".", {}});
    }
}

} // namespace lambdascope
