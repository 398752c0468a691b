// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

/// A store that gives what no application has written harms no session.
@Suite(.timeLimit(.minutes(10))) struct DamagedStoreTests {
  private static let one = SessionIdentifier.number(1)

  @Test func `a session that is there twice is one, as it is first`() async throws {
    var again = StoredSession.number(1)
    again.title = "again"
    let store = RemoteStore(
      [.number(1, state: "draft")],
      given: [
        StoredSession.number(1, state: "draft").row(), StoredSession.number(2).row(), again.row(),
      ])
    let stage = Stage(store: store, delegate: ApplicationScript())
    try await stage.play { application in
      #expect(application.openSessions.count == 2)
      #expect(application.session(Self.one)?.title == nil)
      try await application.host.perform(.close(Self.one))
      #expect(application.openSessions.map(\.id.label) == ["S2"])
      #expect(stage.log.take().last == "app.didDiscard(S1)")
    }
  }

  @Test(arguments: [true, false])
  func `a session that was discarded is not open as well (R-DST-7)`(
    discardedFirst: Bool
  ) async throws {
    let open = [1, 2].map { StoredSession.number($0).row() }
    let discarded = [1, 3, 1].map { StoredSession.number($0).row(isDiscarded: true) }
    let store = RemoteStore(given: discardedFirst ? discarded + open : open + discarded)
    let stage = Stage(store: store, delegate: ApplicationScript()) { $0.launch = .connectAll }
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take().dropFirst(2) == ["app.didDiscard(S1, S3)", "S2.willConnect U"])
      #expect(application.openSessions.map(\.id.label) == ["S2"])
    }
  }

  @Test func `an activation counter at its end does not end the application`() async throws {
    let rows: [StoredSession] = [
      .number(1, lastActivated: .max), .number(2, lastActivated: 7), .number(3, lastActivated: 8),
    ]
    let store = RemoteStore(given: rows.map { $0.row() })
    let stage = Stage(store: store) { $0.launch = .icon }
    try await stage.play { application in
      await application.settle()
      #expect(stage.log.take().first == "S1.willConnect U")
      for number in [3, 2] as [UInt64] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
        try await application.host.perform(.background(SessionIdentifier.number(number)))
      }
      try await application.host.perform(.background(Self.one))
      let decision = try application.route(nil)
      #expect(decision.session == .number(2))
    }
  }
}
