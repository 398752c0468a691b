// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// An application with a policy and a clock that the test moves.
struct PolicyStage: Sendable {
  let stage: Stage
  let clock = ManualClock()

  var log: CallLog { stage.log }
  var application: Application { stage.application }

  /// Sets it up.
  ///
  /// - Parameters:
  ///   - script: What scenes do in their callbacks.
  ///   - state: The title of what scenes return at a state capture; nil if they return nothing.
  ///   - sessions: How many sessions the store has: 1, 2 and so on.
  ///   - policy: Changes a policy without limits; nil for none at all.
  ///   - delegate: What the application delegate does; without it there is none.
  ///   - change: Changes the settings: one shard, and an order by recency.
  init(
    _ script: Script = [:], capturing state: String? = nil, sessions: UInt64,
    policy: ((inout DisconnectionPolicy) -> Void)?, delegate: ApplicationScript? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) {
    let clock = clock
    stage = Stage(
      script, capturing: state, store: InMemorySessionStore((1...sessions).map { .number($0) }),
      delegate: delegate
    ) { settings in
      settings.shards = 1
      settings.clock = clock
      settings.disconnectionPolicy = policy.map { Self.policy($0) }
      change(&settings)
    }
  }

  /// A policy without limits that takes who was not used for the longest time.
  static func policy(_ change: (inout DisconnectionPolicy) -> Void) -> DisconnectionPolicy {
    var policy = DisconnectionPolicy()
    policy.order = .leastRecentlyUsed
    change(&policy)
    return policy
  }

  func play(_ body: @Sendable (Application) async throws -> Void) async throws {
    try await stage.play(body)
  }

  /// Lets time pass, look by look.
  func wait(_ duration: Duration, in step: Duration = .milliseconds(100)) async {
    var left = duration
    while left > .zero {
      clock.advance(by: min(step, left))
      left -= step
      await application.settle()
    }
  }

  /// Connects sessions in the background, one after the other.
  func connect(_ sessions: ClosedRange<UInt64>) async throws {
    for number in sessions {
      try await application.host.perform(.connect(SessionIdentifier.number(number)))
    }
    await application.settle()
  }

  /// The sessions that have a scene.
  var connected: [String] {
    application.connectedScenes.map(\.persistentIdentifier).sorted().map(\.label)
  }
}
