// SPDX-License-Identifier: Apache-2.0

/// Where a window is placed; nothing places it.
public protocol UIWindowScenePlacement: Hashable {}

/// A place as of any window.
public struct UIWindowSceneStandardPlacement: UIWindowScenePlacement, Sendable {}

/// A place in front.
public struct UIWindowSceneProminentPlacement: UIWindowScenePlacement, Sendable {}

extension UIWindowScenePlacement where Self == UIWindowSceneStandardPlacement {
  /// A place as of any window.
  public static func standard() -> Self { Self() }
}

extension UIWindowScenePlacement where Self == UIWindowSceneProminentPlacement {
  /// A place in front.
  public static func prominent() -> Self { Self() }
}
