// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import Synchronization

/// Sessions that all make the same step of their lives before any makes the next one.
final class SessionLives: Sendable {
  private static let callers = 8

  private let application: RunningApplication
  private let census: DraftCensus
  private let count: Int
  private let sessions = Mutex<[SessionIdentifier]>([])

  init(_ count: Int) async throws {
    self.count = count
    let census = DraftCensus()
    self.census = census
    application = try await RunningApplication { DraftDelegate(census) }
  }

  /// The steps, in the order in which they have to be taken.
  var contenders: [Contender] {
    let application = application.application
    return [
      .runtime("new_session") { try await self.open() },
      .runtime("background") {
        try await self.each { try await application.host.perform(.background($0)) }
      },
      .runtime("refresh") {
        try await self.each { try await application.requestSceneSessionRefresh($0) }
      },
      .runtime("disconnect") {
        try await self.each { try await application.host.perform(.disconnect($0)) }
      },
      .runtime("reconnect") {
        try await self.each(restored: self.count) {
          _ = try await application.activateSceneSession(for: .init(session: $0))
        }
      },
      .runtime("destroy") {
        try await self.each { try await application.requestSceneSessionDestruction($0) }
      },
    ]
  }

  private func open() async throws -> Reading {
    sessions.withLock { $0.removeAll(keepingCapacity: true) }
    return try await census.checking({ $0 == count && $1 == 0 }) {
      try await Callers(Self.callers).measure(each: Array(0..<count)) { _ in
        let session = try await self.application.application.activateSceneSession().id
        self.sessions.withLock { $0.append(session) }
      }
    }
  }

  private func each(
    restored: Int = 0, _ step: @escaping @Sendable (SessionIdentifier) async throws -> Void
  ) async throws -> Reading {
    try await census.checking({ $0 == 0 && $1 == restored }) {
      try await Callers(Self.callers).measure(each: sessions.withLock(\.self), step)
    }
  }
}
