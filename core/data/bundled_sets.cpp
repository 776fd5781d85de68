// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/bundled_sets.h"

#include <algorithm>

namespace lambdascope {

const std::vector<BundledSet>& bundledSets() {
    static const std::vector<BundledSet> sets = {
        {"iris", "iris.csv", "class", "", "Iris",
         "150 flowers, 4 lengths in cm, 3 species of 50 each; Fisher 1936, from scikit-learn."},
        {"wine", "wine.csv", "class", "", "Wine",
         "178 wines of three growers (59, 71, 48), 13 chemical measurements; UCI, from scikit-learn."},
        {"breast-cancer", "breast_cancer.csv", "class", "", "Breast cancer",
         "569 tumours (212 malignant, 357 benign), 30 measurements of cell nuclei; UCI, from scikit-learn."},
        {"digits", "digits.csv.gz", "last", "", "Digits",
         "1,797 handwritten digits as 8 × 8 pixels, 10 classes; UCI, from scikit-learn."},
        {"eurodist", "eurodist.csv", "none", "", "European distances",
         "Road distances in km between 21 cities, one row and column each, no classes; as in R."},
        {"diabetes", "diabetes.csv", "none", "progression", "Diabetes progression",
         "442 patients, 10 measurements and how the disease went on in a year, a number to fit; Efron et al. 2004, "
         "from "
         "scikit-learn."}};
    return sets;
}

const BundledSet* findBundledSet(std::string_view source) {
    const auto& sets = bundledSets();
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const BundledSet& s) { return s.source == source; });
    return found == sets.end() ? nullptr : &*found;
}

} // namespace lambdascope
