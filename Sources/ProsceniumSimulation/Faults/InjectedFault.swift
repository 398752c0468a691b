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
