// SPDX-License-Identifier: Apache-2.0

public import ProsceniumPredicate

/// Which content a session can show, and which it would rather show.
///
/// Conditions belong to the session: they are kept with it, and they are evaluated without its
/// scene, also while it has none (R-RT-1). The defaults are *can everything* and *prefer nothing*
/// (R-RT-4). UIKit's names are `canActivateForTargetContentIdentifierPredicate` and
/// `prefersToActivateForTargetContentIdentifierPredicate`.
public struct SceneActivationConditions: Sendable, Hashable {
  /// The identifiers that the session can show; `true` unless set.
  public var can: ContentPredicate

  /// The identifiers that the session would rather show than any that merely can.
  ///
  /// It need not be part of ``can`` (R-RT-3); `false` unless set.
  public var prefers: ContentPredicate

  /// Creates conditions.
  public init(can: ContentPredicate = .true, prefers: ContentPredicate = .false) {
    self.can = can
    self.prefers = prefers
  }
}
