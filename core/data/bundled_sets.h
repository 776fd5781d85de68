// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace lambdascope {

/// A data set in resources/datasets; its README.md tells where each comes from.
struct BundledSet {
    std::string_view source; ///< name in DataConfig::source
    std::string_view file;
    std::string_view autoLabels; ///< what DataConfig::labels means by auto
    std::string_view autoTarget; ///< what DataConfig::target means by auto; empty for sets of classes
    std::string_view title;
    std::string_view summary;
};
[[nodiscard]] const std::vector<BundledSet>& bundledSets();

/// Nothing for other names.
[[nodiscard]] const BundledSet* findBundledSet(std::string_view source);

} // namespace lambdascope
