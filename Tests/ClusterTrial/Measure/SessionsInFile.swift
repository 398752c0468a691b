// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives
  import ProsceniumSQLite

  /// Sessions without states in a file, which an application is launched with.
  struct SessionsInFile: Sendable {
    private let folder: String
    private let count: Int

    /// How many sessions one commit brings.
    private static let batch = 4_096

    /// Makes a store.
    init(_ count: Int, in folder: String) async throws {
      self.folder = folder
      self.count = count
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let store = try open()
      let epoch = try await store.load { _ in }.epoch
      let configuration = StoredConfiguration(role: .windowApplication, name: "Counting")
      var random = SplitMix64(seed: 1)
      for start in stride(from: 0, to: count, by: Self.batch) {
        let changes = (start..<min(start + Self.batch, count)).map { number in
          let session = SessionIdentifier(high: random.next(), low: random.next())
          var row = SessionRow(persistentIdentifier: session, configuration: configuration)
          row.lastActivated = UInt64(number)
          return StoreChange(session: session, epoch: epoch, kind: .insert(row))
        }
        if let error = try await store.commit(changes).values.first { throw error }
      }
      try await store.close()
    }

    private func open() throws -> SQLiteSessionStore {
      try SQLiteSessionStore(path: folder + "/store", key: TrialKey.provider)
    }

    /// How long it takes until an application is launched that has all of them, in seconds.
    @concurrent
    func launchTime() async throws -> Double {
      let store = try open()
      let manifest: SceneManifest = [SceneConfiguration("Counting") { QuietDelegate() }]
      let start = ContinuousClock.now
      let time = try await Application.withRunning(manifest: manifest, store: store) {
        application in
        let time = ContinuousClock.now - start
        guard application.openSessions.count == count else {
          throw TrialFailure("\(application.openSessions.count) sessions were launched of \(count)")
        }
        return time
      }
      try await store.close()
      return time / .seconds(1)
    }

    /// Removes the store.
    func remove() {
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// A delegate that does nothing.
    private final class QuietDelegate: SceneDelegate {}
  }
#endif
