// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// What a node knows of the slices, as its application and its callers ask for it.
  final class NodeDuties: Sendable {
    let ledger: Guarded<SliceLedger>
    let permit: ServingPermit
    let sliceBits: Int
    /// Wakes what adopts slices.
    let bell = NodeBell()

    init(_ settings: ClusterSettings, sliceBits: Int, _ elapsed: @escaping @Sendable () -> Duration)
    {
      ledger = Guarded(SliceLedger(parkAfter: max(1, settings.deathLimit)))
      permit = ServingPermit(now: elapsed)
      self.sliceBits = sliceBits
    }

    /// What the application is given.
    var ofApplication: SliceDuties {
      SliceDuties(permit: permit) { [self] in
        refusal(of: $0)
      } place: {
        [self] (identifier, placement) throws(SceneError) in
        try place(identifier, placement)
      }
    }

    /// Whether the node may serve what it owns.
    var isServing: Bool { permit.isValid && ledger.withLock { $0.node != nil } }

    func slice(of session: SessionIdentifier) -> Int {
      session.slice(bits: sliceBits)
    }

    /// Whether a slice is served here, or parked, or the node has not joined: what is for it is not
    /// to wait for another owner.
    ///
    /// A slice that is to be served comes before the others from then on.
    func isServedHere(_ slice: Int) -> Bool {
      ledger.withLock { ledger in
        guard slice < ledger.count else { return true }
        switch ledger[slice] {
        case .served, .parked: return true
        case .wanted, .adopting:
          ledger.ask(for: slice)
          bell.ring()
          return false
        case .none, .leaving: return false
        }
      }
    }

    /// Why the sessions of a slice are not served here, if that is so.
    ///
    /// A slice that is to be served comes before the others from then on.
    func refusal(of slice: Int, _ session: SessionIdentifier?) -> SceneError? {
      ledger.withLock { ledger -> SceneError? in
        guard slice < ledger.count else {
          return Self.busy(session, "the node has not joined its cluster yet", .milliseconds(200))
        }
        switch ledger[slice] {
        case .served: return nil
        case .wanted, .adopting:
          ledger.ask(for: slice)
          bell.ring()
          return Self.busy(session, "the session is on its way to this node", .milliseconds(50))
        case .leaving:
          return Self.busy(
            session, "the session is on its way to another node", .milliseconds(50))
        case .parked:
          return Self.busy(
            session,
            "the session's slice, \(slice), is parked: its owners died one after the other",
            .seconds(10))
        case .none:
          guard let owner = ledger.owner(slice), let member = ledger.members[owner],
            owner != ledger.node
          else {
            return Self.busy(session, "no node serves the session now", .milliseconds(200))
          }
          return SceneError(
            .servedElsewhere, session: session,
            "node \(owner), \(member.name), serves the session, at \(member.address)",
            address: member.address)
        }
      }
    }

    private func refusal(of session: SessionIdentifier) -> SceneError? {
      refusal(of: slice(of: session), session)
    }

    private static func busy(
      _ session: SessionIdentifier?, _ message: String, _ pause: Duration
    ) -> SceneError {
      SceneError(.systemBusy, session: session, message, retryAfter: pause)
    }

    /// Brings a new session to its place, or to a slice that is served here.
    private func place(
      _ identifier: SessionIdentifier, _ placement: SessionPlacement
    ) throws(SceneError) -> SessionIdentifier {
      if let place = SlicePlace.place(of: placement) {
        if let refusal = refusal(of: SlicePlace.slice(of: place, bits: sliceBits), nil) {
          throw refusal
        }
        return SlicePlace.identifier(identifier, at: place)
      }
      let slice = ledger.withLock { ledger in
        ledger.served.isEmpty
          ? nil : ledger.served[Int(identifier.spread % UInt64(ledger.served.count))]
      }
      guard let slice else {
        throw Self.busy(nil, "the node serves no sessions now", .milliseconds(200))
      }
      return SlicePlace.identifier(identifier, in: slice, bits: sliceBits)
    }
  }
#endif
