// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct StoreBackupTests {
  @Test func `a backup is a store with the same sessions`() async throws {
    let filled = try await FilledStore()
    let folder = try TemporaryFolder()
    var last = (0, 1)
    let size = try StoreBackup.make(of: filled.path, at: folder.path("store")) { last = ($0, $1) }
    #expect(folder.names == ["store"])
    #expect(last.0 == last.1 && last.1 == size)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("store"))
    #expect(attributes[.size] as? Int == size)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try StoreVerification.run(folder.path("store"), key: FilledStore.key).isSound)
    var copy = try TestStore(folder)
    let rows = try await copy.load()
    #expect(rows.count == filled.kept.count)
    for (session, kept) in filled.kept {
      let row = try #require(rows[session])
      #expect(FilledStore.Kept(row, state: try copy.state(of: session)) == kept)
    }
  }

  @Test func `a store in use is copied as it was committed, log and all`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert([.test(1)])
    try await test.save([1, 2, 3], of: .test(1))
    let folder = try TemporaryFolder()
    try StoreBackup.make(of: test.folder.path("store"), at: folder.path("store"))
    try await test.save([4], of: .test(1))
    var copy = try TestStore(folder)
    try await copy.load()
    #expect(try copy.state(of: .test(1)) == [1, 2, 3])
    // What both write from here on is sealed with other keys.
    try await copy.save([5], of: .test(1))
    #expect(try test.state(of: .test(1)) == [4])
  }

  @Test func `a backup replaces nothing, and leaves nothing behind when it cannot be made`()
    async throws
  {
    let filled = try await FilledStore(sessions: 5, rounds: 1)
    let folder = try TemporaryFolder()
    let file = try folder.file("b", [1])
    let targets = [
      (file, "found that there is one already"), (folder.path, "found that there is one already"),
      (folder.path("none/b"), "expected a file that can be made"), ("", "expected the path"),
    ]
    for (target, message) in targets {
      let error = #expect(throws: StoreError.self) {
        try StoreBackup.make(of: filled.path, at: target)
      }
      #expect(error?.code == .failed)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    #expect(throws: StoreError.self) { try StoreBackup.make(of: file, at: folder.path("c")) }
    #expect(folder.names == ["b"])
    #expect(FileManager.default.contents(atPath: file) == Data([1]))
  }
}
