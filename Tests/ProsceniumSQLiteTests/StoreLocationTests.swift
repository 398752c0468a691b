// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct StoreLocationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func error(_ path: String) -> StoreError? {
    #expect(throws: StoreError.self) {
      _ = try SQLiteSessionStore(
        path: path, key: .callback { try ApplicationKeys(primary: TestStore.key) })
    }
  }

  @Test func `what is no ordinary file is refused before anything is made`() throws {
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: false)
    for (name, target) in [
      ("dangling", "nothing"), ("away", "no folder/nothing"), ("loop", "loop"),
      ("null", "/dev/null"),
      ("pipe link", "pipe"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: target)
    }
    let before = try FolderContents(folder)
    let link = "found a symbolic link that leads to no file."
    for (name, message) in [
      ("pipe", "found a pipe."), ("folder", "found a directory."), ("null", "found a device."),
      ("pipe link", "found a pipe."), ("dangling", link), ("away", link), ("loop", link),
    ] {
      let error = error(folder.path(name))
      #expect(error?.code == .unusable, "\(name)")
      #expect(error?.message.hasPrefix(folder.path(name) + ": expected ") == true, "\(name)")
      #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    }
    #expect(try FolderContents(folder) == before)
    let devices = try FileManager.default.contentsOfDirectory(atPath: "/dev")
    #expect(error("/dev/null")?.code == .unusable)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: "/dev")) == Set(devices))
  }

  @Test func `a database with two names is refused under both, and is free with one`() async throws
  {
    var store = try TestStore(folder)
    try await store.load()
    let link = folder.path("link")
    try FileManager.default.linkItem(atPath: folder.path("store"), toPath: link)
    let names = folder.names
    let refusal = error(link)
    #expect(refusal?.code == .unusable)
    #expect(refusal?.message.contains("found 2 hard links") == true, "\(refusal?.message ?? "")")
    #expect(folder.names == names)
    try await store.store.close()
    #expect(error(folder.path("store"))?.code == .unusable)
    #expect(error(link)?.code == .unusable)
    // Its log may be next to the other one.
    let looked = #expect(throws: StoreError.self) { _ = try StoreInspection(link) }
    #expect(looked?.code == .unusable)
    try FileManager.default.removeItem(atPath: link)
    store = try TestStore(folder)
    try await store.store.close()
  }
}
