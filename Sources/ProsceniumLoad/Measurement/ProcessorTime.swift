// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin

  private let ownUsage = RUSAGE_SELF
#else
  import Glibc

  private let ownUsage = RUSAGE_SELF.rawValue
#endif

/// How much processor time the process has used, in seconds, user and system together.
///
/// Beside a rate it says how many processors were really at work.
enum ProcessorTime {
  static var used: Double {
    var usage = rusage()
    unsafe getrusage(ownUsage, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return Double(seconds) + Double(microseconds) / 1_000_000
  }
}
