// SPDX-License-Identifier: Apache-2.0

import Proscenium

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension StoreLock {
  /// Whether somebody owns a store at this moment.
  static func isHeld(_ location: StoreLocation) -> Bool {
    let descriptor = unsafe open(location.lockPath, O_RDONLY | O_CLOEXEC)
    // A lock that may not be seen can be held.
    guard descriptor >= 0 else { return errno != ENOENT }
    // The shared lock ends with the descriptor, before anybody could notice it.
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
