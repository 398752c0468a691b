// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What the verification of a store found.
public struct StoreReport: Sendable {
  package init() {}

  /// How many sessions were read.
  public package(set) var sessions = 0

  /// How many of them have a saved state, which was opened unless it is listed below.
  public package(set) var states = 0

  /// The bytes of the sealed states.
  public package(set) var stateBytes = 0

  /// How many things are wrong.
  public private(set) var damageCount = 0

  /// What is wrong, at most ``damageLimit`` things; an error with a session concerns that session.
  public private(set) var damage: [StoreError] = []

  /// How much of what is wrong is listed.
  public static let damageLimit = 10_000

  /// Whether nothing is wrong.
  public var isSound: Bool { damageCount == 0 }

  package mutating func add(_ error: StoreError) {
    damageCount += 1
    if damage.count < Self.damageLimit { damage.append(error) }
  }

  package mutating func add(_ message: String, session: SessionIdentifier? = nil) {
    add(StoreError(.damaged, session: session, message))
  }
}
