// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

@Suite struct SessionGroupsTests {
  private static func handle(_ slot: Int, shard: Int) -> SessionHandle {
    SessionHandle(slot: slot, shard: shard, shardBits: 2)
  }

  @Test func `a session is in the group without a name until another is set`() {
    var groups = SessionGroups(shardBits: 2)
    let session = Self.handle(700, shard: 3)
    #expect(groups[session] == ForegroundPlaces.unnamed)
    groups[session] = 5
    #expect(groups[session] == 5)
    groups[session] = ForegroundPlaces.unnamed
    #expect(groups[session] == ForegroundPlaces.unnamed)
  }

  @Test func `a group of one session is none of another, in its shard or another`() {
    var groups = SessionGroups(shardBits: 2)
    groups[Self.handle(10, shard: 1)] = 7
    let others = [(9, 1), (11, 1), (10, 0), (10, 2), (500, 1)].map { slot, shard in
      Self.handle(slot, shard: shard)
    }
    #expect(others.map { groups[$0] } == others.map { _ in ForegroundPlaces.unnamed })
  }
}
