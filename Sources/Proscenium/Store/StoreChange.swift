// SPDX-License-Identifier: Apache-2.0

/// One change of what a store keeps.
public struct StoreChange: Sendable {
  /// What changes.
  public enum Kind: Sendable {
    /// A session is new. Its row replaces one of the same identifier, if there is one.
    case insert(SessionRow)
    /// The row changed: everything in it but ``SessionRow/lastActivated``, which
    /// ``activate(lastActivated:)`` brings, and what the store knows itself
    /// (``SessionRow/hasSavedState``, ``SessionRow/isDiscarded``).
    case update(SessionRow)
    /// The session became active. Counters grow: a smaller one than the session had may be ignored.
    case activate(lastActivated: UInt64)
    /// The saved state is another one: what ``SessionStore/seal(_:of:epoch:)`` made of it.
    case save([UInt8])
    /// The session is gone, with everything that was kept of it.
    case remove
  }

  /// The session that changes.
  public let session: SessionIdentifier

  /// The epoch in which the change was made: that of the load which the writer's application began
  /// with.
  ///
  /// An older one than the store's is refused as ``StoreError/Code/fenced``.
  public let epoch: UInt32

  /// What changes.
  ///
  /// A change of a session that is not kept, other than its insertion, does nothing.
  public let kind: Kind

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - session: The session that changes.
  ///   - epoch: The epoch in which the change is made.
  ///   - kind: What changes.
  public init(session: SessionIdentifier, epoch: UInt32, kind: Kind) {
    self.session = session
    self.epoch = epoch
    self.kind = kind
  }
}
