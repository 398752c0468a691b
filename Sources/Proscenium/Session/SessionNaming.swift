// SPDX-License-Identifier: Apache-2.0

/// Something that names a session: its identifier, or a value of the session itself.
public protocol SessionNaming: Sendable {
  /// The identifier of the session.
  var persistentIdentifier: SessionIdentifier { get }
}

extension SessionIdentifier: SessionNaming {
  /// The identifier itself.
  public var persistentIdentifier: SessionIdentifier { self }
}

extension SceneSession: SessionNaming {}
