// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumSQLite
import Testing

/// What commands make of the files of a store, and of what is none.
@Suite(.timeLimit(.minutes(20))) struct StoreFileProgramTests {
  private let folder: TemporaryFolder
  private let kept: TemporaryFolder
  private var store: String { kept.path + "/s" }
  private var key: String { folder.path + "/key" }

  init() throws {
    folder = try TemporaryFolder()
    kept = try TemporaryFolder()
  }

  /// Makes a store with a session; its log is not in the database yet.
  private func makeStore() async throws -> SQLiteSessionStore {
    let store = try SQLiteSessionStore(path: store, key: .file(key))
    let epoch = try await store.load { _ in }.epoch
    let row = SessionRow(persistentIdentifier: SessionIdentifier(high: 1, low: 2))
    try await store.commit([
      StoreChange(session: row.persistentIdentifier, epoch: epoch, kind: .insert(row))
    ])
    return store
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  // MARK: - Looking

  @Test func `looking at a store leaves nothing beside it`() async throws {
    try await makeStore().close()
    try FileManager.default.removeItem(atPath: store + ".lock")
    for arguments in [["verify", store, "--key", key], ["inspect", store, "--key", key]] {
      let run = try await ProgramRun(arguments)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try names(kept.path) == ["s"])
    }
    let backup = try await ProgramRun(["backup", store, folder.path + "/copy"])
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(try names(kept.path) == ["s"])
    #expect(try names(folder.path) == ["copy", "key"])
  }

  @Test(.enabled(if: ReadOnlyMount.isPossible, "no folder can be mounted read-only here"))
  func `a store on a read-only mount is looked at, with its log`() async throws {
    let running = try await makeStore()
    let copy = kept.path + "/killed"
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
    }
    let alone = kept.path + "/alone"
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: alone + suffix)
    }
    // One store is in use on the other side of the mount.
    for path in [store, copy, alone] { try await expectReadable(path) }
    try await running.close()
    try await expectReadable(store)
  }

  private func expectReadable(_ path: String) async throws {
    let script = try folder.file(
      "script",
      """
      (: > '\(kept.path)/new') 2> /dev/null && exit 8
      "$program" verify '\(path)' --key '\(key)' && "$program" inspect '\(path)' &&
        "$program" backup '\(path)' '\(folder.path)/copy' &&
        "$program" verify '\(folder.path)/copy' --key '\(key)'
      status=$?
      rm -f '\(folder.path)/copy'
      exit $status
      """)
    let run = try await ProgramRun(shell: ReadOnlyMount.line(kept.path, script))
    #expect(run.status == 0, "\(path): \(run.errors)")
    #expect(run.lastLine == "sound", "\(path): \(run.output)")
    let sessions = run.output.split(separator: "\n").count {
      $0.split(separator: " ") == ["sessions", "1"]
    }
    #expect(sessions == 3, "\(path): \(run.output)")
  }
}

/// Folders that cannot be written, also by root.
private enum ReadOnlyMount {
  /// A line that runs a script while a folder is mounted read-only, which only the script sees.
  static func line(_ folder: String, _ script: String) -> String {
    // Whoever is not root is root in a world of its own.
    """
    exec unshare \(geteuid() == 0 ? "-m" : "-rm") sh -c '
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && . "$2"' sh \
      '\(folder)' '\(script)'
    """
  }

  /// Whether the system lets this process do it.
  static let isPossible: Bool = {
    do {
      let folder = try TemporaryFolder()
      let script = try folder.file("script", "exit 7")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", line(folder.path, script)]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 7
    } catch {
      return false
    }
  }()
}
