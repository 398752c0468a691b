// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import Synchronization

/// What is asked of sessions by their clients, one after another.
enum ClientPath {
  /// The paths by their names.
  static var all: [String: CountedPath] {
    let clients = Clients()
    let delegate = { @Sendable in FrameDelegate() }
    return [
      "attach": LifePath.path(delegate) { try await clients.attach(to: $1, in: $0) },
      "resume": LifePath.path(delegate, from: { try await clients.attach(to: $1, in: $0) }) {
        try await clients.resume($1, in: $0)
      },
    ]
  }
}

/// The clients that are attached, each to a session of its own.
private final class Clients: Sendable {
  private let attached = Mutex<[SessionIdentifier: SceneClient]>([:])
  private let identifier = ClientIdentifier(high: 1, low: 1)

  /// Attaches a new client, and gives it the first frame of everything that there is to show.
  func attach(to session: SessionIdentifier, in application: Application) async throws {
    let client = try await application.attach(to: session, as: identifier)
    guard client.reset == .new else {
      throw BenchmarkFailure("a new client was not told that it gets everything")
    }
    try await acknowledge(1, client)
    attached.withLock { $0[session] = client }
  }

  /// Lets the client of a session go and come back, and gives it the frame that it has not seen.
  func resume(_ session: SessionIdentifier, in application: Application) async throws {
    guard let gone = attached.withLock({ $0[session] }) else {
      throw BenchmarkFailure("a client was missing")
    }
    gone.detach()
    let client = try await application.attach(
      to: session, as: identifier, lastSeen: FrameNumber(epoch: gone.epoch, count: 1))
    guard client.reset == nil else {
      throw BenchmarkFailure("a client that has come back gets everything again")
    }
    try await acknowledge(2, client)
    attached.withLock { $0[session] = client }
  }

  private func acknowledge(_ count: UInt64, _ client: SceneClient) async throws {
    guard case .frame(let frame) = await client.next(), frame.number.count == count else {
      throw BenchmarkFailure("a client did not get frame \(count)")
    }
    try client.acknowledge(frame.number)
  }
}

/// The delegate of a scene that shows two frames.
private final class FrameDelegate: ClientSceneDelegate {
  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    for number in 1...2 {
      scene.emit(NumberedMessage(sender: 0, number: UInt64(number), payload: 7).message)
    }
  }
}
