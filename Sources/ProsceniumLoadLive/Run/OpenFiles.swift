// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation

  /// How many files the process may open.
  enum OpenFiles {
    /// Raises the limit as far as it goes.
    ///
    /// - Returns: The limit.
    static func raise() -> Int {
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(resource, &limit)
      return Int(clamping: limit.rlim_cur)
    }
  }
#endif
