// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// The ledger against a model that knows nothing of places, slots and counts of decisions.
@Suite struct SessionLedgerModelTests {
  private struct Model {
    struct Session {
      var state = SessionLedger.State.archived
      var lastActivated: UInt64 = 0
      let group: SceneGroup?
    }

    let capacity: Int
    var sessions: [SessionHandle: Session] = [:]
    var counter: UInt64 = 0

    /// The one that gives way, by the words of R-ACTV-2.
    func victim(for handle: SessionHandle, requester: SessionHandle?) -> SessionHandle? {
      let group = sessions[handle]?.group
      let there = sessions.filter {
        $0.value.group == group && $0.value.state.isForeground && $0.key != handle
      }
      guard there.count >= capacity else { return nil }
      let others = there.filter { $0.key != requester }
      return (others.isEmpty ? there : others)
        .min { $0.value.lastActivated < $1.value.lastActivated }?.key
    }

    mutating func activate(_ handle: SessionHandle, requester: SessionHandle?) -> SessionHandle? {
      var gone: SessionHandle?
      if sessions[handle]?.state.isForeground == false {
        gone = victim(for: handle, requester: requester)
        if let gone { sessions[gone]?.state = .background }
      }
      if sessions[handle]?.state != .active {
        counter += 1
        sessions[handle]?.lastActivated = counter
      }
      sessions[handle]?.state = .active
      return gone
    }
  }

  @Test(arguments: 1...100)
  func `whatever is decided, the ledger and the model agree`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let capacity = Int.random(in: 1...3, using: &generator)
    var rules = SessionLedger.Rules()
    rules.foregroundCapacity = capacity
    rules.shardBits = 1
    var ledger = SessionLedger(rules: rules)
    var model = Model(capacity: capacity)
    var discarding: [SessionHandle] = []

    for _ in 0..<300 {
      let any = model.sessions.keys.sorted { $0.rawValue < $1.rawValue }
        .randomElement(using: &generator)
      switch (Int.random(in: 0..<10, using: &generator), any) {
      case (0, _), (_, nil):
        let group: SceneGroup? = [nil, "ann", "bob"].randomElement(using: &generator) ?? nil
        let new = ledger.open(role: 0, group: group, spread: generator.next())
        #expect(model.sessions[new] == nil)
        model.sessions[new] = Model.Session(group: group)
      case (1...4, let handle?):
        let requester = model.sessions.keys.sorted { $0.rawValue < $1.rawValue }
          .randomElement(using: &generator)
        let activation = ledger.activate(handle, requester: requester, becomesActive: true)
        let victim = activation.partner.flatMap { $0.kind == .victim ? $0.handle : nil }
        let expected = model.activate(handle, requester: requester)
        #expect(victim == expected)
      case (5, let handle?):
        let wasThere = model.sessions[handle]?.state.isForeground ?? false
        let leaves = ledger.enterBackground(handle)
        #expect(leaves == wasThere)
        if wasThere { model.sessions[handle]?.state = .background }
      case (6, let handle?):
        _ = ledger.setInterrupted(handle, true)
        if model.sessions[handle]?.state == .active { model.sessions[handle]?.state = .inactive }
      case (7, let handle?):
        _ = ledger.connect(handle)
        if model.sessions[handle]?.state == .archived {
          model.sessions[handle]?.state = .background
        }
      case (8, let handle?):
        guard model.sessions[handle]?.state == .background else { break }
        ledger.disconnect(handle)
        model.sessions[handle]?.state = .archived
      case (_, let handle?):
        ledger.discard(handle)
        model.sessions[handle] = nil
        discarding.append(handle)
        // The slot stays taken until the end is told.
        if discarding.count > 2 { ledger.free(discarding.removeFirst()) }
      }
      try check(ledger, model)
    }
  }

  private func check(_ ledger: SessionLedger, _ model: Model) throws {
    try #require(ledger.openCount == model.sessions.count)
    var open: Set<SessionHandle> = []
    ledger.forEachOpen { handle, _ in open.insert(handle) }
    try #require(open == Set(model.sessions.keys))
    for (handle, session) in model.sessions {
      try #require(ledger[handle].state == session.state)
      try #require(ledger[handle].lastActivated == session.lastActivated)
    }
  }
}
