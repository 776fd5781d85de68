// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// Which headers a compiler reads for each .h and .cpp file in the folders app, core, ui and tests of a source tree.
class IncludeGraph {
  public:
    explicit IncludeGraph(const std::filesystem::path& root);

    /// Files that include a header whose name begins with `prefix` ("Eigen/", "core/config/"), by whatever way; those
    /// of that name too.
    [[nodiscard]] std::set<std::string> reaching(std::string_view prefix) const;
    [[nodiscard]] const std::set<std::string>& files() const { return m_files; }

  private:
    std::set<std::string> m_files;
    std::map<std::string, std::vector<std::string>, std::less<>> m_includers; ///< of each header, ours or a library's
};

/// Sources are what is compiled.
[[nodiscard]] inline bool isSource(std::string_view file) {
    return file.ends_with(".cpp");
}

} // namespace lambdascope
