// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium
  import ProsceniumPrimitives

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A file that one process of a machine holds; the system lets go of it when the process ends.
  package final class MachineLock: Sendable {
    private let descriptor: Guarded<CInt?>

    /// Takes the lock.
    ///
    /// - Throws: `inUse` if another process has it; `failed` if the system refuses.
    package init(_ path: String) throws(StoreError) {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        throw StoreError(
          .failed, "\(path): expected a lock file that can be made: error \(errno) of the system.")
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        close(file)
        throw StoreError(
          number == EWOULDBLOCK ? .inUse : .failed,
          "\(path): expected a lock file that no process holds, found that one does.")
      }
      descriptor = Guarded(file)
    }

    /// Lets go of the lock; the file stays.
    package func release() {
      descriptor.withLock { file in
        guard let open = file else { return }
        // A process that is just being started shares the file until it is another program.
        flock(open, LOCK_UN)
        close(open)
        file = nil
      }
    }

    deinit {
      release()
    }
  }
#endif
