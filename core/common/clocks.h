// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope {

/// CPU seconds used by the calling thread since it began, and by other threads on its behalf (credited when they have
/// done their share of a parallel loop; see ThreadTeam). All CPU ratios come from this clock, never from wall time
/// alone.
///
/// Asking the system takes a microsecond or more, as long as the steps of small problems. So it is asked once in
/// kCpuClockWindow, and the clock on the wall tells what was used since: the answer may be too large by the time that
/// the thread did not run in that window, hardly by more. Then the clock goes on slowly until that time was used: it
/// never runs backward nor stands still, so that whatever is done takes some time.
[[nodiscard]] double threadCpuSeconds();

/// Seconds.
inline constexpr double kCpuClockWindow = 5e-4;

/// Adds what other threads used for the calling thread to its clock.
void creditThreadCpuSeconds(double seconds);

/// Monotonic seconds since an arbitrary start.
[[nodiscard]] double wallSeconds();

/// Adds the thread CPU time of a scope to an account: `CpuCharge charge(report.cpuScreen);`
class CpuCharge {
  public:
    explicit CpuCharge(double& account) : m_account(account), m_start(threadCpuSeconds()) {}
    CpuCharge(const CpuCharge&) = delete;
    CpuCharge& operator=(const CpuCharge&) = delete;
    ~CpuCharge() { m_account += threadCpuSeconds() - m_start; }

  private:
    double& m_account;
    double m_start;
};

} // namespace lambdascope
