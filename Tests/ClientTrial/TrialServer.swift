// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Proscenium
import ProsceniumClientProtocol
import ProsceniumSQLite

/// The process that is killed: an application with a store on the disk, and a socket.
struct TrialServer: Sendable {
  let folder: String
  let sessions: Int

  /// The socket, at which a server listens when it has launched.
  static func socketPath(_ folder: String) -> String { folder + "/socket" }

  /// Serves until SIGTERM; then it ends in order.
  ///
  /// - Throws: What the store or the sockets throw.
  func run() async throws {
    let store = try SQLiteSessionStore(
      path: folder + "/store", key: FileKeyProvider(path: folder + "/key"))
    var settings = ApplicationSettings()
    settings.durability = .everyEvent
    settings.clientRules.gracePeriod = .seconds(2)
    settings.identifiers = .counted()
    let manifest: SceneManifest = [SceneConfiguration("Tally", Tally.init)]
    try await Application.withRunning(manifest: manifest, store: store, settings: settings) {
      application in
      let signal = DispatchSource.makeSignalSource(signal: SIGTERM)
      signal.setEventHandler { application.shutDown() }
      _ = Foundation.signal(SIGTERM, SIG_IGN)
      signal.resume()
      defer { signal.cancel() }
      // The first run makes the sessions; no kill comes before all of them are there.
      while application.openSessions.count < sessions { try await application.host.newSession() }
      let host = ClientHost(application) { SessionIdentifier($0.address) }
      try? await SocketHost(host: host).run(at: .path(Self.socketPath(folder))) { _ in }
    }
    try await store.close()
  }
}
