// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@testable import Proscenium

struct ConditionsDuringDecisionTests {
  @Test func `conditions that are changed before the router knows the session are not lost`()
    async throws
  {
    try await Stage().play { application in
      let core = application.core
      core.gate.withLock { gate in
        // What the shard does for an update, while the session is being made.
        gate.onAdmission = { _ in
          guard let handle = core.directory.find(SessionIdentifier.number(1)) else { return }
          var details = core.directory.entry(handle).details
          details.activationConditions = .init(prefers: .equals("late"))
          let bits = core.directory.shardBits
          ShardScenes(core, handle.shard(bits))
            .show(details, Int32(handle.slot(bits)), isStateHere: false)
        }
      }
      try await application.host.newSession()
      core.gate.withLock { $0.onAdmission = nil }
      let decision = try application.route("late")
      #expect(decision == RoutingDecision(rule: .prefers, session: .number(1)))
    }
  }
}
