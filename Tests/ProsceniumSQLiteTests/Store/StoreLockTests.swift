// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct StoreLockTests {
  @Test func `a lock is given back although a process that begins has a copy of it`() throws {
    let folder = try TemporaryFolder()
    let location = try StoreLocation(folder.path("store"))
    let lock = try StoreLock(location)
    // What a child has between its fork and the program that it becomes.
    let copy = dup(try #require(descriptor(of: location.lockPath)))
    defer { close(copy) }
    #expect(throws: StoreError.self) { _ = try StoreLock(location) }
    lock.release()
    _ = try StoreLock(location)
  }

  @Test func `who only looks whether a store is in use is in no owner's way`() async throws {
    let folder = try TemporaryFolder()
    let location = try StoreLocation(folder.path("store"))
    try StoreLock(location).release()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled { _ = StoreLock.isHeld(location) }
      }
      for _ in 0..<2_000 { try StoreLock(location).release() }
      group.cancelAll()
    }
  }

  /// The descriptor by which this process has a file open.
  private func descriptor(of path: String) -> CInt? {
    var file = stat()
    guard unsafe stat(path, &file) == 0 else { return nil }
    return (0..<CInt(4_096)).first { candidate in
      var other = stat()
      return unsafe fstat(candidate, &other) == 0 && other.st_ino == file.st_ino
        && other.st_dev == file.st_dev
    }
  }
}
