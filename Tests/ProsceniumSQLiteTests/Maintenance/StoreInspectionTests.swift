// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct StoreInspectionTests {
  @Test func `every session is shown with its state`() async throws {
    let filled = try await FilledStore()
    let inspection = try StoreInspection(filled.path, key: FilledStore.key)
    var seen: [SessionIdentifier: FilledStore.Kept] = [:]
    let damage = try inspection.forEachSession { session in
      let state = try inspection.savedState(of: session)
      #expect(session.row.damage == nil)
      #expect(session.row.hasSavedState == (state != nil))
      #expect(session.savedState?.size == state?.count)
      #expect(session.epoch == 1)
      seen[session.row.persistentIdentifier] = .init(session.row, state: state)
    }
    #expect(damage.isEmpty)
    #expect(seen == filled.kept)
  }

  @Test func `totals count what there is`() async throws {
    let filled = try await FilledStore()
    let totals = try StoreInspection(filled.path).totals()
    #expect(totals.sessions == filled.kept.count)
    #expect(totals.discarded == 0)
    #expect(totals.epoch == 1)
    #expect(totals.openings == 1)
    #expect(totals.isRestoring == false)
    #expect(totals.databaseBytes > 10_000)
    #expect(totals.logBytes == 0)
  }

  @Test func `one session is looked up by its identifier`() async throws {
    let filled = try await FilledStore()
    let inspection = try StoreInspection(filled.path, key: FilledStore.key)
    let session = try #require(try inspection.session(.test(5)))
    #expect(session.row.title == "title 5")
    #expect(try inspection.savedState(of: session) == filled.kept[.test(5)]?.state)
    #expect(try inspection.session(.test(12)) == nil)
  }

  @Test func `without a key everything but the states is shown`() async throws {
    let filled = try await FilledStore()
    let inspection = try StoreInspection(filled.path)
    let session = try #require(try inspection.session(.test(5)))
    #expect(session.savedState != nil)
    let error = #expect(throws: StoreError.self) { try inspection.savedState(of: session) }
    #expect(error?.code == .keyUnavailable)
  }

  @Test func `a store that is in use is shown as it was committed`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert([.test(1)])
    try await test.save([1, 2, 3], of: .test(1))
    let inspection = try StoreInspection(test.folder.path("store"), key: FilledStore.key)
    try await test.save([4, 5], of: .test(1))
    let old = try #require(try inspection.session(.test(1)))
    #expect(try inspection.savedState(of: old) == [1, 2, 3])
    let next = try StoreInspection(test.folder.path("store"), key: FilledStore.key)
    let new = try #require(try next.session(.test(1)))
    #expect(try next.savedState(of: new) == [4, 5])
    #expect(try next.totals().logBytes > 0)
  }

  @Test func `a discarded session is shown as such`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert([.test(1), .test(2)])
    try await test.store.close()
    test = try TestStore(test.folder)
    try await test.store.discardWhileNotRunning(.test(1))
    let inspection = try StoreInspection(test.folder.path("store"))
    #expect(try inspection.session(.test(1))?.row.isDiscarded == true)
    #expect(try inspection.session(.test(2))?.row.isDiscarded == false)
    #expect(try inspection.totals().discarded == 1)
  }

  @Test func `what is no store is refused with its kind`() async throws {
    let folder = try TemporaryFolder()
    let filled = try await FilledStore(sessions: 3, rounds: 1)
    let text = try folder.file("text", Bytes("expected a database, found this text".utf8))
    let other = try folder.file("other", [])
    try database(other, "CREATE TABLE t(a)")
    let newer = try folder.file("newer", Bytes(FileManager.default.contents(atPath: filled.path)!))
    try database(newer, "PRAGMA user_version = 99")
    let cases: [(String, StoreError.Code, String)] = [
      (folder.path("none"), .unusable, "found no file"),
      (folder.path + "/text/none", .unusable, "found no file"),
      (folder.path, .unusable, "found a directory"), ("/dev/null", .unusable, "found a device"),
      (try folder.file("empty", []), .unusable, "found an empty file"),
      (text, .unusable, "found a file that is no database"),
      (other, .unusable, "found an SQLite database of another application"),
      (newer, .newerVersion, "found version 99: a newer program wrote it"),
    ]
    for (path, code, message) in cases {
      let error = #expect(throws: StoreError.self) { _ = try StoreInspection(path) }
      #expect(error?.code == code, "\(path)")
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    let wrong = CallbackKeyProvider { try ApplicationKeys(primary: Bytes(repeating: 8, count: 32)) }
    let error = #expect(throws: StoreError.self) {
      _ = try StoreInspection(filled.path, key: wrong)
    }
    #expect(error?.code == .wrongKey)
  }

  private func database(_ path: String, _ statement: String) throws {
    let queue = try ConnectionQueue(path, label: "test")
    try queue.wait { (connection) throws(StoreError) in try connection.execute(statement) }
    queue.close()
  }
}
