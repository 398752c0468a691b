// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// What the runtime tells of many sessions at little cost.
@Suite(.timeLimit(.minutes(10))) struct SessionWalkTests {
  @Test func `a walk comes by every session once, also in small steps and around the end`()
    async throws
  {
    try await DashboardStage.run { stage in
      var opened: Set<SessionIdentifier> = []
      for number in 0..<50 { opened.insert(try await stage.application.open("\(number)").id) }
      var walk = SessionWalk()
      walk.visit(stage.application, atMost: 20) { _, _ in true }
      for step in [1_000, 7] {
        var seen: [SessionIdentifier] = []
        while seen.count < 50 {
          walk.visit(stage.application, atMost: step) { session, state in
            #expect(state == .foregroundActive)
            seen.append(session)
            return true
          }
        }
        #expect(Set(seen.prefix(50)) == opened)
      }
    }
  }

  @Test func `a walk stops when it is told to, and ends where no session is`() async throws {
    try await DashboardStage.run { stage in
      var walk = SessionWalk()
      walk.visit(stage.application, atMost: 100) { _, _ in
        Issue.record("there is no session")
        return true
      }
      for number in 0..<5 { _ = try await stage.application.open("\(number)") }
      var count = 0
      walk.visit(stage.application, atMost: 100) { _, _ in
        count += 1
        return count < 3
      }
      #expect(count == 3)
    }
  }

  @Test func `the census counts scenes by their states, and sessions without one`() async throws {
    try await DashboardStage.run { stage in
      let host = stage.application.host
      var sessions: [SceneSession] = []
      for number in 0..<10 { sessions.append(try await stage.application.open("\(number)")) }
      try await host.perform(.interrupt(sessions[0].id))
      for session in sessions[1..<6] { try await host.perform(.background(session.id)) }
      for session in sessions[1..<4] { try await host.perform(.disconnect(session.id)) }
      let census = stage.application.census
      #expect(census.active == 4)
      #expect(census.inactive == 1)
      #expect(census.background == 2)
      #expect(census.disconnected == 3)
    }
  }
}
