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
    _ = try await store.commit([
      StoreChange(session: row.persistentIdentifier, epoch: epoch, kind: .insert(row))
    ])
    return store
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  // MARK: - Looking

  @Test func `looking at a store leaves nothing next to it`() async throws {
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

  // MARK: - What is no file

  /// Sockets can be made like this on Linux alone.
  #if os(Linux)
    private static let kinds = ["pipe", "socket", "device", "folder", "dangling", "loop"]
  #else
    private static let kinds = ["pipe", "device", "folder", "dangling", "loop"]
  #endif

  @Test(
    arguments: kinds,
    ["replay", "load", "verify", "inspect", "backup", "forget", "crash-writer"])
  func `what is no file is no store, and nothing is made next to it`(
    kind: String, command: String
  ) async throws {
    let path = try make(kind)
    // Where a device is, only root could make a file: there are none in the folder of the test.
    let places = [kept.path, "/dev"]
    let before = try places.map(names)
    let log = try folder.file(
      "log", #"1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET / HTTP/1.1" 200 1"# + "\n")
    let arguments: [String: [String]] = [
      "replay": ["replay", log, "--store", path],
      "load": ["load", "--sessions", "9", "--duration", "1s", "--store", path],
      "verify": ["verify", path], "inspect": ["inspect", path],
      "backup": ["backup", path, folder.path + "/copy"],
      "forget": ["forget", path, "--all", "--yes"],
      "crash-writer": ["crash-writer", "--store", path, "--key", key],
    ]
    let run = try await ProgramRun(try #require(arguments[command]))
    #expect(run.isExit && run.status == 2, "\(run.output)\(run.errors)")
    #expect(run.errorLines == 1, "\(run.errors)")
    let words = [
      "pipe": "a pipe", "socket": "a socket", "device": "a device", "folder": "a directory",
      "dangling": "no file", "loop": "symbolic link",
    ]
    if command != "load" {
      #expect(run.errors.contains(try #require(words[kind])), "\(run.errors)")
    }
    #expect(try places.map(names) == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
    #expect(!FileManager.default.fileExists(atPath: key))
  }

  private func make(_ kind: String) throws -> String {
    let path = kept.path + "/" + kind
    switch kind {
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    case "socket": #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case "device": return "/dev/null"
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "dangling":
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: kept.path + "/nothing")
    default:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    }
    return path
  }

  // MARK: - Hard links

  @Test func `a database with a second name is not opened, so that it has one lock and one log`()
    async throws
  {
    let running = try await makeStore()
    let link = kept.path + "/link"
    try FileManager.default.linkItem(atPath: store, toPath: link)
    try await expectRefusal(of: link)
    try await running.close()
    for path in [link, store] { try await expectRefusal(of: path) }
    try FileManager.default.removeItem(atPath: link)
    let run = try await ProgramRun(["forget", store, "--all", "--yes", "--key", key])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func expectRefusal(of path: String) async throws {
    let before = try names(kept.path)
    let run = try await ProgramRun(["forget", path, "--all", "--yes", "--key", key])
    #expect(run.status == 2)
    #expect(run.errorLines == 1)
    #expect(run.errors.contains("found 2 hard links"), "\(run.errors)")
    #expect(try names(kept.path) == before)
  }
}

/// Folders that cannot be written, also by root.
private enum ReadOnlyMount {
  /// A line that runs a script while a folder is mounted read-only, which only the script sees.
  static func line(_ folder: String, _ script: String) -> String {
    // A user who is not root is root in a world of its own.
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
