// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lock by which one store of one process owns a file.
///
/// The kernel holds it, so that it ends with its process, however that ends. The file of the lock
/// stays: were it removed, two processes could hold locks of different files with the same name.
final class StoreLock: Sendable {
  private let descriptor: Guarded<CInt?>

  /// Takes the lock.
  ///
  /// - Throws: `inUse` if another store has it; `failed` if the system refuses.
  init(_ location: StoreLocation) throws(StoreError) {
    let path = location.lockPath
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .failed, "\(path): expected a file that can be written: \(SystemError.text(errno))")
    }
    guard Self.isTaken(descriptor) else {
      let number = errno
      let holder = Self.holder(descriptor)
      close(descriptor)
      guard number == EWOULDBLOCK else {
        throw StoreError(
          .failed, "\(path): expected a file that can be locked: \(SystemError.text(number))")
      }
      throw StoreError(
        .inUse,
        "\(location.path): expected a store that is not in use, found it in use by \(holder).")
    }
    self.descriptor = Guarded(descriptor)
    let text = Array("\(getpid())\n".utf8)
    // Whether it can be written changes the message of another process at most.
    if ftruncate(descriptor, 0) == 0 {
      _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  /// Takes the lock, unless another process owns the store.
  ///
  /// A program that looks whether it is owned has the lock for a moment, with others that look:
  /// that is waited for.
  private static func isTaken(_ descriptor: CInt) -> Bool {
    for _ in 0..<patience {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK, flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return false }
      flock(descriptor, LOCK_UN)
      usleep(1_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// How often the lock is tried for, 1 ms apart.
  private static let patience = 1_000

  deinit {
    release()
  }

  /// Gives the lock back.
  func release() {
    descriptor.withLock { descriptor in
      if let held = descriptor {
        // A process that this one is just starting has a copy until it becomes another program:
        // closing alone would leave it the lock.
        flock(held, LOCK_UN)
        close(held)
      }
      descriptor = nil
    }
  }

  /// Who has the lock, in words.
  private static func holder(_ descriptor: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    let digits = bytes.prefix(max(count, 0)).prefix { (0x30...0x39).contains($0) }
    return digits.isEmpty
      ? "another process" : "process \(String(decoding: digits, as: UTF8.self))"
  }
}

extension StoreLock {
  /// Whether a process owns a store at this moment.
  static func isHeld(_ location: StoreLocation) -> Bool {
    let descriptor = unsafe open(location.lockPath, O_RDONLY | O_CLOEXEC)
    // A lock that may not be seen can be held.
    guard descriptor >= 0 else { return errno != ENOENT }
    // The shared lock ends with the descriptor, before another process could notice it.
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
