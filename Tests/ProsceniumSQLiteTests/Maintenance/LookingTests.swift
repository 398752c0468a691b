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

/// What looks at a store changes nothing, and needs nothing that it could change.
@Suite struct LookingTests {
  /// What the end of the last program has left.
  enum Left: CaseIterable {
    /// The database alone, as after an orderly end, or as a backup is.
    case closed
    /// The log with its index, as after a kill.
    case log
    /// The log alone, as where both files were copied.
    case logAlone
    /// A log that has nothing, with its index.
    case emptyLog
  }

  /// A store in a folder that no process has open.
  private func left(_ left: Left) async throws -> (folder: TemporaryFolder, filled: FilledStore) {
    let filled = try await FilledStore(
      sessions: 12, rounds: 2, isClosed: left == .closed || left == .emptyLog)
    let folder = try filled.copied()
    switch left {
    case .closed: #expect(folder.names == ["store"])
    case .log: #expect(folder.names == ["store", "store-shm", "store-wal"])
    case .logAlone: try FileManager.default.removeItem(atPath: folder.path("store-shm"))
    case .emptyLog:
      _ = try folder.file("store-wal", [])
      _ = try folder.file("store-shm", Bytes(repeating: 0, count: 32_768))
    }
    // Others may read it: not its user alone.
    for name in folder.names {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: folder.path(name))
    }
    return (folder, filled)
  }

  /// Looks in every way, and expects everything to be seen.
  private func look(at folder: TemporaryFolder, _ filled: FilledStore) throws {
    let path = folder.path("store")
    let report = try StoreVerification.run(path, key: FilledStore.key)
    #expect(report.isSound, "\(report.damage)")
    #expect(report.sessions == filled.kept.count)
    let inspection = try StoreInspection(path, key: FilledStore.key)
    #expect(try inspection.totals().sessions == filled.kept.count)
    var states: [SessionIdentifier: Bytes] = [:]
    let damage = try inspection.forEachSession { session in
      states[session.row.persistentIdentifier] = try inspection.savedState(of: session)
    }
    #expect(damage.isEmpty, "\(damage)")
    #expect(states == filled.kept.compactMapValues(\.state))
    #expect(try inspection.session(.test(5)) != nil)
    let copy = try TemporaryFolder()
    _ = try StoreBackup.make(of: path, at: copy.path("store"))
    #expect(try StoreVerification.run(copy.path("store"), key: FilledStore.key).isSound)
    #expect(copy.names == ["store"])
  }

  @Test(arguments: Left.allCases)
  func `looking leaves the folder as it is`(left: Left) async throws {
    let (folder, filled) = try await self.left(left)
    let before = try FolderContents(folder)
    try look(at: folder, filled)
    #expect(try FolderContents(folder) == before)
    var store = try TestStore(folder)
    #expect(try await store.load().count == filled.kept.count)
  }

  @Test(.enabled(if: Permission.canBeGivenUp, "root may write everywhere, and cannot give it up"))
  func `a folder in which nothing may be made or written can be looked at`() async throws {
    for left in Left.allCases {
      let (folder, filled) = try await self.left(left)
      let before = try FolderContents(folder)
      try Permission.without(in: folder) {
        #expect(throws: (any Error).self) { try folder.file("more", []) }
        #expect(FileHandle(forWritingAtPath: folder.path("store")) == nil)
        let report = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
        #expect(report.isSound, "\(left): \(report.damage)")
        #expect(report.sessions == filled.kept.count, "\(left)")
        let inspection = try StoreInspection(folder.path("store"), key: FilledStore.key)
        let session = try #require(try inspection.session(.test(5)))
        let state = try inspection.savedState(of: session)
        #expect(state == filled.kept[.test(5)]?.state, "\(left)")
      }
      #expect(try FolderContents(folder) == before, "\(left)")
    }
  }

  @Test(arguments: Left.allCases)
  func `a store that is opened, written and closed while it is verified is found sound`(
    left: Left
  ) async throws {
    let (folder, filled) = try await self.left(left)
    var began = false
    let report = try StoreVerification.run(folder.path("store"), key: FilledStore.key) { _, _ in
      guard !began else { return }
      began = true
      change(folder)
    }
    #expect(began)
    #expect(report.isSound, "\(report.damage)")
    #expect(report.sessions == filled.kept.count)
  }

  @Test(arguments: Left.allCases)
  func `an inspection shows one state, or says that it was overtaken`(left: Left) async throws {
    let (folder, filled) = try await self.left(left)
    let inspection = try StoreInspection(folder.path("store"), key: FilledStore.key)
    let session = try #require(try inspection.session(.test(5)))
    // What was opened to look is not in the way of a program that begins.
    var store = try TestStore(folder)
    try await store.load()
    try await store.save([1], of: .test(5))
    #expect(try inspection.savedState(of: session) == filled.kept[.test(5)]?.state)
    try await store.store.close()
    let overtaken = #expect(throws: StoreError.self) { try inspection.totals() }
    #expect(overtaken?.code == .inUse)
    #expect(overtaken?.message.contains("look again") == true, "\(overtaken?.message ?? "")")
    #expect(throws: StoreError.self) { try inspection.savedState(of: session) }
    #expect(throws: (any Error).self) { try inspection.forEachSession { _ in } }
    let next = try StoreInspection(folder.path("store"), key: FilledStore.key)
    let again = try #require(try next.session(.test(5)))
    #expect(try next.savedState(of: again) == [1])
  }

  /// Writes to a store as another program does, so that its log is brought into the database.
  private func change(_ folder: TemporaryFolder) {
    do {
      let queue = try ConnectionQueue(folder.path("store"), label: "test")
      try queue.wait { (connection) throws(StoreError) in
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("UPDATE store SET epoch = epoch")
        try connection.execute("VACUUM")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      queue.close()
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `what a program has left that was changing a database is not taken for a store`()
    async throws
  {
    let (folder, _) = try await left(.closed)
    _ = try folder.file("store-journal", Bytes(repeating: 1, count: 512))
    let before = try FolderContents(folder)
    let error = #expect(throws: StoreError.self) { _ = try StoreInspection(folder.path("store")) }
    #expect(error?.code == .unusable)
    #expect(error?.message.contains("store-journal") == true, "\(error?.message ?? "")")
    #expect(try FolderContents(folder) == before)
  }
}

/// The right to write everywhere, which root has.
private enum Permission {
  /// Whether it can be done without.
  static var canBeGivenUp: Bool { geteuid() != 0 || setUser != nil }

  /// Calls a function that may write nothing in a folder.
  static func without(in folder: TemporaryFolder, _ body: () throws -> Void) throws {
    let files = [folder.path] + folder.names.map(folder.path)
    let modes = try files.map {
      try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    for file in files {
      try FileManager.default.setAttributes(
        [.posixPermissions: file == folder.path ? 0o555 : 0o444], ofItemAtPath: file)
    }
    // Of this thread alone, and of what it does with files.
    let nobody: CUnsignedInt = 65_534
    if geteuid() == 0 { _ = setUser?(nobody) }
    defer {
      if geteuid() == 0 { _ = setUser?(0) }
      for (file, mode) in zip(files, modes) {
        try? FileManager.default.setAttributes(
          [.posixPermissions: mode ?? 0o600], ofItemAtPath: file)
      }
    }
    try body()
  }

  private typealias SetUser = @convention(c) (CUnsignedInt) -> CInt

  /// Linux's `setfsuid`, where there is one.
  private static var setUser: SetUser? {
    unsafe dlsym(dlopen(nil, RTLD_NOW), "setfsuid").map {
      unsafe unsafeBitCast($0, to: SetUser.self)
    }
  }
}
