// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// What a program does that starts others and kills them.
extension Terminal {
  /// The path of this program.
  static var programPath: String {
    #if os(Linux)
      if let path = unsafe realpath("/proc/self/exe", nil) {
        defer { unsafe free(path) }
        return unsafe String(cString: path)
      }
    #endif
    return CommandLine.arguments[0]
  }

  /// Ends the program at once, as a kill from outside does.
  static func killOwnProcess() {
    kill(getpid(), SIGKILL)
  }

  /// Lets signals limit the sizes of the files that the program writes, and lift the limit.
  ///
  /// What may not be written is an error then, as on a full disk.
  ///
  /// - Parameter isLimited: Whether they are limited from now on.
  static func limitFilesBySignals(_ isLimited: Bool) {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGUSR1) { _ in Terminal.limitFiles(true) }
    signal(SIGUSR2) { _ in Terminal.limitFiles(false) }
    if isLimited { limitFiles(true) }
  }

  /// Beyond the first pages nothing can be written, neither to a store nor to its log.
  private static func limitFiles(_ isLimited: Bool) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = isLimited ? 192 << 10 : limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
  }
}
