// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <filesystem>

namespace lambdascope {

/// While it lives the super-user is nobody, who may not read and write everywhere: permissions are tested as root too.
/// Others stay who they are. The folder, with what is in it, becomes nobody's.
class WithoutPrivileges {
  public:
    explicit WithoutPrivileges(const std::filesystem::path& folder) : m_wasRoot(::geteuid() == 0) {
        if (!m_wasRoot) {
            return;
        }
        m_isNobody = ::chown(folder.c_str(), kNobody, kNobody) == 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            m_isNobody = ::lchown(entry.path().c_str(), kNobody, kNobody) == 0 && m_isNobody;
        }
        m_isNobody = m_isNobody && ::setresuid(kNobody, kNobody, 0) == 0;
    }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    ~WithoutPrivileges() {
        if (m_isNobody && ::setresuid(0, 0, 0) != 0) {
            ::_exit(3); // what follows would not be the tests that were asked for
        }
    }
    /// False where root could not become nobody, as in some containers.
    [[nodiscard]] bool isInForce() const { return !m_wasRoot || m_isNobody; }

  private:
    static constexpr unsigned kNobody = 65534;
    bool m_wasRoot;
    bool m_isNobody = false;
};

} // namespace lambdascope
