// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumSQLite

/// Takes orders one by one, and confirms each only when it cannot be lost any more.
final class OrderDesk: StatefulSceneDelegate {
  private var orders: [String] = []

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    print("the desk knows \(orders.count) orders")
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    orders.append(message.string)
    scene.setNeedsCapture()
    let order = message.string
    scene.afterDurable { print("confirmed: \(order)") }
  }

  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    state.write("orders", orders)
  }

  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    orders = state.strings("orders") ?? []
  }
}

@main struct Demo {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("order-desk-\(ProcessInfo.processInfo.processIdentifier)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    try await work(folder) { application in
      let desk = try await application.activateSceneSession()
      try application.send("two lamps", to: desk.id)
      try await application.sendDurably("a chair", to: desk.id)  // returns when it cannot be lost
    }
    try await work(folder) { application in
      guard let desk = application.openSessions.first else { return }
      try await application.activateSceneSession(for: .init(session: desk))
    }
  }

  /// One life of the program.
  static func work(
    _ folder: String, _ body: @escaping @Sendable (Application) async throws -> Void
  ) async throws {
    let key = FileKeyProvider(path: folder + "/desk.key", createsIfMissing: true)
    let store = try SQLiteSessionStore(path: folder + "/desk.db", key: key)
    try await Application.withRunning(
      manifest: [.init("OrderDesk", OrderDesk.init)], store: store, body)
    try await store.close()
  }
}
