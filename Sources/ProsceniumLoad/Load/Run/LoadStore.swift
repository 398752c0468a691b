// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

/// The store of a load test, which can be opened anew as after another launch.
final class LoadStore: Sendable {
  private let place: LoadTest.Place
  private let memory = InMemorySessionStore()
  private let file = Guarded<SQLiteSessionStore?>(nil)

  /// Makes what the store needs on the disk.
  init(_ place: LoadTest.Place) throws {
    self.place = place
    if let folder = place.temporaryFolder {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
  }

  /// Whether it survives the process.
  var isDurable: Bool { place != .memory }

  /// The store, opened if it is not.
  func opened() throws -> any SessionStore {
    guard let path else { return memory }
    if let open = file.withLock({ $0 }) { return open }
    let opened = try SQLiteSessionStore(
      path: path, key: FileKeyProvider(path: path + ".key", createsIfMissing: true))
    file.withLock { $0 = opened }
    return opened
  }

  /// Closes the file, so that the next launch opens it anew.
  func closeFile() async throws {
    try await file.withLock { $0.take() }?.close()
  }

  /// How many bytes the file has.
  var bytes: Int {
    guard let path else { return 0 }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Closes the file, and removes what is not to stay.
  func close() async {
    // What it throws was said when it was closed the first time.
    try? await closeFile()
    if let folder = place.temporaryFolder { try? FileManager.default.removeItem(atPath: folder) }
  }

  private var path: String? {
    if case .file(let path) = place {
      path
    } else {
      place.temporaryFolder.map { $0 + "/sessions.db" }
    }
  }
}

extension LoadTest.Place {
  /// The folder that does not stay; nil for none.
  package var temporaryFolder: String? {
    guard case .folder(let folder) = self else { return nil }
    // With the number of the process: no other one has it as long as this one lives.
    return "\(folder)/proscenium-load-\(ProcessInfo.processInfo.processIdentifier)"
  }
}
