// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLoad

@Suite struct LoadTenantsTests {
  @Test func `a session that moved in later is told from the one before`() async throws {
    let sessions = (1...2).map { SessionIdentifier(high: 0, low: $0) }
    let tenants = LoadTenants([sessions[0]])
    #expect(tenants.leave(sessions[0]) == 0)
    #expect(tenants.leave(sessions[0]) == nil)
    tenants.move(sessions[1], into: 0)
    #expect(tenants[0].session == sessions[1])
    #expect(tenants[0].generation == 1)
  }
}
