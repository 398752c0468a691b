// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// A fault in the moment in which it is injected.
public struct InjectedFault: Sendable, Hashable {
  /// What goes wrong.
  public let kind: FaultKind

  /// When, counted from the beginning of the injection.
  public let moment: Duration

  /// The session that is struck, or `nil` if it is none, or not known.
  public let session: SessionIdentifier?

  /// How long it takes, or how far the clock jumps; `nil` if it has no length.
  public let duration: Duration?

  /// Creates a fault.
  init(
    _ kind: FaultKind, at moment: Duration, session: SessionIdentifier? = nil,
    duration: Duration? = nil
  ) {
    self.kind = kind
    self.moment = moment
    self.session = session
    self.duration = duration
  }
}

/// What can go wrong by a ``FaultPlan``; the names are those of reports and logs.
public enum FaultKind: String, Sendable, Hashable, CaseIterable {
  /// A scene was disconnected.
  case disconnect
  /// A session was discarded.
  case discard
  /// A delegate keeps a processor busy.
  case delegateHog
  /// A delegate blocks its thread.
  case delegateHang
  /// A commit fails.
  case storeFailed
  /// A commit finds no room.
  case storeFull
  /// A commit takes longer.
  case storeDelay
  /// A commit is under way when the power is lost.
  case storeTorn
  /// The power of the store is lost.
  case powerLoss
  /// The clock by which tasks sleep jumps.
  case clockJump
  /// The wall clock is set.
  case wallClockJump
  /// A request is made twice.
  case requestDuplicated
  /// A request arrives later.
  case requestDelayed
  /// The process is killed.
  case kill
}
